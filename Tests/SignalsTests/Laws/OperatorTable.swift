import Signals
import Testing

/// What a row of the operator table may use besides its upstream.
struct OperatorContext: Sendable {
  let scheduler: VirtualTimeScheduler
  /// A further input. The checks send 100 to it first, and finish it before the upstream.
  let other: Signal<Int>
  /// Called in the operator's closure, where it has one; may throw.
  let visit: @Sendable (Int) throws -> Void
}

/// One operator, and what the checks have to know about it.
struct OperatorRow: Sendable, CustomTestStringConvertible {
  let name: String
  /// What becomes of values that come 100 ms apart, each long after the one before.
  let model: @Sendable ([Int]) -> [Int]
  /// Whether a failure of the upstream is replaced by the regular end after one more value, 99.
  var recovers = false
  /// Whether the operator calls a closure that may throw.
  var throwing = false
  /// Whether the operator cannot stop an endless source that delivers everything at once, because it needs time.
  var timed = false
  /// Whether it delivers nothing, or not everything, before the further input has delivered something.
  var needsOther = false
  /// Whether values that come faster than every 100 ms are lost.
  var lossy = false
  let apply: @Sendable (Signal<Int>, OperatorContext) -> Signal<Int>

  var testDescription: String { name }

  init(
    _ name: String, recovers: Bool = false, throwing: Bool = false, timed: Bool = false, lossy: Bool = false,
    needsOther: Bool = false, model: @escaping @Sendable ([Int]) -> [Int] = { $0 },
    _ apply: @escaping @Sendable (Signal<Int>, OperatorContext) -> Signal<Int>
  ) {
    self.name = name
    self.recovers = recovers
    self.throwing = throwing
    self.timed = timed
    self.lossy = lossy
    self.needsOther = needsOther
    self.model = model
    self.apply = apply
  }
}

private let short = Duration.milliseconds(5)
private let long = Duration.seconds(3600)

