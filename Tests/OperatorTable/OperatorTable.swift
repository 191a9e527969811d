import Signals

private let long = Duration.seconds(3600)

/// Every operator. A new one is one row.
package let operatorTable: [OperatorRow] = [
  OperatorRow("map", throwing: true, keepsPlace: true, model: { $0.map { $0 + 1 } }) { up, with in
    up.map {
      try with.visit($0)
      return $0 + 1
    }
  },
  OperatorRow("compactMap", throwing: true, keepsPlace: true, model: { $0.filter { $0 != 2 } }) { up, with in
    up.compactMap {
      try with.visit($0)
      return $0 == 2 ? nil : $0
    }
  },
  OperatorRow("filter", throwing: true, keepsPlace: true, model: { $0.filter { $0 != 2 } }) { up, with in
    up.filter {
      try with.visit($0)
      return $0 != 2
    }
  },
  OperatorRow("scan(initial)", passage: .summed, throwing: true, keepsPlace: true, model: { sums($0) }) { up, with in
    up.scan(0) {
      try with.visit($1)
      return $0 + $1
    }
  },
  OperatorRow("scan", passage: .summed, keepsPlace: true, model: { sums($0) }) { up, with in
    up.scan {
      try with.visit($1)
      return $0 + $1
    }
  },
  OperatorRow("removeDuplicates", keepsPlace: true) { up, _ in up.removeDuplicates() },
  OperatorRow("removeDuplicates(by:)", keepsPlace: true) { up, with in
    up.removeDuplicates {
      try with.visit($1)
      return $0 == $1
    }
  },
  OperatorRow("dropFirst", passage: .some, keepsPlace: true, model: { Array($0.dropFirst()) }) { up, _ in up.dropFirst()
  },
  OperatorRow("prefix", passage: .some, keepsPlace: true, model: { Array($0.prefix(3)) }) { up, _ in up.prefix(3) },
  OperatorRow("prefix(untilOutputFrom:)") { up, with in up.prefix(untilOutputFrom: with.other.filter { _ in false }) },
  OperatorRow("prepend", model: { [50] + $0 }) { up, _ in up.prepend(50) },
  OperatorRow("handle", throwing: true, keepsPlace: true) { up, with in up.handle { try with.visit($0) } },
  OperatorRow("handle(all)", throwing: true, keepsPlace: true) { up, with in
    up.handle(onSubscribe: {}, onValue: { try with.visit($0) }, onFailure: { _ in }, onFinish: {})
  },
  OperatorRow("named", keepsPlace: true) { up, _ in up.named("a name") },
  OperatorRow("merge", model: { [100] + $0 }) { up, with in up.merge(with: with.other) },
  OperatorRow("concat", model: { $0 + [7] }) { up, _ in up.concat(.just(7)) },
  OperatorRow("concat(second)", model: { [7] + $0 }) { up, _ in .concat([.just(7), up]) },
  OperatorRow("combineLatest", passage: .repeated, needsOther: true, model: { $0.map { $0 + 100 } }) { up, with in
    up.combineLatest(with.other).map { $0 + $1 }
  },
  OperatorRow("zip", passage: .some, needsOther: true, model: { $0.prefix(1).map { $0 + 100 } }) { up, with in
    up.zip(with.other).map { $0 + $1 }
  },
  OperatorRow("withLatest", passage: .some, needsOther: true, model: { $0.map { $0 + 100 } }) { up, with in
    up.withLatest(from: with.other).map { $0 + $1 }
  },
  OperatorRow("flatMap", passage: .copied, throwing: true, model: { $0.flatMap { [$0, $0] } }) { up, with in
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
  OperatorRow("flatMap(later)", passage: .shuffled, timed: true) { up, with in
    up.flatMap { value in Signal.just(value).delay(for: with.rest, on: with.scheduler) }
  },
  OperatorRow("flatMapLatest", passage: .copied, throwing: true, model: { $0.flatMap { [$0, $0] } }) { up, with in
    up.flatMapLatest { value in
      try with.visit(value)
      return .sequence([value, value])
    }
  },
  OperatorRow("flatMapLatest(later)", passage: .some, timed: true) { up, with in
    up.flatMapLatest { value in Signal.just(value).delay(for: with.rest, on: with.scheduler) }
  },
  OperatorRow("debounce", passage: .some, timed: true, hops: true) { up, with in
    up.debounce(for: with.rest, on: with.scheduler)
  },
  OperatorRow("throttle(latest)", passage: .some, timed: true, hops: true) { up, with in
    up.throttle(for: with.rest, latest: true, on: with.scheduler)
  },
  OperatorRow("throttle(first)", passage: .some, timed: true, lossy: true, hops: true) { up, with in
    up.throttle(for: with.rest, latest: false, on: with.scheduler)
  },
  OperatorRow("delay", timed: true, hops: true) { up, with in up.delay(for: with.rest, on: with.scheduler) },
  OperatorRow("timeout") { up, with in up.timeout(after: long, on: with.scheduler) },
  OperatorRow("timeout(fallback)") { up, with in up.timeout(after: long, on: with.scheduler, fallback: .just(0)) },
  OperatorRow("catch", recovers: true) { up, _ in up.catch { _ in .just(99) } },
  OperatorRow("retry") { up, _ in up.retry(2) },
  OperatorRow("share") { up, _ in up.share() },
  OperatorRow("share(replay:)") { up, _ in up.share(replay: 2) },
  OperatorRow("receive(on:)", timed: true, hops: true) { up, with in up.receive(on: with.scheduler) },
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
  OperatorRow("lift", throwing: true, keepsPlace: true) { up, with in
    up.lift(Site("own", fileID: #fileID, line: #line, function: #function), state: 0) { count, value, downstream in
      count += 1
      try with.visit(value)
      try downstream.send(value)
    }
  },
  OperatorRow("lift(end)", throwing: true, keepsPlace: true) { up, with in
    up.lift(Site("own", fileID: #fileID, line: #line, function: #function), state: 0) { count, value, downstream in
      count += 1
      try with.visit(value)
      try downstream.send(value)
    } end: { count, _, _ in
      count = 0
    }
  },
  OperatorRow("unsafeLift", keepsPlace: true) { up, _ in
    up.unsafeLift(Site("own", fileID: #fileID, line: #line, function: #function)) { downstream in
      Observer(for: downstream) { try downstream.receive($0) }
    }
  },
]

private func sums(_ values: [Int]) -> [Int] {
  values.indices.map { values[...$0].reduce(0, +) }
}
