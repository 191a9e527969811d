import SignalFindings
import SignalGraph
import Signals
import Testing

@Suite("unhandled-failure") struct UnhandledFailureRuleTests {
  private struct Broken: Error {}
  private let bag = DisposeBag()
  private let scheduler = VirtualTimeScheduler()

  /// The finding about a subscription without a closure for failures, after a source has sent values.
  private func finding(
    values: [Int] = [1, 2, 3], failing: Bool = false, _ build: (Signal<Int>) -> Signal<Int>
  ) throws -> Finding {
    let recorder = GraphRecorder()
    let source = recorder.record { Emitter<Int>() }
    try UnhandledFailure.withHandler({ _ in }) {
      recorder.record { build(source.signal).subscribe { _ in }.store(in: bag) }
      for value in values { source.send(value) }
      if failing { source.fail(Broken()) }
      try scheduler.advance(by: .seconds(2))
    }
    let found = Rules.findings(in: Observation(recorder.snapshot())) { $0 == "unhandled-failure" }
    try #require(found.count == 1)
    return found[0]
  }

  private static let oneValue =
    "handle the failure of a single value: with `catch` in the inner signal of `flatMap`, or with `map` to a `Result`; "
    + "or subscribe again, with `retry`; a `subscribe` can have an `onFailure:` too"
  private static let plain =
    "recover above it with `catch` or `retry`; a `subscribe` can have an `onFailure:` too"

  @Test func remedyKeepsTheStreamOfAnEmitter() throws {
    let found = try finding { $0.map { if $0 == 3 { throw Broken() } else { $0 } }.removeDuplicates() }
    #expect(found.related.map(\.message) == ["`map` failed"])
    #expect(found.remedy == Self.oneValue)
    let inner = try finding { $0.flatMap { $0 == 3 ? Signal<Int>.fail(Broken()) : .just($0) } }
    #expect(inner.related.map(\.message) == ["`fail` failed"])
    #expect(inner.remedy == Self.oneValue)
  }

  @Test func remedyForAFailedSourceIsToRecover() throws {
    let found = try finding(failing: true) { $0.map { $0 } }
    #expect(found.related.map(\.message) == ["`emitter` failed"])
    #expect(found.remedy == Self.plain)
  }

  @Test func operatorsThatFailByThemselvesAreNamed() throws {
    let late = try finding { $0.timeout(after: .seconds(1), on: scheduler).receive(on: scheduler) }
    #expect(late.related.map(\.message) == ["`timeout` failed"])
    #expect(late.remedy == Self.plain)
    let full = try finding { $0.receive(on: scheduler, overflow: .fail(2)).last() }
    #expect(full.related.map(\.message) == ["`receive(on:)` failed"])
    let isHeld = Signal.timer(after: .seconds(1), on: scheduler).map { _ in false }.prepend(true)
    let held = try finding { $0.buffer(while: isHeld, overflow: .fail(2)).prefix(9) }
    #expect(held.related.map(\.message) == ["`buffer` failed"])
  }
}
