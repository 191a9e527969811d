import Signals

/// Law 11: errors that closures throw.
extension ContractChecks {
  func checkThrowingClosure() throws {
    // The first value may be the start of the operator's state, and the further input's has another closure.
    let visits = try firstVisits(of: [3, 1, 2, OperatorInputs.firstOfOther])
    for visit in visits { try checkThrowingClosure(at: visit) }
  }

  /// The first call of the operator's closures with a value.
  private struct Visit {
    var value: Int
    /// The events until then.
    var events: [TimedEvent<Output>]
    var nanoseconds: Int64
  }

  /// The first calls with these values, in their order; none for a value that no closure is called with.
  private func firstVisits(of values: [Int]) throws -> [Visit] {
    let log = Guarded<Log?>(nil)
    let visits = Guarded<[Int: Visit]>([:])
    let run = Run(contract)
    let probe = run.observe(
      run.signal { value in
        let visit = Visit(value: value, events: log.value?.events ?? [], nanoseconds: run.clock.nanoseconds)
        visits.withLock { $0[value] = $0[value] ?? visit }
      })
    log.value = probe.log
    defer { log.value = nil }
    try run.play([1, 2, 3], nil)
    return values.compactMap { visits.value[$0] }
  }

  private func checkThrowingClosure(at visit: Visit) throws {
    let run = Run(contract)
    let probe = run.observe(run.signal { value in if value == visit.value { throw ContractFailure.ofClosure } })
    try run.play([1, 2, 3], nil)
    var expected = Timeline(visit.events, isTimed: isTimed)
    expected.entries.append(
      Timeline.Entry(event: .failed(ContractFailure.ofClosure), nanoseconds: isTimed ? visit.nanoseconds : nil))
    try expect(
      probe.log.events, expected, .thrownErrors, facts: ["The closure throws when it is called with \(visit.value)."])
    try expect(
      probe.isDisposed, .thrownErrors, probe.log, "The signal has failed, but isDisposed of its subscription is false.")
    try expectNothingLeft(run, probe.log)
    try run.send([4])
    try run.end()
    try expectSound(probe.log)
  }

  func checkErrorBelow() throws {
    try checkErrorBelow(isAtOnce: false)
    try checkErrorBelow(isAtOnce: true)
  }

  private func checkErrorBelow(isAtOnce: Bool) throws {
    let run = Run(contract)
    let seenAbove = Guarded<[String]>([])
    let isArmed = Guarded(isAtOnce)
    let thrownAt = Guarded<Int64?>(nil)
    let source = isAtOnce ? Signal.sequence([1, 2, 3]) : run.upstream.signal
    let watched = source.handle(
      onFailure: { _ in seenAbove.withLock { $0.append("a failure") } },
      onFinish: { if !isAtOnce { seenAbove.withLock { $0.append("the end") } } })
    let probe = run.observe(
      run.signal(on: watched).map { value in
        guard isArmed.value else { return value }
        thrownAt.withLock { $0 = $0 ?? run.clock.nanoseconds }
        throw ContractFailure.below
      })
    try run.prime()
    isArmed.value = true
    let before = probe.log.events
    if !isAtOnce { try run.send([1, 2, 3]) }
    guard let time = thrownAt.value else { return }
    var expected = Timeline(isAtOnce ? [] : before, isTimed: true)
    expected.entries.append(
      Timeline.Entry(event: .failed(ContractFailure.below), nanoseconds: isAtOnce ? nil : time))
    try expect(probe.log.events, expected, .thrownErrors)
    try expect(
      seenAbove.value.isEmpty, .thrownErrors, probe.log,
      "An error thrown downstream of the operator reached its upstream, as \(seenAbove.value.joined(separator: " and "))."
    )
    try expect(
      probe.isDisposed, .thrownErrors, probe.log, "The signal has failed, but isDisposed of its subscription is false.")
    try expectNothingLeft(run, probe.log)
    try run.end()
    try expectSound(probe.log)
  }
}
