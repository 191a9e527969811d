import Signals

/// Laws 1, 9, 10 and 16: the events of a source, its end, and later subscribers.
extension ContractChecks {
  func checkEnds() throws {
    for values in [[], [1], [1, 2, 3, 4, 5]] {
      let run = Run(contract)
      let probe = run.observe(run.signal())
      try run.play(values)
      let log = probe.log
      try expectSound(log)
      var expected = Timeline(log.events.filter { !$0.event.isEnd }, isTimed: true)
      // An operator may end before its source does.
      let end = log.ends.isEmpty ? Int64((values.count + 1) * Run.spacing) * frame : nil
      expected.entries.append(Timeline.Entry(event: .finished, nanoseconds: end))
      try expect(log.events, expected, .ends)
      try expect(probe.isDisposed, .grammar, log, "The signal has ended, but isDisposed of its subscription is false.")
    }
  }

  func checkNever() throws {
    let run = Run(contract)
    let probe = run.observe(run.signal())
    try run.prime()
    try run.advance(frames: 10 * Run.spacing)
    try expect(probe.log.ends.isEmpty, .ends, probe.log, "The signal ends by itself.")
    try expect(!probe.isDisposed, .grammar, probe.log, "The subscription is disposed, but no end was delivered.")
  }

  func checkDelivers() throws {
    guard let delivers = contract.delivers else { return }
    // Equal neighbours, negative values, and more of them than an operator's state may have been designed for; none
    // outside of -9 to 99, as contracts may declare output that is computed from all values.
    for values in [
      [], [1], [1, 2, 3, 4, 5], [1, 1, 2, 2, 2, 1], [3, -1, -2, 0], Array(1...24), (0..<300).map { $0 % 24 + 1 },
    ] {
      let received = try reference(values)
      try expect(
        received, expected(of: values, delivers), nil,
        advice:
          "fix the operator, or declare its behaviour in its contract: delivers: for the output of the values, atStart: for "
          + "output inside subscribe, atOther: for output when the further input delivers "
          + "\(OperatorInputs.firstOfOther) (frame \(Run.rest)), atFinish: for output after the source has finished.")
    }
    try checkEqualValuesAtOnce(delivers)
  }

  /// Equal values at one instant are several values for an operator that passes different ones on as if there were time
  /// between them.
  private func checkEqualValuesAtOnce(_ delivers: ([Int]) -> [Output]) throws {
    guard contract.delivery != .synchronous, case .everyValueComesThrough = contract.load else { return }
    func difference(_ values: [Int]) throws -> (received: [TimedEvent<Output>], expected: Timeline, isEqual: Bool) {
      let received = try atOnce(values, pause: Run.aftermath)
      let expected = expected(of: values, delivers)
      return (received, expected, expected.difference(from: received, frame: frame) == nil)
    }
    guard try difference([1, 2, 3, 4]).isEqual else { return }
    let equal = try difference([1, 2, 2, 1])
    try expect(
      equal.received, equal.expected, nil,
      facts: ["The source sends 1, 2, 2 and 1 at one instant. The values 1, 2, 3 and 4 all arrive."],
      advice: "keep pending values in their order, and not by value, or declare load: .valuesMayBeDropped.")
  }

  /// An end directly after values drops nothing of an operator that passes each value on.
  func checkEndBehindValue() throws {
    if case .valuesMayBeDropped = contract.load { return }
    for (values, fact) in [([1], "sends 1"), ([1, 2, 3], "sends 1, 2 and 3")] {
      try expect(
        atOnce(values, pause: 0), Timeline(atOnce(values, pause: Run.aftermath), isTimed: false), nil,
        facts: [
          "The source \(fact) and finishes at once. With time before the end the operator delivers the expected row."
        ],
        advice: "deliver what is pending before the end, or declare load: .valuesMayBeDropped.")
    }
  }

