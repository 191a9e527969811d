import Signals
import Synchronization

/// What every subscriber may rely on: one call at a time (law 3), one end and nothing after it (law 1), and nothing after its own disposal
/// (law 7).
final class CallCheck: Sendable {
  private let judge: Judge
  private let name: String
  private let disposal: String
  private let isInside = Atomic<Bool>(false)
  private let isOver = Atomic<Bool>(false)
  /// How many calls may still begin; counted down once the disposal has returned.
  private let callsLeft = Atomic<Int>(.max)

  /// - Parameter disposal: What finds that something comes after the disposal.
  init(_ judge: Judge, _ name: String, disposal: String = "disposal (law 7)") {
    self.judge = judge
    self.disposal = disposal
    self.name = name
  }

  /// Whether an end came.
  var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  /// Notes that a `dispose()` has returned on this thread.
  ///
  /// - Parameter isInsideHandler: Whether that was in the subscriber's own handler. Elsewhere the call that is running may still complete:
  ///   it may not have reached the handler yet.
  func disposed(isInsideHandler: Bool) {
    let limit = isInsideHandler ? 0 : 1
    var current = callsLeft.load(ordering: .acquiring)
    while current > limit {
      let result = callsLeft.compareExchange(expected: current, desired: limit, ordering: .acquiringAndReleasing)
      if result.exchanged { return }
      current = result.original
    }
  }

  @inline(__always)
  func call(isEnd: Bool, _ body: () -> Void) {
    if isInside.exchange(true, ordering: .acquiringAndReleasing) {
      judge.fail("serial (law 3)", expected: "\(name) is called by one thread at a time", seen: "two at once")
    }
    if callsLeft.load(ordering: .acquiring) != .max { lateCall() }
    if isOver.load(ordering: .relaxed) {
      judge.fail(
        "grammar (law 1)", expected: "nothing after the end at \(name)", seen: isEnd ? "another end" : "a value")
    }
    if isEnd { isOver.store(true, ordering: .releasing) }
    body()
    isInside.store(false, ordering: .releasing)
  }

  private func lateCall() {
    if callsLeft.subtract(1, ordering: .acquiringAndReleasing).oldValue <= 0 {
      judge.fail(
        disposal, expected: "no call of \(name) begins after dispose() returned, but for the one under way",
        seen: "a further call")
    }
  }
}
