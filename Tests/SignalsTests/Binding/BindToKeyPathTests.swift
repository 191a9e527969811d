import Dispatch
import Foundation
import Probes
import Signals
import Testing

/// Values that go into a variable of an object.
@Suite("Bindings: to a key path", .timeLimit(.minutes(20)))
struct BindToKeyPathTests {
  private final class Gauge: Sendable {
    private let stored = Box(0)
    var level: Int {
      get { stored.value }
      set { stored.value = newValue }
    }
  }

  @MainActor
  private final class Label {
    var text = "" {
      didSet { history.append(text) }
    }
    var history: [String] = []

    /// The usual spelling.
    func follow(_ signal: Signal<String>) {
      signal.bind(to: \.text, on: self)
    }
  }

  /// Not `Sendable`.
  private final class Plain {
    var text = ""
  }

  @Test("an object that any thread may write to gets values where they come")
  func direct() {
    let source = Property(1)
    var gauge: Gauge? = Gauge()
    weak let weakGauge = gauge
    if let gauge {
      source.signal.bind(to: \.level, on: gauge)
      // Written when it is set, on whichever thread.
      onThreads(1) { _ in source.value = 2 }
      #expect(gauge.level == 2)
    }
    gauge = nil
    // First the count: another test may look at the object at this moment, and the count waits for that.
    #expect(source.subscriberCount == 0 && weakGauge == nil)
  }

  @Test("an object of the main actor gets values there, in order")
  @MainActor
  func mainActor() async {
    let source = Property("a")
    let label = Label()
    label.follow(source.signal)
    source.value = "b"
    // Other tests use the main queue too: what comes there comes at once only when nothing waits.
    await turn()
    #expect(label.history == ["a", "b"])
    onThreads(1) { _ in source.value = "c" }
    #expect(label.history == ["a", "b"])
    // Comes after what waits.
    source.value = "d"
    await turn()
    #expect(label.history == ["a", "b", "c", "d"])
  }

  @Test("the object is held weakly, and need not be Sendable; the binding ends with the next value")
  @MainActor
  func gone() async {
    let source = Property("a")
    var plain: Plain? = Plain()
    weak let weakPlain = plain
    if let plain {
      source.signal.bind(to: \.text, on: plain)
      await turn()
      #expect(plain.text == "a")
      #expect(source.subscribers.map(\.owner) == ["Plain"])
    }
    plain = nil
    #expect(weakPlain == nil)
    source.value = "b"
    await turn()
    #expect(source.subscriberCount == 0)
  }

  @Test("disposed, or ended by its object's name")
  @MainActor
  func disposal() async {
    let source = Property("a")
    let label = Label()
    let binding = source.signal.bind(to: \.text, on: label)
    await turn()
    binding.dispose()
    source.value = "b"
    await turn()
    #expect(label.text == "a" && source.subscriberCount == 0)
    source.signal.bind(to: \.text, on: label)
    await turn()
    source.disposeSubscriptions(of: label)
    source.value = "c"
    await turn()
    #expect(label.text == "b" && source.subscriberCount == 0)
  }

  @Test("a value that waits for the main queue is not written after disposal (law 7)")
  @MainActor
  func disposalInTheQueue() async {
    let source = Property("a")
    let label = Label()
    let binding = source.signal.bind(to: \.text, on: label)
    await turn()
    onThreads(1) { _ in source.value = "b" }
    binding.dispose()
    await turn()
    #expect(label.history == ["a"])
  }

  @Test("a failure is unhandled while the object lives")
  @MainActor
  func failure() async {
    let failures = Box(0)
    let source = Emitter<String>()
    let label = Label()
    UnhandledFailure.withHandler { _ in
      failures.withLock { $0 += 1 }
    } operation: {
      _ = source.signal.bind(to: \.text, on: label)
    }
    source.fail(Failure())
    await turn()
    #expect(failures.value == 1)
  }

  /// Lets the main queue do what waits in it.
  @MainActor
  private func turn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}