/// Every operator. A new one is one row.
let operatorTable: [OperatorRow] = [
  OperatorRow("map", throwing: true, model: { $0.map { $0 + 1 } }) { up, with in
    up.map {
      try with.visit($0)
      return $0 + 1
    }
  },
  OperatorRow("compactMap", throwing: true, model: { $0.filter { $0 != 2 } }) { up, with in
    up.compactMap {
      try with.visit($0)
      return $0 == 2 ? nil : $0
    }
  },
  OperatorRow("filter", throwing: true, model: { $0.filter { $0 != 2 } }) { up, with in
    up.filter {
      try with.visit($0)
      return $0 != 2
    }
  },
  OperatorRow("scan(initial)", throwing: true, model: { sums($0) }) { up, with in
    up.scan(0) {
      try with.visit($1)
      return $0 + $1
    }
  },
  OperatorRow("scan", model: { sums($0) }) { up, with in
    up.scan {
      try with.visit($1)
      return $0 + $1
    }
  },
  OperatorRow("removeDuplicates") { up, _ in up.removeDuplicates() },
  OperatorRow("removeDuplicates(by:)") { up, with in
    up.removeDuplicates {
      try with.visit($1)
      return $0 == $1
    }
  },
  OperatorRow("dropFirst", model: { Array($0.dropFirst()) }) { up, _ in up.dropFirst() },
  OperatorRow("prefix", model: { Array($0.prefix(3)) }) { up, _ in up.prefix(3) },
  OperatorRow("prefix(untilOutputFrom:)") { up, with in up.prefix(untilOutputFrom: with.other.filter { _ in false }) },
  OperatorRow("prepend", model: { [50] + $0 }) { up, _ in up.prepend(50) },
  OperatorRow("handle", throwing: true) { up, with in up.handle { try with.visit($0) } },
  OperatorRow("handle(all)", throwing: true) { up, with in
    up.handle(onSubscribe: {}, onValue: { try with.visit($0) }, onFailure: { _ in }, onFinish: {})
  },
  OperatorRow("named") { up, _ in up.named("a name") },
  OperatorRow("merge", model: { [100] + $0 }) { up, with in up.merge(with: with.other) },
  OperatorRow("concat", model: { $0 + [7] }) { up, _ in up.concat(.just(7)) },
  OperatorRow("concat(second)", model: { [7] + $0 }) { up, _ in .concat([.just(7), up]) },
  OperatorRow("combineLatest", needsOther: true, model: { $0.map { $0 + 100 } }) { up, with in
    up.combineLatest(with.other).map { $0 + $1 }
  },
  OperatorRow("zip", needsOther: true, model: { $0.prefix(1).map { $0 + 100 } }) { up, with in
    up.zip(with.other).map { $0 + $1 }
  },
  OperatorRow("withLatest", needsOther: true, model: { $0.map { $0 + 100 } }) { up, with in
    up.withLatest(from: with.other).map { $0 + $1 }
  },
  OperatorRow("flatMap", throwing: true, model: { $0.flatMap { [$0, $0] } }) { up, with in
    up.flatMap { value in
      try with.visit(value)
      return .sequence([value, value])
    }
  },
  OperatorRow("flatMap(maxConcurrent: 1)", throwing: true) { up, with in
    up.flatMap(maxConcurrent: 1) { value in
      try with.visit(value)
      return .just(value)
    }
  },
  OperatorRow("flatMap(later)", timed: true) { up, with in
    up.flatMap { value in Signal.just(value).delay(for: short, on: with.scheduler) }
  },
  OperatorRow("flatMapLatest", throwing: true, model: { $0.flatMap { [$0, $0] } }) { up, with in
    up.flatMapLatest { value in
      try with.visit(value)
      return .sequence([value, value])
    }
  },
  OperatorRow("flatMapLatest(later)", timed: true) { up, with in
    up.flatMapLatest { value in Signal.just(value).delay(for: short, on: with.scheduler) }
  },
  OperatorRow("debounce", timed: true) { up, with in up.debounce(for: short, on: with.scheduler) },
  OperatorRow("throttle(latest)", timed: true) { up, with in
    up.throttle(for: short, latest: true, on: with.scheduler)
  },
  OperatorRow("throttle(first)", timed: true, lossy: true) { up, with in
    up.throttle(for: short, latest: false, on: with.scheduler)
  },
  OperatorRow("delay", timed: true) { up, with in up.delay(for: short, on: with.scheduler) },
  OperatorRow("timeout") { up, with in up.timeout(after: long, on: with.scheduler) },
  OperatorRow("timeout(fallback)") { up, with in up.timeout(after: long, on: with.scheduler, fallback: .just(0)) },
  OperatorRow("catch", recovers: true) { up, _ in up.catch { _ in .just(99) } },
  OperatorRow("retry") { up, _ in up.retry(2) },
  OperatorRow("share") { up, _ in up.share() },
  OperatorRow("share(replay:)") { up, _ in up.share(replay: 2) },
  OperatorRow("receive(on:)", timed: true) { up, with in up.receive(on: with.scheduler) },
  OperatorRow("receive(on: immediate)") { up, _ in up.receive(on: .immediate) },
  OperatorRow("deferred") { up, _ in .deferred { up } },
  // Its subscription to the upstream is there only once everything that comes at once has come.
  OperatorRow("custom", timed: true) { up, _ in
    Signal { producer in
      producer.own(
        up.subscribe(
          onValue: { producer.send($0) }, onFailure: { producer.fail($0) }, onFinish: { producer.finish() }))
    }
  },
  OperatorRow("lift", throwing: true) { up, with in
    up.lift(Site("own", #fileID, #line, #function), state: 0) { count, value, downstream in
      count += 1
      try with.visit(value)
      try downstream.send(value)
    }
  },
  OperatorRow("lift(end)", throwing: true) { up, with in
    up.lift(Site("own", #fileID, #line, #function), state: 0) { count, value, downstream in
      count += 1
      try with.visit(value)
      try downstream.send(value)
    } end: { count, _, _ in
      count = 0
    }
  },
  OperatorRow("unsafeLift") { up, _ in
    up.unsafeLift(Site("own", #fileID, #line, #function)) { downstream in
      Observer(for: downstream) { try downstream.receive($0) }
    }
  },
]

private func sums(_ values: [Int]) -> [Int] {
  values.indices.map { values[...$0].reduce(0, +) }
}
