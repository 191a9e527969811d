import Foundation
import Signals

/// Laws 7 and 9: events and retained objects after a disposal.
extension ContractChecks {
  func checkDisposalInHandler() throws {
    try checkDisposalOneByOne()
    try checkDisposalOnTheWay()
  }

  /// Values are sent one by one; the handler of one of them disposes.
  private func checkDisposalOneByOne() throws {
    let whole = try reference([1, 2, 3, 4, 5])
    // Events inside subscribe come before there is a subscription to dispose.
    for position in whole.indices where !whole[position].isInsideSubscribe && !whole[position].event.isEnd {
      let run = Run(contract)
      let own = Guarded<Probe?>(nil)
      let probe = run.observe(run.signal()) { number, _ in if number == position + 1 { own.value?.dispose() } }
      own.value = probe
      defer { own.value = nil }
      try run.play([1, 2, 3, 4, 5], nil)
      // Events that come only after the source has finished are not there yet.
      let isDisposed = probe.log.events.count > position
      if isDisposed { try expectNothingLeft(run, probe.log) }
      try run.end(!isDisposed || position.isMultiple(of: 2) ? .finished : .failed(ContractFailure.ofSource))
      try expect(
        probe.log.events, Timeline(Array(whole.prefix(position + 1)), isTimed: true), .disposal,
        facts: ["The subscription was disposed inside the handler, at value \(position + 1)."])
      try expectNothingLeft(run, probe.log)
    }
  }

  /// More values are pending when the handler of the first one disposes.
  private func checkDisposalOnTheWay() throws {
    let run = Run(contract)
    let own = Guarded<Probe?>(nil)
    let isArmed = Guarded(false)
    let probe = run.observe(run.signal()) { _, _ in if isArmed.value { own.value?.dispose() } }
    own.value = probe
    defer { own.value = nil }
    try run.prime()
    let before = probe.log.events.count
    isArmed.value = true
    for value in [1, 2, 3] { run.send(value) }
    try run.advance(frames: Run.aftermath)
    try expect(
      probe.log.events, Timeline(Array(probe.log.events.prefix(before + 1)), isTimed: true), .disposal,
      facts: ["The subscription was disposed inside the handler, while more values were still to be delivered."])
  }

  func checkDisposalOfLater() throws {
    let run = Run(contract)
    let bag = DisposeBag()
    let isArmed = Guarded(false)
    let signal = Guarded<Signal<Output>?>(run.signal())
    let logs = [Log(run.clock), Log(run.clock)]
    for (index, log) in logs.enumerated() {
      let token = run.lives.token()
      signal.value?.subscribeToEvents { event in
        token.touch()
        log.take(event) { _ in if index == 0, isArmed.value { bag.disposeAll() } }
      }.store(in: bag)
    }
    signal.value = nil
    let before = logs[1].events
    isArmed.value = true
    try run.play([1, 2, 3])
    guard logs[0].events.count > 0 else { return }
    try expect(
      logs[1].events, Timeline(before, isTimed: true), .disposal,
      facts: [
        "The diagrams show a later subscriber, whose subscription was disposed in an earlier subscriber's handler."
      ]
    )
    try expectNothingLeft(run, logs[1])
  }

  func checkEarlyEnd() throws {
    let endless = try reference([1, 2, 3, 4, 5], nil)
    for count in [1, 2] where endless.values().count >= count {
      let run = Run(contract)
      let probe = run.observe(run.signal().prefix(count))
      try run.play([1, 2, 3, 4, 5], nil)
      let expected = Timeline(Array(endless.prefix(count)), isTimed: true).adding([.finished])
      try expect(probe.log.events, expected, .upstreamRelease)
      try expect(
        probe.isDisposed, .upstreamRelease, probe.log, "The subscriber stopped, but its subscription is not disposed.")
      try expectNothingLeft(run, probe.log)
    }
  }

  func checkSynchronousSource() throws {
    let run = Run(contract)
    let probe = run.observe(
      run.signal(on: .sequence([1, 2, 3]), other: .just(OperatorInputs.firstOfOther)))
    try run.advance(frames: Run.aftermath)
    try expectSound(probe.log)
    try expect(!probe.log.ends.isEmpty, .ends, probe.log, "The source has finished, but the signal has not ended.")
    if contract.delivery == .synchronous, try !usesOther() {
      // Time is the only difference from values that are sent one after the other.
      let entries = try reference([1, 2, 3]).map {
        Timeline.Entry(event: ExpectedEvent($0.event), nanoseconds: 0, isInsideSubscribe: true)
      }
      try expect(probe.log.events, Timeline(entries), .ends)
    }
    try expectNothingLeft(run, probe.log)
    try checkFailureInsideSubscribe()
  }

