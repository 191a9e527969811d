import Signals

/// Laws 5, 13 and 14: the threads and times of events.
extension ContractChecks {
  func checkSynchronous() throws {
    guard contract.delivery == .synchronous else { return }
    try checkSynchronous(.finished)
    if contract.exemptions[.failure] == nil { try checkSynchronous(.failed(ContractFailure.ofSource)) }
  }

  private func checkSynchronous(_ completion: Completion) throws {
    let run = Run(contract)
    let probe = run.observe(run.signal())
    try run.play([1, 2, 3], completion)
    waitForLateEnd(probe)
    let (events, acts) = (probe.log.events, probe.log.acts)
    let late = acts.indices.filter { acts[$0] != .sending && acts[$0] != .subscribing }
    if late.isEmpty { return }
    // A late event should have come with its cause: the latest instant at which the source acted.
    let spacing = frame * Int64(Run.spacing)
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
    let pending = run.clock.scheduler.pendingCount
    try expect(
      probe.log.ends.isEmpty || pending == 0, .virtualTime, probe.log,
      "The signal has ended, but the scheduler still holds work items of it (\(pending)).")
  }

  func checkHops() throws {
    guard contract.delivery == .scheduled else { return }
    try expectOnScheduler("") { run in
      let probe = run.observe(run.signal())
      try run.play([1, 2, 3])
      return probe
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
