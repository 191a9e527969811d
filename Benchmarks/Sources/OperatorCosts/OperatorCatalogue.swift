import Signals

/// Every operator and source of the library.
package enum OperatorCatalogue {
  package static let bare = OperatorSample(
    name: "subscribe", file: nil, kind: .source,
    subscribe: { $0.first.signal.subscribe { _ in } }, send: { $0.first.send($1) })

  package static let all = core + sources + stateless + stateful + inner + combining + timed

  /// An operator whose input sends at once.
  private static func plain(
    _ name: String, _ file: String, _ subscribe: @escaping @Sendable (Rig) -> Subscription
  ) -> OperatorSample {
    OperatorSample(name: name, file: file, kind: .operator, subscribe: subscribe) { $0.first.send($1) }
  }

  /// An operator of two inputs: the second sends before each value of the first.
  private static func paired(
    _ name: String, _ file: String, _ subscribe: @escaping @Sendable (Rig) -> Subscription
  ) -> OperatorSample {
    OperatorSample(name: name, file: file, kind: .operator, subscribe: subscribe) { rig, value in
      rig.second.send(value)
      rig.first.send(value)
    }
  }

  /// An operator of time: after each value a millisecond passes.
  private static func timed(
    _ name: String, _ file: String, _ subscribe: @escaping @Sendable (Rig) -> Subscription
  ) -> OperatorSample {
    OperatorSample(name: name, file: file, kind: .operator, subscribe: subscribe) { rig, value in
      rig.first.send(value)
      try? rig.scheduler.advance(by: .milliseconds(1))
    }
  }

  private static func source(
    _ name: String, _ file: String?, _ subscribe: @escaping @Sendable (Rig) -> Subscription,
    send: (@Sendable (Rig, Int) -> Void)? = nil
  ) -> OperatorSample {
    OperatorSample(name: name, file: file, kind: .source, subscribe: subscribe, send: send)
  }

  private static let core = [
    source("Property.signal", nil, { _ in Property(1).signal.subscribe { _ in } }),
    source("Property.changes", nil, { _ in Property(1).changes.subscribe { _ in } }),
    source("Signal { producer in }", nil, { _ in Signal<Int> { $0.send(1) }.subscribe { _ in } }),
  ]

  private static let sources = [
    source("just", "Just", { _ in Signal.just(1).subscribe { _ in } }),
    source("empty", "Just", { _ in Signal<Int>.empty().subscribe { _ in } }),
    source("never", "Just", { _ in Signal<Int>.never().subscribe { _ in } }),
    source("fail", "Just", { _ in Signal<Int>.fail(Refusal()).subscribe { _ in } }),
    source("sequence", "Sequence", { _ in Signal.sequence(0..<10).subscribe { _ in } }),
    source("deferred", "Deferred", { rig in Signal.deferred { rig.first.signal }.subscribe { _ in } }) {
      $0.first.send($1)
    },
    source("timer", "Timer", { Signal.timer(after: .seconds(1), on: $0.scheduler).subscribe { _ in } }),
    source("interval", "Timer", { Signal.interval(every: .milliseconds(1), on: $0.scheduler).subscribe { _ in } }) {
      rig, _ in try? rig.scheduler.advance(by: .milliseconds(1))
    },
  ]

  private static let stateless = [
    plain("map", "Map") { $0.first.signal.map { $0 &+ 1 }.subscribe { _ in } },
    plain("filter", "Filter") { $0.first.signal.filter { $0 >= 0 }.subscribe { _ in } },
    plain("compactMap", "CompactMap") { $0.first.signal.compactMap { $0 }.subscribe { _ in } },
    plain("handle", "Handle") { $0.first.signal.handle { _ in }.subscribe { _ in } },
    plain("named", "Named") { $0.first.signal.named("numbers").subscribe { _ in } },
    plain("prepend", "Prepend") { $0.first.signal.prepend(1).subscribe { _ in } },
  ]

  private static let stateful = [
    plain("scan", "Scan") { $0.first.signal.scan(0) { $0 &+ $1 }.subscribe { _ in } },
    plain("removeDuplicates", "RemoveDuplicates") { $0.first.signal.removeDuplicates().subscribe { _ in } },
    plain("dropFirst", "DropFirst") { $0.first.signal.dropFirst().subscribe { _ in } },
    plain("prefix", "Prefix") { $0.first.signal.prefix(.max).subscribe { _ in } },
    plain("prefix(untilOutputFrom:)", "PrefixUntilOutput") {
      $0.first.signal.prefix(untilOutputFrom: $0.second.signal).subscribe { _ in }
    },
    plain("share", "Share") { $0.first.signal.share().subscribe { _ in } },
  ]

  private static let inner = [
    plain("flatMap", "FlatMap") { rig in rig.first.signal.flatMap { .just($0) }.subscribe { _ in } },
    plain("flatMap, inner emitter", "FlatMap") { rig in
      // The inner signal ends with the next value, or flatMap would keep more and more of them.
      rig.first.signal.flatMap { _ in rig.second.signal.prefix(untilOutputFrom: rig.first.signal) }.subscribe { _ in }
    },
    plain("flatMapLatest", "FlatMapLatest") { $0.first.signal.flatMapLatest { .just($0) }.subscribe { _ in } },
    plain("flatMapLatest, inner emitter", "FlatMapLatest") { rig in
      rig.first.signal.flatMapLatest { _ in rig.second.signal }.subscribe { _ in }
    },
    plain("catch", "Catch") { $0.first.signal.catch { _ in .empty() }.subscribe { _ in } },
    plain("retry", "Retry") { $0.first.signal.retry(3).subscribe { _ in } },
  ]

  private static let combining = [
    paired("combineLatest", "CombineLatest") { $0.first.signal.combineLatest($0.second.signal).subscribe { _ in } },
    paired("combineLatest, array", "CombineLatestOfArray") {
      combineLatest([$0.first.signal, $0.second.signal]).subscribe { _ in }
    },
    paired("zip", "Zip") { $0.first.signal.zip($0.second.signal).subscribe { _ in } },
    paired("withLatest(from:)", "WithLatest") {
      $0.first.signal.withLatest(from: $0.second.signal).subscribe { _ in }
    },
    paired("merge", "Merge") { $0.first.signal.merge(with: $0.second.signal).subscribe { _ in } },
    plain("concat", "Concat") { $0.first.signal.concat($0.second.signal).subscribe { _ in } },
  ]

  private static let timed = [
    timed("receive(on:)", "ReceiveOn") { $0.first.signal.receive(on: $0.scheduler).subscribe { _ in } },
    timed("delay", "Delay") { $0.first.signal.delay(for: .milliseconds(1), on: $0.scheduler).subscribe { _ in } },
    timed("debounce", "Debounce") {
      $0.first.signal.debounce(for: .milliseconds(1), on: $0.scheduler).subscribe { _ in }
    },
    timed("throttle", "Throttle") {
      $0.first.signal.throttle(for: .milliseconds(1), on: $0.scheduler, latest: true).subscribe { _ in }
    },
    timed("timeout", "Timeout") { $0.first.signal.timeout(after: .seconds(1), on: $0.scheduler).subscribe { _ in } },
  ]
}

private struct Refusal: Error {}
