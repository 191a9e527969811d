import Signals

/// All checks of one operator.
package struct ContractChecks<Output: Sendable & Equatable>: Sendable {
  typealias Run = ContractRun<Output>
  typealias Probe = ContractProbe<Output>
  typealias Log = ContractLog<Output>
  typealias Timeline = ContractTimeline<Output>

  let contract: OperatorContract<Output>
  /// The timeout for events that should come at once.
  let patience: Duration
  /// The time limit of a check. Only one that hangs takes longer.
  let limit: Duration

  package init(
    _ contract: OperatorContract<Output>, patience: Duration = .seconds(10), limit: Duration = .seconds(60)
  ) {
    self.contract = contract
    self.patience = patience
    self.limit = limit
  }

  /// Runs the checks one after the other.
  ///
  /// - Returns: The message of the first one that fails.
  package func firstProblem() -> String? {
    for check in OperatorCheck.allCases {
      if let problem = problem(of: check) { return problem }
    }
    return nil
  }

  private func problem(of check: OperatorCheck) -> String? {
    let exemption = contract.exemptions[check]
    guard exemption == nil || check.isRepeatable else { return nil }
    guard let outcome = ContractThreads.run(limit: limit, { outcome(of: check) }) else {
      if exemption != nil { return nil }
      return BrokenLaw(
        law: .noLock, marble: "",
        facts: [
          "The check did not return within \(limit): a call into the operator hangs. Later checks were skipped. The thread is still blocked; a "
            + "debugger shows where."
        ]
      ).message(of: contract.name, check)
    }
    if let exemption, outcome == nil {
      let text =
        "\"\(contract.name)\" is exempt from .\(check.rawValue) (\(exemption)), but satisfies it. Remove the exemption."
      return text.framed
    }
    return exemption == nil ? outcome?.message(of: contract.name, check) : nil
  }

  private func outcome(of check: OperatorCheck) -> BrokenLaw? {
    do {
      try perform(check)
      return nil
    } catch let broken as BrokenLaw {
      return broken
    } catch {
      return BrokenLaw(law: nil, marble: "", facts: ["The check threw an error: \(error)."])
    }
  }

  private func perform(_ check: OperatorCheck) throws {
    switch check {
    case .synchronous: try checkSynchronous()
    case .virtualTime: try checkVirtualTime()
    case .hops: try checkHops()
    case .ends: try checkEnds()
    case .never: try checkNever()
    case .delivers: try checkDelivers()
    case .endBehindValue: try checkEndBehindValue()
    case .failure: try checkFailure()
    case .ownEnd: try checkOwnEnd()
    case .noLock: try checkNoLock()
    case .nestedSends: try checkNestedSends()
    case .nestedEnd: try checkNestedEnd()
    case .newcomers: try checkNewcomers()
    case .twoSubscribers: try checkTwoSubscribers()
    case .laterSubscriber: try checkLaterSubscriber()
    case .resubscription: try checkResubscription()
    case .siblings: try checkSiblings()
    case .disposalInHandler: try checkDisposalInHandler()
    case .disposalOfLater: try checkDisposalOfLater()
    case .earlyEnd: try checkEarlyEnd()
    case .synchronousSource: try checkSynchronousSource()
    case .endlessAtOnce: try checkEndlessAtOnce()
    case .failureOfOther: try checkFailureOfOther()
    case .release: try checkRelease()
    case .lateSubscriber: try checkLateSubscriber()
    case .throwingClosure: try checkThrowingClosure()
    case .errorBelow: try checkErrorBelow()
    case .concurrentSenders: try checkConcurrentSenders()
    case .concurrentInputs: try checkConcurrentInputs()
    case .concurrentDisposal: try checkConcurrentDisposal()
    case .leaks: try checkLeaks()
    }
  }

  // MARK: What checks share

  var frame: Int64 { contract.frame.exactNanoseconds ?? 1 }
  /// Whether times are known: a synchronous event comes at the time of its cause.
  var isTimed: Bool { contract.delivery == .synchronous }

  /// The output for values, and for the end if there is one, with time between them and nothing else happening.
  func reference(_ values: [Int], _ completion: Completion? = .finished) throws -> [TimedEvent<Output>] {
    let run = Run(contract)
    let probe = run.observe(run.signal())
    try run.play(values, completion)
    return probe.log.events
  }

  /// Whether the operator subscribes to the further input.
  func usesOther() throws -> Bool {
    let run = Run(contract)
    let isUsed = Guarded(false)
    let other = Signal<Int>.deferred {
      isUsed.value = true
      return run.other.signal
    }
    let probe = run.observe(run.signal(other: other))
    try run.play([1, 2])
    withExtendedLifetime(probe) {}
    return isUsed.value
  }

  func expect(
    _ received: [TimedEvent<Output>], _ expected: Timeline, _ law: OperatorLaw?,
    facts: @autoclosure () -> [String] = [], advice: String? = nil
  ) throws {
    guard let difference = expected.difference(from: received, frame: frame) else { return }
    if expected.looksSame(as: received, frame: frame) {
      throw BrokenLaw(
        law: law, marble: difference,
        facts: facts() + ["The expected and the actual values have the same descriptions, but == returns false."],
        advice: "make == of \(Output.self) compare the contents of values, or append a map that converts them to "
          + "comparable values.")
    }
    throw BrokenLaw(law: law, marble: difference, facts: facts(), advice: advice)
  }

  func expect(
    _ condition: Bool, _ law: OperatorLaw?, _ log: Log, _ fact: @autoclosure () -> String, advice: String? = nil
  ) throws {
    if condition { return }
    throw broken(law, log, [fact()], advice: advice)
  }

  func broken(_ law: OperatorLaw?, _ log: Log, _ facts: [String], advice: String? = nil) -> BrokenLaw {
    BrokenLaw(law: law, marble: Timeline.picture(of: log.events, frame: frame), facts: facts, advice: advice)
  }

  /// Fails if calls overlapped, or if an event came after the end.
  func expectSound(_ log: Log) throws {
    try expect(
      log.overlaps == 0, .serial, log, "The subscriber was called again before its previous call had returned.")
    guard log.eventsAfterEnd > 0 else { return }
    let events = log.events
    let end = events.firstIndex { $0.event.isEnd } ?? events.endIndex
    try expect(events, Timeline(Array(events.prefix(end + 1)), isTimed: true), .grammar)
  }

  /// Fails if the subscription is over and part of it remains.
  func expectNothingLeft(_ run: Run, _ log: Log) throws {
    let remains = run.remains
    guard let first = remains.first else { return }
    throw broken(first.law, log, remains.map(\.fact))
  }
}

/// The error that checks throw and send.
struct ContractFailure: Error, Equatable, CustomStringConvertible {
  let description: String

  /// The failure of a source.
  static let ofSource = ContractFailure(description: "the failure of the source")
  /// The failure of the further input.
  static let ofOther = ContractFailure(description: "the failure of the further input")
  /// The error of a closure of the operator.
  static let ofClosure = ContractFailure(description: "the error of the closure")
  /// The error of a closure below the operator.
  static let below = ContractFailure(description: "the error of a closure downstream")
}
