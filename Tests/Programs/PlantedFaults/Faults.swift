import Signals
import Synchronization

/// Chains with a fault each, at the lines that say so, and one that is healthy.
final class Faults: Sendable {
  struct Refused: Error, CustomStringConvertible {
    var description: String { "no\u{1B}[31m answer" }
  }

  private let ticks = Emitter<Int>()
  private let bag = DisposeBag()
  private let grown = Mutex(0)
  /// Whether the subscription that nobody keeps ended as soon as it was made: a busy machine may have paused the thread.
  let wasPrompt: Bool

  init() {
    wasPrompt = Self.drop(ticks)
    watch()
    leak()
    fail()
    comeLate()
  }

  /// Makes more subscriptions that nobody ends, the more there are, and sends a value.
  func grow() {
    let count = grown.withLock { count in
      let more = 2 + count / 50
      count += more
      return more
    }
    for _ in 0..<count {
      ticks.signal.filter { $0 > 0 }.subscribe { _ in }.store(in: bag)  // fault: growth
    }
    ticks.send(count)
  }

  private func watch() {
    ticks.signal.named("ticks").map { $0 + 1 }.subscribe { _ in }.store(in: bag)
  }

  private func leak() {
    let screen = GraphScope("settings sheet")
    screen.run {
      ticks.signal.map { "\($0)" }.subscribe { _ in }.retained()  // fault: leak
    }
    screen.end()
  }

  private func fail() {
    let requests = Emitter<Int>()
    UnhandledFailure.withHandler({ _ in }) {
      requests.signal.subscribe { _ in }.store(in: bag)  // fault: unhandled-failure
      requests.fail(Refused())
    }
  }

  private static func drop(_ ticks: Emitter<Int>) -> Bool {
    let start = ContinuousClock.now
    _ = ticks.signal.subscribe { _ in }  // fault: unused-subscription
    return start.duration(to: .now) < .milliseconds(5)
  }

  private func comeLate() {
    let loaded = Emitter<Int>()
    loaded.finish()
    loaded.signal.subscribe { _ in }.store(in: bag)  // fault: late-subscriber
  }
}
