import Signals

/// Law 11: errors that closures throw.
extension ContractChecks {
  func checkThrowingClosure() throws {
    let isVisited = Guarded(false)
    let trial = Run(contract)
    let observed = trial.observe(trial.signal { value in if value == 3 { isVisited.value = true } })
    try trial.play([1, 2, 3])
    withExtendedLifetime(observed) {}
    guard isVisited.value else { return }

    let open = try reference([1, 2], nil)
    let run = Run(contract)
    let probe = run.observe(run.signal { value in if value == 3 { throw ContractFailure.ofClosure } })
    try run.play([1, 2, 3], nil)
    var expected = Timeline(open, isTimed: isTimed)
    let third = Int64(3 * Run.spacing) * frame
    expected.entries.append(
      Timeline.Entry(event: .failed(ContractFailure.ofClosure), nanoseconds: isTimed ? third : nil))
    try expect(probe.log.events, expected, .thrownErrors)
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