  private func checkFailureInsideSubscribe() throws {
    guard contract.delivery == .synchronous, contract.exemptions[.failure] == nil, try !usesOther() else { return }
    let count = Guarded(0)
    func counted(_ source: Signal<Int>) -> Signal<Int> {
      .deferred {
        count.withLock { $0 += 1 }
        return source
      }
    }
    let apart = Run(contract)
    let reference = apart.observe(apart.signal(on: counted(apart.upstream.signal)))
    try apart.play([1, 2, 3], .failed(ContractFailure.ofSource))
    // Each subscription gets all values of a source that delivers inside subscribe, one subscription after the other.
    guard count.value == 1 else { return }
    let run = Run(contract)
    let failing = Signal.sequence([1, 2, 3]).concat(.fail(ContractFailure.ofSource))
    let probe = run.observe(run.signal(on: failing))
    try run.advance(frames: Run.aftermath)
    try expectSound(probe.log)
    let entries = reference.log.events.map {
      Timeline.Entry(event: ExpectedEvent($0.event), nanoseconds: 0, isInsideSubscribe: true)
    }
    try expect(
      probe.log.events, Timeline(entries), .ends,
      facts: ["The source fails inside subscribe, after three values."])
  }

  func checkEndlessAtOnce() throws {
    guard contract.delivery == .synchronous else { return }
    // Endless for a subscriber that takes three; finite, so that an operator that does not stop it still ends.
    let many = 300
    let enough = 3
    // No neighbours are equal, and none is out of the range of all checks.
    let values = (0..<many).map { $0 % 24 + 1 }
    for isCustom in [false, true] {
      let run = Run(contract)
      let produced = Guarded(0)
      let isOpen = Guarded(false)
      let source =
        isCustom
        ? Signal<Int> { producer in
          isOpen.value = true
          producer.onDisposal { isOpen.value = false }
          for value in values where !producer.send(value) { return }
          producer.finish()
        } : .sequence(values)
      let counted = source.handle { _ in produced.withLock { $0 += 1 } }
      let producedAtEnd = Guarded(0)
      let probe = run.observe(
        run.signal(on: counted, other: .just(OperatorInputs.firstOfOther)).prefix(enough)
      ) { _, event in
        if case .value = event { return }
        producedAtEnd.value = produced.value
      }
      try run.advance(frames: Run.aftermath)
      try expectSound(probe.log)
      let isStoppedInTime = produced.value < many || (1..<many - 1).contains(producedAtEnd.value)
      // An operator that delivers few of many values has to receive all of them.
      try expect(
        try isStoppedInTime || valuesBeforeEnd(of: many) < enough, .upstreamRelease, probe.log,
        "Expected: the subscriber gets its \(enough) values while the source delivers, and stops it. But the source delivered "
          + "all of its \(many) values first; an endless source would never stop.",
        advice:
          "pass values on while the source delivers. An operator that needs something else first, such as a value of an "
          + "input that is connected later, cannot do that: exempt it.")
      let advice =
        "build the operator with lift(_:state:_:), which stops its upstream at once. A producer's own(_:) cannot stop a source "
        + "that delivers inside subscribe: it is called only after the source has delivered everything."
      try expect(
        produced.value <= producedAtEnd.value + 1, .upstreamRelease, probe.log,
        "Expected: the source stops after the subscriber's \(enough) values. But it delivered \(produced.value).",
        advice: advice)
      try expect(
        probe.log.ends.count == 1, .upstreamRelease, probe.log,
        "The subscriber accepts at most \(enough) values and then the end.", advice: advice)
      try expect(
        probe.isDisposed && !isOpen.value, .upstreamRelease, probe.log,
        "The subscriber stopped, but the source was not stopped.", advice: advice)
    }
  }

  /// The number of values delivered for a number of sent ones, one after the other, before the source ends.
  private func valuesBeforeEnd(of count: Int) throws -> Int {
    let run = Run(contract)
    let probe = run.observe(run.signal())
    try run.prime()
    for value in 0..<count { run.send(value % 24 + 1) }
    return probe.log.values.count
  }

  /// How a subscription ends.
  private enum End: CaseIterable {
    case finished, failed, disposed, released, hadEnough
    /// The source ends, and the further input does not.
    case finishedAlone, failedAlone

    var fact: String {
      switch self {
      case .finished: "The source finished."
      case .failed: "The source failed."
      case .disposed: "The subscription was disposed."
      case .released: "The subscription was released."
      case .hadEnough: "The subscriber stopped after one value."
      case .finishedAlone: "The source finished, and with it the operator, but not the further input."
      case .failedAlone: "The source failed, and with it the operator, but not the further input."
      }
    }
  }

  /// Ends a subscription in one of these ways, right after values, and stops as soon as it has ended: values and timers
  /// may be pending.
  ///
  /// - Parameter values: Values after the further input's first; if empty, that sends nothing, and no time passes.
  private func end(_ end: End, _ run: Run, _ probe: Probe, after values: [Int] = [1]) throws {
    if !values.isEmpty { try run.prime() }
    for value in values { run.send(value) }
    switch end {
    case .finished: run.complete(.finished)
    case .failed: run.complete(.failed(ContractFailure.ofSource))
    case .finishedAlone: run.clock.perform(.sending) { run.upstream.finish() }
    case .failedAlone: run.clock.perform(.sending) { run.upstream.fail(ContractFailure.ofSource) }
    case .disposed: return run.clock.perform(.sending) { probe.dispose() }
    case .released: return run.clock.perform(.sending) { probe.drop() }
    case .hadEnough:
      try advance(run, frames: Run.spacing, untilEndOf: probe)
      run.send(2)
    }
    try advance(run, frames: Run.aftermath, untilEndOf: probe)
  }

