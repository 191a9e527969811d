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
  static let all = [latestJust, mergedJust, latestEmitter, mergedEmitter]

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

  /// One operation is a value of the outer signal, for which an emitter is subscribed to, and one of that emitter.
  static let latestEmitter = Row(
    "flatMapLatest over an emitter", operations: 50_000, goals: Goals(timesLimit: 1.3, timesFaster: 5),
    [
      signals { outer, inner in outer.flatMapLatest { _ in inner } },
      .limit {
        let sum = Sum()
        let outer = ClosureEmitter<Int>()
        let inner = SlotEmitter()
        let flattening = EmitterSwitch({ _ in inner }, { sum.value &+= $0 })
        outer.add { flattening.take($0) }
        return alternating(outer.send, inner.send, sum)
      },
      openCombine { outer, inner in outer.map { _ in inner }.switchToLatest().eraseToAnyPublisher() },
    ])

  /// The same with inner signals that end with their first value, so that they do not become more and more.
  static let mergedEmitter = Row(
    "flatMap over prefix(1) of an emitter", operations: 50_000, goals: Goals(timesLimit: 1.3, timesFaster: 5),
    [
      signals { outer, inner in outer.flatMap { _ in inner.prefix(1) } },
      .limit {
        let sum = Sum()
        let outer = ClosureEmitter<Int>()
        let inner = OnceEmitter()
        let output = ClosureEmitter<Int>()
        output.add { sum.value &+= $0 }
        outer.add { _ in inner.addOnce { output.send($0) } }
        return alternating(outer.send, inner.send, sum)
      },
      openCombine { outer, inner in outer.flatMap { _ in inner.prefix(1) }.eraseToAnyPublisher() },
    ])

  private static func signals(
    _ flatten: @escaping @Sendable (Signal<Int>, Signal<Int>) -> Signal<Int>
  ) -> Row.Contender {
    .signals {
      let sum = Sum()
      let outer = Emitter<Int>()
      let inner = Emitter<Int>()
      let subscription = flatten(outer.signal, inner.signal).subscribe { sum.value &+= $0 }
      return alternating(outer.send, inner.send, sum, keeping: subscription)
    }
  }

  private static func openCombine(
    _ flatten:
      @escaping @Sendable (PassthroughSubject<Int, Never>, PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never>
  ) -> Row.Contender {
    .openCombine {
      let sum = Sum()
      let outer = PassthroughSubject<Int, Never>()
      let inner = PassthroughSubject<Int, Never>()
      let subscription = flatten(outer, inner).sink { sum.value &+= $0 }
      return alternating(outer.send, inner.send, sum, keeping: subscription)
    }
  }

  private static func alternating(
    _ sendOuter: @escaping (Int) -> Void, _ sendInner: @escaping (Int) -> Void, _ sum: Sum, keeping kept: Any? = nil
  ) -> Row.Run {
    Row.Run(
      perform: {
        for value in 0..<$0 {
          sendOuter(value)
          sendInner(value)
        }
      }, result: { withExtendedLifetime(kept) { sum.value } })
  }

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
