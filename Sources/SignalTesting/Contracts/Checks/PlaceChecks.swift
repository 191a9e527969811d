import Signals

/// Laws 5, 13 and 14: the threads and times of events.
extension ContractChecks {
  func checkSynchronous() throws {
    guard contract.delivery == .synchronous else { return }
    for values in [[1, 2, 3], []] {
      try checkSynchronous(values, .finished)
      if contract.exemptions[.failure] == nil { try checkSynchronous(values, .failed(ContractFailure.ofSource)) }
    }
  }

  private func checkSynchronous(_ values: [Int], _ completion: Completion) throws {
    let run = Run(contract)
    let probe = run.observe(run.signal())
    try run.play(values, completion)
    waitForLateEnd(probe)
    let (events, acts) = (probe.log.events, probe.log.acts)
    let late = acts.indices.filter { acts[$0] != .sending && acts[$0] != .subscribing }
    if late.isEmpty { return }
    // A late event should have come with its cause: the latest instant at which the source acted.
    // A frame may be zero: then all events are at one instant.
    let spacing = max(1, frame * Int64(Run.spacing))
    let expected = Timeline(
      events.indices.map { index in
        let time = late.contains(index) ? events[index].nanoseconds / spacing * spacing : events[index].nanoseconds
        return Timeline.Entry(
          event: ExpectedEvent(events[index].event), nanoseconds: time,
          isInsideSubscribe: events[index].isInsideSubscribe)
      })
    let inTime = events.indices.filter { !late.contains($0) }.map { events[$0] }
    throw BrokenLaw(
      law: .synchronous, marble: expected.difference(from: inTime, frame: frame) ?? "",
      facts: ["\(late.count) of \(events.count) events arrived after send had returned, or on another thread."])
  }

  func checkVirtualTime() throws {
    let run = Run(contract)
    let probe = run.observe(run.signal())
    try run.play([1, 2, 3])
    if contract.delivery != .synchronous {
      waitForLateEnd(probe)
      let (events, acts) = (probe.log.events, probe.log.acts)
      let inTime = acts.indices.filter { acts[$0] != nil }.map { events[$0] }
      try expect(
        inTime, Timeline(events, isTimed: false), .virtualTime,
        facts: [
          "\(events.count - inTime.count) of \(events.count) events arrived while virtual time was not being advanced."
        ])
    }
    try checkRealTime()
    let pending = run.clock.scheduler.pendingCount
    try expect(
      probe.log.ends.isEmpty || pending == 0, .virtualTime, probe.log,
      "The signal has ended, but the scheduler still holds work items of it (\(pending)).")
  }

  /// Fails if the operator submits work to a queue of the system, where virtual time does not know it.
  private func checkRealTime() throws {
    let clock = ContractClock(watchesTasks: true)
    let run = Run(contract, clock: clock)
    let probe = run.observe(run.signal())
    try run.play([1, 2, 3])
    probe.dispose()
    let causes = clock.close().map(\.cause)
    guard causes.contains(where: { [.realScheduler, .realTimer, .dispatched].contains($0) }) else { return }
    throw broken(
      .virtualTime, probe.log, ["The operator schedules work in real time, on a queue of the system."],
      advice: "schedule it on the scheduler that the operator gets.")
  }

  /// Fails if events change their order on a scheduler that runs work of the same instant in another order.
  private func checkOrderOfHops() throws {
    func burst(_ chooser: VirtualTimeScheduler.Chooser?) throws -> Probe {
      let run = Run(contract, clock: ContractClock(chooser: chooser))
      let probe = run.observe(run.signal())
      try run.prime()
      for value in [1, 2, 3] { run.send(value) }
      try run.end()
      return probe
    }
    let expected = try burst(nil).log.events
    try expect(
      burst { $0 - 1 }.log.events, Timeline(expected, isTimed: false), .hops,
      facts: [
        "The scheduler ran work of the same instant in another order than it was scheduled, as several threads do."
      ],
      advice: "keep the events in a queue, and let each work item deliver all that wait there, as `receive(on:)` does.")
  }

  func checkHops() throws {
    guard contract.delivery == .scheduled else { return }
    try expectOnScheduler("") { run in
      let probe = run.observe(run.signal())
      try run.play([1, 2, 3])
      return probe
    }
    try expectOnScheduler(", with a source without values") { run in
      let probe = run.observe(run.signal())
      try run.play([])
      return probe
    }
    if contract.exemptions[.failureOfOther] == nil {
      try expectOnScheduler(", with a further input that fails") { run in
        let probe = run.observe(run.signal())
        try run.play([1], nil)
        run.clock.perform(.sending) { run.other.fail(ContractFailure.ofOther) }
        try run.advance(frames: Run.aftermath)
        return probe
      }
    }
    if contract.exemptions[.failure] == nil {
      try expectOnScheduler(", with a source that fails") { run in
        let probe = run.observe(run.signal())
        try run.play([1], .failed(ContractFailure.ofSource))
        return probe
      }
    }
    try expectOnScheduler(", with a source that delivers inside subscribe") { run in
      let probe = run.observe(run.signal(on: .sequence([1, 2, 3]), other: .just(OperatorInputs.firstOfOther)))
      try run.advance(frames: Run.aftermath)
      return probe
    }
    try checkOrderOfHops()
  }

  private func expectOnScheduler(_ source: String, _ play: (Run) throws -> Probe) throws {
    let probe = try play(Run(contract))
    let early = probe.log.acts.count { $0 != .advancing }
    try expect(
      early == 0, .hops, probe.log,
      "\(early) of \(probe.log.events.count) events did not arrive on the scheduler\(source).")
  }

  /// Waits in real time if virtual time has not brought the end. For an operator that obeys the laws, no check waits.
  private func waitForLateEnd(_ probe: Probe) {
    if probe.log.ends.isEmpty, contract.exemptions[.ends] == nil { _ = probe.log.waitForEnd(patience) }
  }
}