  /// The output for values at one instant, and for an end so many frames later.
  private func atOnce(_ values: [Int], pause: Int) throws -> [TimedEvent<Output>] {
    let run = Run(contract)
    let probe = run.observe(run.signal())
    try run.prime()
    for value in values { run.send(value) }
    try run.advance(frames: pause)
    try run.end()
    return probe.log.events
  }

  /// The contract's output for values with time between them, and for the end. A synchronous event comes with its
  /// cause.
  private func expected(of values: [Int], _ delivers: ([Int]) -> [Output]) -> Timeline {
    var entries: [Timeline.Entry] = []
    func add(_ outputs: some Sequence<Output>, atFrame: Int, isInsideSubscribe: Bool = false) {
      entries += outputs.map {
        Timeline.Entry(
          event: .value($0), nanoseconds: isTimed ? Int64(atFrame) * frame : nil, isInsideSubscribe: isInsideSubscribe)
      }
    }
    add(contract.atStart, atFrame: 0, isInsideSubscribe: true)
    add(contract.atOther, atFrame: Run.rest)
    var count = 0
    for index in values.indices {
      let outputs = delivers(Array(values[...index]))
      add(outputs.dropFirst(count), atFrame: (index + 1) * Run.spacing)
      count = outputs.count
    }
    let endsFrame = (values.count + 1) * Run.spacing
    add(contract.atFinish, atFrame: endsFrame)
    return Timeline(entries).adding([.finished])
  }

  func checkFailure() throws {
    try checkFailure(after: [1, 2])
    try checkFailure(after: [])
    // Values may wait then, which the operator delivers or drops.
    for values in [[1], [1, 2, 3]] { try checkThatItFails(after: values) }
  }

  /// The failure of the source is not replaced by a regular end.
  private func checkThatItFails(after values: [Int]) throws {
    guard case .isPassedOn = contract.failure else { return }
    let open = try reference(values, nil)
    if open.contains(where: { $0.event.isEnd }) { return }
    let run = Run(contract)
    let probe = run.observe(run.signal())
    try run.prime()
    // Without time between them, so that values wait when the failure comes.
    for value in values { run.send(value) }
    try run.end(.failed(ContractFailure.ofSource))
    try expectSound(probe.log)
    let ends = probe.log.ends
    if ends.count == 1, case .failed(let error)? = ends.first, error is ContractFailure { return }
    throw BrokenLaw(
      law: .ends, marble: "",
      facts: [
        "The source failed directly after \(values.count == 1 ? "one value" : "\(values.count) values"), "
          + (ends.isEmpty ? "and the signal has not ended." : "and the signal did not fail with that error.")
      ],
      advice: "pass the failure on, also while values wait, or declare failure: .isReplaced.")
  }

  private func checkFailure(after values: [Int]) throws {
    let open = try reference(values, nil)
    let run = Run(contract)
    let probe = run.observe(run.signal())
    try run.play(values, .failed(ContractFailure.ofSource))
    try expectSound(probe.log)
    var expected = Timeline(open, isTimed: isTimed)
    // A signal that has ended by itself does not fail any more.
    if !open.contains(where: { $0.event.isEnd }) {
      switch contract.failure {
      case .isPassedOn: expected = expected.adding([.failed(ContractFailure.ofSource)])
      case .isReplaced(by: let values): expected = expected.adding(values.map(Event.value) + [.finished])
      }
    }
    try expect(
      probe.log.events, expected, .ends, facts: values.isEmpty ? ["The source failed before sending a value."] : [])
    try expect(
      probe.isDisposed, .grammar, probe.log, "The signal has ended, but isDisposed of its subscription is false.")
  }

  func checkFailureOfOther() throws {
    try checkFailureOfOther(after: [1, 2])
    try checkFailureOfOther(after: [])
    try checkFailureOfOther(after: nil)
    try checkFailureOfOtherInsideSubscribe()
  }

