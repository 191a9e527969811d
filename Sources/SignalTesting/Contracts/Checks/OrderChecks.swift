import Signals

/// Laws 1, 2, 6 and 8: actions of handlers, and several subscribers.
extension ContractChecks {
  /// Runs the operator. At the first value after the further input's, an action runs: inside the handler, or right
  /// after it.
  private func reacting(
    isNested: Bool, on signal: Signal<Output>? = nil, in run: Run,
    _ reaction: @escaping @Sendable () -> Void
  ) throws -> Probe {
    let trigger = Trigger()
    let probe = run.observe(signal ?? run.signal()) { _, _ in
      guard trigger.fire() else { return }
      // Work that is due at this instant runs once the handler has returned.
      if isNested { reaction() } else { run.clock.scheduler.schedule(reaction) }
    }
    try run.prime()
    trigger.arm()
    try run.send([1, 2, 3])
    try run.end()
    return probe
  }

  func checkNestedSends() throws {
    for isOther in try usesOther() ? [false, true] : [false] {
      func log(isNested: Bool) throws -> Log {
        let run = Run(contract)
        let probe = try reacting(isNested: isNested, in: run) {
          let input = isOther ? run.other : run.upstream
          input.send(6)
          input.send(7)
        }
        return probe.log
      }
      let afterwards = try log(isNested: false)
      let nested = try log(isNested: true)
      try expect(
        nested.events, Timeline(afterwards.events, isTimed: true), .oneOrder,
        facts: [
          "The handler sent 6 and 7; they should arrive as if sent right after the handler returned."
        ])
      try expectSound(nested)
    }
  }

  func checkNestedEnd() throws {
    func outcome(isNested: Bool) throws -> (run: Run, probe: Probe) {
      let run = Run(contract)
      let probe = try reacting(isNested: isNested, in: run) {
        run.other.finish()
        run.upstream.finish()
        run.upstream.send(7)
      }
      return (run, probe)
    }
    let afterwards = try outcome(isNested: false).probe.log
    let (run, probe) = try outcome(isNested: true)
    try expectSound(probe.log)
    try expect(probe.log.events, Timeline(afterwards.events, isTimed: true), .grammar)
    try expectNothingLeft(run, probe.log)
  }

  func checkNewcomers() throws {
    func newcomer(isNested: Bool) throws -> Log? {
      let newcomer = Guarded<Probe?>(nil)
      defer { newcomer.value = nil }
      let run = Run(contract)
      let signal = run.signal()
      let probe = try reacting(isNested: isNested, on: signal, in: run) { newcomer.value = run.observe(signal) }
      withExtendedLifetime(probe) {}
      return newcomer.value?.log
    }
    guard let afterwards = try newcomer(isNested: false), let nested = try newcomer(isNested: true) else { return }
    try expect(
      nested.events, Timeline(afterwards.events, isTimed: true), .newcomers,
      facts: ["The diagrams show a subscriber that subscribed while the first value was being delivered."])
    try expectSound(nested)
  }

  func checkTwoSubscribers() throws {
    let alone = try reference([1, 2, 3])
    let run = Run(contract)
    let signal = run.signal()
    let probes = [run.observe(signal), run.observe(signal)]
    try run.play([1, 2, 3])
    for (index, probe) in probes.enumerated() {
      try expect(
        probe.log.events, Timeline(alone, isTimed: true), nil,
        facts: [
          "The diagrams show subscriber \(index + 1) of 2; alone it would have received the expected row: the two share state."
        ], advice: Self.stateAdvice)
      try expectSound(probe.log)
      try expect(
        probe.isDisposed, .grammar, probe.log, "The signal has ended, but isDisposed of its subscription is false.")
    }
  }

  /// A subscriber that comes after a value gets what it would get alone.
  func checkLaterSubscriber() throws {
    func later(isAlone: Bool) throws -> Log {
      let run = Run(contract)
      let signal = run.signal()
      let first = isAlone ? nil : run.observe(signal)
      try run.prime()
      try run.send([3])
      let second = run.observe(signal)
      try run.send([1, 2])
      try run.end()
      withExtendedLifetime(first) {}
      return second.log
    }
    let alone = try later(isAlone: true).events
    try expect(
      later(isAlone: false).events, Timeline(alone, isTimed: true), nil,
      facts: [
        "The diagrams show a subscriber that comes after a value; alone it would have received the expected row: the two share state."
      ],
      advice: Self.stateAdvice)
  }

  private static var stateAdvice: String {
    "keep state for each subscription: with lift(_:state:), or in the closure that a subscription calls, and not beside the operator."
  }

  func checkResubscription() throws {
    for leaving in FirstSubscriber.allCases {
      let run = Run(contract)
      let current = Guarded(run)
      // Built once, on inputs that start again for each subscription.
      let signal = run.signal(
        on: .deferred { current.value.upstream.signal }, other: .deferred { current.value.other.signal })
      let first = run.observe(signal)
      switch leaving {
      case .finishes: try run.play([1, 2, 3])
      case .fails: try run.play([1, 2, 3], .failed(ContractFailure.ofSource))
      case .isDisposed:
        try run.prime()
        try run.send([1])
        first.dispose()
        try run.advance(frames: Run.aftermath)
      }
      let again = Run(contract, clock: run.clock)
      current.value = again
      let second = again.observe(signal)
      try again.play([1, 2, 3])
      try expect(
        second.log.events,
        Timeline(leaving == .finishes ? first.log.events : reference([1, 2, 3]), isTimed: false), nil,
        facts: ["The diagrams show a second subscriber, after \(leaving.rawValue) expected row."],
        advice: Self.stateAdvice)
    }
  }

  /// How the first of two subscribers ends, and who gets the expected events.
  private enum FirstSubscriber: String, CaseIterable {
    case finishes = "the end of the first one, which received the"
    case fails = "the failure of the first one. Alone it receives the"
    case isDisposed = "another one has disposed its subscription. Alone it receives the"
  }

  /// How a subscriber leaves.
  private enum Leaving: CaseIterable {
    case disposes, hasEnough, fails

    func applied(to signal: Signal<Output>) -> Signal<Output> {
      switch self {
      case .disposes: return signal
      case .hasEnough: return signal.prefix(1)
      case .fails: return signal.map { (_: Output) throws -> Output in throw ContractFailure.below }
      }
    }

    var fact: String {
      switch self {
      case .disposes: "The other subscriber disposed its subscription after the first value."
      case .hasEnough: "The other subscriber stopped after its first value."
      case .fails: "A closure of the other subscriber threw at its first value."
      }
    }
  }

  func checkSiblings() throws {
    let alone = try reference([1, 2, 3])
    for leaving in Leaving.allCases {
      for (count, position) in [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)] {
        let run = Run(contract)
        let signal = run.signal()
        let leaver = leaving.applied(to: signal)
        var probes: [Probe] = (0..<count).map { run.observe($0 == position ? leaver : signal) }
        let source = Guarded<[Int]>([])
        let watcher = run.upstream.signal.subscribe { value in source.withLock { $0.append(value) } }
        try run.prime()
        try run.send([1])
        let left = probes.remove(at: position)
        if leaving == .disposes { left.dispose() }
        try run.send([2, 3])
        try run.end()
        for probe in probes {
          try expect(probe.log.events, Timeline(alone, isTimed: true), .noCollateral, facts: [leaving.fact])
        }
        try expect(
          source.value == [1, 2, 3], .noCollateral, probes[0].log,
          "\(leaving.fact) A subscriber of the source itself then received \(source.value) instead of [1, 2, 3].")
        watcher.dispose()
        withExtendedLifetime(left) {}
      }
    }
  }
}
