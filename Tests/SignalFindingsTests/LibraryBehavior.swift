import SignalGraph
import Signals

/// What the library's operators declare, by their kind, for graphs that are written by hand: read from a program that uses them.
enum LibraryBehavior {
  static subscript(kind: String) -> OperatorBehavior { byKind[kind] ?? [] }

  private static let byKind: [String: OperatorBehavior] = {
    let program = WatchedProgram()
    let (bag, scheduler) = (DisposeBag(), VirtualTimeScheduler())
    let (source, property) = (Emitter<Int>(), Property(0))
    program.make {
      let (numbers, other) = (source.signal, property.signal)
      let shared = numbers.multicast()
      let chains: [Signal<Int>] = [
        numbers.map { $0 }, numbers.filter { $0 > 0 }, numbers.scan(0, +), numbers.receive(on: scheduler),
        numbers.debounce(for: .seconds(1), on: scheduler), numbers.delay(for: .seconds(1), on: scheduler),
        numbers.timeout(after: .seconds(1), on: scheduler), .interval(every: .seconds(1), on: scheduler),
        numbers.combineLatest(other).map { $0 + $1 }, numbers.zip(other).map { $0 + $1 },
        numbers.withLatest(from: other).map { $0 + $1 },
        latestValues(of: ["first": numbers, "second": other]).map { $0.count }, shared.signal,
      ]
      for chain in chains { chain.subscribe { _ in }.store(in: bag) }
      merge(numbers, other).subscribe { _ in }.store(in: bag)
    }
    let definitions = program.recorder.snapshot().definitions
    return Dictionary(definitions.map { ($0.kind, $0.behavior ?? []) }) { first, _ in first }
  }()
}