  /// Advances until the subscription of a probe has ended, and not beyond that instant.
  private func advance(_ run: Run, frames: Int, untilEndOf probe: Probe) throws {
    for _ in 0..<frames {
      run.settle()
      guard probe.log.ends.isEmpty else { return }
      try run.advance(frames: 1)
    }
  }

  /// How a subscription can end after these values.
  private func ways(after values: [Int]) throws -> [End] {
    let usesOther = try usesOther()
    return End.allCases.filter {
      switch $0 {
      case .hadEnough: !values.isEmpty
      case .finishedAlone, .failedAlone: usesOther
      default: true
      }
    }
  }

  /// Whether the operator may last: it delivered too little, or its further input goes on.
  private func mayLast(_ way: End) -> Bool { way == .hadEnough || way == .finishedAlone || way == .failedAlone }

  private func facts(_ way: End, after values: [Int]) -> [String] {
    switch values.count {
    case 0: [way.fact, "No input had sent a value, and no time had passed since the subscription."]
    case 1: [way.fact]
    default: [way.fact, "The source had sent \(values.count) values at one instant."]
    }
  }

  func checkRelease() throws {
    for values in [[1], [1, 2, 3], []] {
      for way in try ways(after: values) { try checkRelease(way, after: values) }
    }
    guard TaskHooks.areThere else { return }
    for values in [[1], []] { for way in try ways(after: values) { try checkTasks(way, after: values) } }
  }

  private func checkRelease(_ way: End, after values: [Int]) throws {
    let run = Run(contract)
    let probe = run.observe(way == .hadEnough ? run.signal().prefix(1) : run.signal())
    try end(way, run, probe, after: values)
    if mayLast(way), probe.log.ends.isEmpty { return }
    let remains = run.remains
    let before = probe.log.events
    try run.advance(frames: Run.aftermath)
    let facts = facts(way, after: values)
    try expect(probe.log.events, Timeline(before, isTimed: true), .disposal, facts: facts)
    if let first = remains.first { throw broken(first.law, probe.log, facts + remains.map(\.fact)) }
  }

  /// Fails if a task that the operator has started is still running some time after the end of the subscription.
  private func checkTasks(_ way: End, after values: [Int]) throws {
    let clock = ContractClock(watchesTasks: true)
    defer { clock.close() }
    let run = Run(contract, clock: clock)
    let probe = run.observe(way == .hadEnough ? run.signal().prefix(1) : run.signal())
    try end(way, run, probe, after: values)
    if mayLast(way), probe.log.ends.isEmpty { return }
    try run.advance(frames: Run.aftermath)
    for pause in [0, 0.01, 0.1, patience / .seconds(1)] where clock.runningTaskCount > 0 {
      // Safe: a task may wait for another thread, and there is no notification of its end. Only a failing check waits long.
      Thread.sleep(forTimeInterval: pause)
      run.settle()
    }
    let count = clock.runningTaskCount
    try expect(
      count == 0, .disposal, probe.log,
      "\(facts(way, after: values).joined(separator: " ")) \(Run.count(count, "task")) of the operator \(count == 1 ? "is" : "are") still running after that.",
      advice: "cancel the task when its subscription ends, with the producer's onDisposal(_:), and let it respond to "
        + "cancellation.")
  }

  func checkLeaks() throws {
    let alone = try reference([1, 2, 3])
    let check = LeakCheck()
    defer { check.recorder.close() }
    var kept: [(Run, Probe)] = []
    let ways = try ways(after: [1])
    try check.recorder.record {
      let run = Run(contract)
      let probe = run.observe(run.bare())
      try run.play([1, 2, 3])
      try expect(
        probe.log.events, Timeline(alone, isTimed: true), nil,
        facts: ["The result differs while the graph is recorded."])
      for way in ways {
        let run = Run(contract)
        let probe = run.observe(way == .hadEnough ? run.bare().prefix(1) : run.bare())
        kept.append((run, probe))
        try end(way, run, probe)
        if probe.log.ends.isEmpty { probe.dispose() }
      }
    }
    let leaks = check.leaks()
    // Code that retains a source and a disposed subscription retains nothing of the chain.
    withExtendedLifetime(kept) {}
    guard let first = leaks.first, let log = kept.first?.1.log else { return }
    let law: OperatorLaw =
      switch first.kind {
      case .neverDisposed, .upstreamStillSubscribed: .upstreamRelease
      case .stillRetained, .taskStillRunning, .stillReported, .objectStillAlive: .disposal
      case .workStillPending: .virtualTime
      }
    throw broken(law, log, leaks.map(\.message))
  }
}
