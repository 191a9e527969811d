import Dispatch
import SignalGraph
import SignalTesting
import Signals
import Testing

/// What is ended in a test because an object of other code has gone is not the test's doing.
@Suite struct WorkOfOthersTests {
  private final class Screen: Sendable {}

  @Test func anEndThatUsesAQueueIsNotTheTests() throws {
    let values = Signal<Int> { producer in
      producer.onDisposal { DispatchQueueScheduler.qos(.utility).schedule {} }
    }
    var screen: Screen? = Screen()
    values.subscribe(with: try #require(screen)) { _, _ in }
    withVirtualTime { _ in
      screen = nil
      // Whoever reads a graph ends what belongs to nobody any more.
      _ = GraphRecorder().snapshot()
    }
  }
}
