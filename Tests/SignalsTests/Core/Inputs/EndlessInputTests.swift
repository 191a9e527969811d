import Foundation
import Probes
import Signals
import Testing

/// Operators with several inputs, of which one delivers inside subscribe without an end. An operator that needs an input which it subscribes to later never
/// comes to it, which its page says under "Endless inputs".
@Suite("Endless inputs that deliver inside subscribe")
struct EndlessInputTests {
  /// Builds a chain of an endless signal and of one that ends.
  struct Form: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// In `Sources/Signals`.
    var file = ""
    let build: @Sendable (_ endless: Signal<Int>, _ other: Signal<Int>) -> Signal<Int>

    init(
      _ name: String, in file: String = "", _ build: @escaping @Sendable (Signal<Int>, Signal<Int>) -> Signal<Int>
    ) {
      testDescription = name
      self.file = file
      self.build = build
    }
  }

  /// What stands for "without an end".
  private static let count = 1_000

  /// - Returns: How many values of the endless signal are read for the first three of a chain.
  private func readCount(_ form: Form) -> Int {
    let read = Box(0)
    let endless = Signal.sequence(CountedSequence(read: read).prefix(Self.count))
    form.build(endless, .sequence(1...5)).prefix(3).subscribe { _ in }.dispose()
    return read.value
  }

  @Test(
    "what needs a later input does not come to it, and its page says so",
    arguments: [
      Form("combineLatest", in: "Combining/CombineLatest.swift") { $0.combineLatest($1).map { $0 + $1 } },
      Form("combineLatest of an array", in: "Combining/CombineLatestOfArray.swift") {
        combineLatest([$0, $1]).map(\.count)
      },
      Form("zip", in: "Combining/Zip.swift") { $0.zip($1).map { $0 + $1 } },
      Form("zip of an array", in: "Combining/ZipOfArray.swift") { zip([$0, $1]).map(\.count) },
      Form("forkJoin", in: "Combining/ForkJoin.swift") { $0.forkJoin($1).map { $0 + $1 } },
      Form("forkJoin of an array", in: "Combining/ForkJoinOfArray.swift") { forkJoin([$0, $1]).map(\.count) },
      Form("latestValues", in: "Combining/LatestValues.swift") { latestValues(of: ["a": $0, "b": $1]).map(\.count) },
      Form("sequenceEqual", in: "Combining/SequenceEqual.swift") { $0.sequenceEqual($1).map { $0 ? 1 : 0 } },
      Form("allSatisfy of an array", in: "Combining/AllSatisfyOfArray.swift") {
        allSatisfy([$0.map { _ in true }, $1.map { _ in true }]).map { $0 ? 1 : 0 }
      },
      Form("anySatisfy of an array", in: "Combining/AnySatisfyOfArray.swift") {
        anySatisfy([$0.map { _ in false }, $1.map { _ in true }]).map { $0 ? 1 : 0 }
      },
      Form("withLatest(from:)", in: "Combining/WithLatest.swift") { $1.withLatest(from: $0).map { $0 + $1 } },
      Form("sample(by:)", in: "Operators/Sample.swift") { $0.sample(by: $1) },
      Form("sample(every:on:)", in: "Operators/Sample.swift") { endless, _ in
        endless.sample(every: .seconds(1), on: VirtualTimeScheduler())
      },
      Form("buffer(while:)", in: "Operators/Buffer.swift") { $1.buffer(while: $0.map { _ in false }) },
      Form("window(by:)", in: "Operators/Window.swift") { $1.window(by: $0).flatMap { $0 } },
    ])
  func laterInputIsNotReached(form: Form) throws {
    #expect(readCount(form) == Self.count)
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../../../Sources/Signals")
    let page = try String(contentsOf: sources.appendingPathComponent(form.file), encoding: .utf8)
    let isDocumented = page.contains("- **Endless inputs:** ")
    #expect(isDocumented)
  }

  @Test(
    "what needs no later input leaves it",
    arguments: [
      Form("merge") { $0.merge(with: $1) },
      Form("concat") { $0.concat($1) },
      Form("race") { .race([$0, $1]) },
      Form("share") { endless, _ in endless.share() },
      Form("catch") { endless, other in endless.catch { _ in other } },
      Form("flatMap") { endless, other in endless.flatMap { _ in other } },
      Form("concatMap") { endless, other in endless.concatMap { _ in other } },
      Form("exhaustMap") { endless, other in endless.exhaustMap { _ in other } },
      Form("flatMapLatest") { endless, other in endless.flatMapLatest { _ in other } },
      Form("withLatest(from:), first") { $0.withLatest(from: $1).map { $0 + $1 } },
      Form("buffer(while:), first") { $0.buffer(while: $1.map { _ in false }) },
      Form("window(by:), first") { $0.window(by: $1).flatMap { $0 } },
      Form("collect(by:)") { $1.collect(by: $0).map(\.count) },
      Form("drop(untilOutputFrom:)") { $1.drop(untilOutputFrom: $0) },
      Form("prefix(untilOutputFrom:)") { $1.prefix(untilOutputFrom: $0) },
      Form("debounce(by:)") { endless, other in other.debounce { _ in endless } },
      Form("throttle(by:)") { endless, other in other.throttle { _ in endless } },
      Form("audit(by:)") { endless, other in other.audit { _ in endless } },
      Form("delay(by:)") { endless, other in other.delay { _ in endless } },
    ])
  func endlessInputIsLeft(form: Form) {
    #expect(readCount(form) <= 6)
  }
}
