import Limits
import Measuring
import OpenCombine
import Results
import Signals

/// Signals of signals.
///
/// The library recognises a signal of one value, and so does the limit. The form of the limit that makes an object and a subscription for
/// each inner signal stands beside it.
enum FlatteningRows {
  static let all = [latestJust, mergedJust]

  static let latestJust = Row(
    "flatMapLatest over just", operations: 50_000, goals: goals(instructions: 1_500),
    [
      .signals { signal, sum in signal.flatMapLatest { .just($0) }.subscribe { sum.value &+= $0 } },
      .limit { emitter, sum in recognisingLimit(emitter, sum, isLatest: true) },
      objectLimit(isLatest: true),
      .openCombine { subject, sum in subject.map { Just($0) }.switchToLatest().sink { sum.value &+= $0 } },
    ])

  static let mergedJust = Row(
    "flatMap over just", operations: 50_000, goals: goals(),
    [
      .signals { signal, sum in signal.flatMap { .just($0) }.subscribe { sum.value &+= $0 } },
      .limit { emitter, sum in recognisingLimit(emitter, sum, isLatest: false) },
      objectLimit(isLatest: false),
      .openCombine { subject, sum in subject.flatMap { Just($0) }.sink { sum.value &+= $0 } },
    ])

  /// With the graph on, each inner signal is a node, which has to be allocated.
  private static func goals(instructions: Double? = nil) -> Goals {
    var goals = Goals.synchronous(timesLimit: 1.3, instructions: instructions)
    goals.graphBlocks = nil
    return goals
  }

  @Sendable
  private static func recognisingLimit(_ emitter: ClosureEmitter<Int>, _ sum: Sum, isLatest: Bool) {
    let flattening = ClosureFlattening(isLatest: isLatest, { .just($0) }, { sum.value &+= $0 })
    emitter.add { flattening.take($0) }
  }

  private static func objectLimit(isLatest: Bool) -> Row.Contender {
    .limit(as: "an object per inner signal") {
      let sum = Sum()
      let emitter = ClosureEmitter<Int>()
      let flattening = ClosureFlattening(isLatest: isLatest, { .object(JustObject($0)) }, { sum.value &+= $0 })
      emitter.add { flattening.take($0) }
      return Row.Run(perform: { for value in 0..<$0 { emitter.send(value) } }, result: { sum.value })
    }
  }
}
