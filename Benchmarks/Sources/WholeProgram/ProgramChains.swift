import Measuring
import Signals

/// Chains of ten operators, as programs have them: some without state, which are joined, and some with.
enum ProgramChains {
  /// How many nodes a subscription to one has: one for each operator, and the subscriber's.
  static let nodeCount = 11

  static func chain(_ source: Signal<Int>) -> Signal<Int> {
    source.map { $0 &+ 1 }.filter { $0 & 1_023 != 7 }.removeDuplicates().map { $0 &* 3 }.scan(0) { $0 &+ $1 }
      .compactMap { $0 == 7 ? nil : $0 }.dropFirst(1).map { $0 ^ 5 }.prefix(.max).map { $0 &- 1 }
  }

  /// Ten operators, the sixth of which has two inputs.
  static func chain(_ first: Signal<Int>, _ second: Signal<Int>) -> Signal<Int> {
    combineLatest(
      first.map { $0 &+ 1 }.filter { $0 & 1_023 != 7 }.removeDuplicates(), second.map { $0 &* 3 }.scan(0) { $0 &+ $1 }
    )
    .map { $0 &+ $1 }.removeDuplicates().map { $0 ^ 5 }.filter { $0 != 7 }
  }
}