  /// - Parameter values: The values of the source after the further input's first; nil if that sends nothing either.
  private func checkFailureOfOther(after values: [Int]?) throws {
    let run = Run(contract)
    let probe = run.observe(run.signal())
    if let values { try run.play(values, nil) }
    // An operator that has ended by itself, or has no further input, or none any more, does not get its failure.
    guard probe.log.ends.isEmpty, run.other.subscriberCount > 0 else { return }
    let open = Timeline(probe.log.events, isTimed: true)
    run.clock.perform(.sending) { run.other.fail(ContractFailure.ofOther) }
    try run.advance(frames: Run.aftermath)
    try expectSound(probe.log)
    var failed = open
    let time = values.map { Int64(($0.count + 1) * Run.spacing) * frame } ?? 0
    failed.entries.append(
      Timeline.Entry(event: .failed(ContractFailure.ofOther), nanoseconds: isTimed ? time : nil))
    var wanted = [failed]
    if case .isReplaced(by: let values) = contract.failure {
      wanted.append(open.adding(values.map(Event.value) + [.finished]))
    }
    let kept = wanted.first { $0.difference(from: probe.log.events, frame: frame) == nil }
    let situation =
      values.map { $0.isEmpty ? "before the source had sent a value" : "after \($0.count) values of the source" }
      ?? "before any input had sent a value"
    try expect(
      probe.log.events, kept ?? wanted[0], .ends, facts: ["The further input failed \(situation)."],
      advice: Self.otherAdvice)
    try expectNothingLeft(run, probe.log)
  }

  private static var otherAdvice: String {
    "fail with the first failure of any input. Exempt an operator that continues without its further input."
  }

  private func checkFailureOfOtherInsideSubscribe() throws {
    let run = Run(contract)
    let isSubscribed = Guarded(false)
    let failing = Signal<Int>.deferred {
      isSubscribed.value = true
      return .fail(ContractFailure.ofOther)
    }
    let probe = run.observe(run.signal(other: failing))
    // An operator without a further input, or that subscribes to it later.
    guard isSubscribed.value else { return }
    try run.advance(frames: Run.aftermath)
    try expectSound(probe.log)
    var isRight = false
    switch probe.log.ends.first {
    case .failed(let error)?: isRight = error as? ContractFailure == .ofOther
    case .finished?: if case .isReplaced = contract.failure { isRight = true }
    case .value?, nil: break
    }
    try expect(
      isRight, .ends, probe.log,
      "The further input failed inside subscribe, "
        + (probe.log.ends.isEmpty ? "and the signal has not ended." : "and the signal did not fail with that error."),
      advice: Self.otherAdvice)
  }

  func checkOwnEnd() throws {
    let run = Run(contract)
    let probe = run.observe(run.signal())
    try run.play([1, 2, 3, 4, 5], nil)
    if !probe.log.ends.isEmpty { try expectNothingLeft(run, probe.log) }
  }

  func checkLateSubscriber() throws {
    for completion in [Completion.finished, .failed(ContractFailure.ofSource)] {
      guard let end = try reference([], completion).last?.event, end.isEnd else { continue }
      // A signal without earlier subscribers, and one whose first subscriber has got the end.
      for isFirst in [true, false] {
        let run = Run(contract)
        let signal = run.signal()
        let early = isFirst ? nil : run.observe(signal)
        try run.play([1, 2], completion)
        let late = run.observe(signal)
        try run.advance(frames: Run.aftermath)
        try expectSound(late.log)
        // A late subscriber gets the operator's response to a source that is over, or, if subscribers share, the end
        // that the early one got. The two differ if values ended the operator before the source ended.
        let values = late.log.events.filter { !$0.event.isEnd }
        let wanted = ([end] + (early?.log.ends.prefix(1) ?? [])).map { end in
          var expected = Timeline(values, isTimed: true)
          expected.entries.append(Timeline.Entry(event: ExpectedEvent(end)))
          return expected
        }
        let kept = wanted.first { $0.difference(from: late.log.events, frame: frame) == nil }
        try expect(
          late.log.events, kept ?? wanted[0], .lateSubscribers,
          facts: ["The source had terminated before; the diagrams show the late subscriber."])
      }
    }
  }
}
