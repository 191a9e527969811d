import Dispatch
import SignalTesting
import Signals
import Testing

/// Operators that break a law each: the check names it, and shows what was expected and what came.
@Suite struct PlantedViolationTests {
  /// Checks an operator that has to fail once, here, with this text in the message.
  private func expectViolation<Output>(
    _ contract: OperatorContract<Output>, patience: Duration = .seconds(10), _ text: String,
    location: SourceLocation = #_sourceLocation
  ) {
    let issues = Issues()
    withKnownIssue(sourceLocation: location) {
      expectLaws(of: contract, patience: patience, line: UInt(location.line))
    } matching: { issue in
      issues.add(issue)
      return true
    }
    #expect(issues.all.count == 1, sourceLocation: location)
    guard let issue = issues.all.first else { return }
    #expect(issue.sourceLocation?.fileName == "PlantedViolationTests.swift", sourceLocation: location)
    #expect(issue.sourceLocation?.line == location.line, sourceLocation: location)
    let message = unindented(issue.comments.first?.rawValue ?? "")
    #expect(message.hasPrefix(text), "\(message)", sourceLocation: location)
    #expect(message.contains("\nTo do: "), sourceLocation: location)
    let last = message.split(whereSeparator: \.isNewline).last ?? ""
    #expect(
      last.wholeMatch(of: /If this is intended, pass exemptions: \[\.[A-Za-z]+: "why"\]\./) != nil, "\(message)",
      sourceLocation: location)
  }

  /// Reports are moved to the right, so that the rows of a diagram stay under each other.
  private func unindented(_ message: String) -> String {
    message.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().map { $0.dropFirst(2) }
      .joined(separator: "\n")
  }

  @Test("law 1: a value after the end") func grammar() {
    expectViolation(
      OperatorContract("repeatingAfterTheEnd") { up, _ in up.repeatingAfterTheEnd() },
      """
      "repeatingAfterTheEnd" breaks law 1, grammar: a source of few values that finishes

      expected  -----1----|
      actual    -----1----(|1)
                          ^~~~

      frame 10: extra 1

      """)
  }

  @Test("law 2: what a handler sends comes out in another order") func oneOrder() {
    expectViolation(
      OperatorContract("mergingByStack") { up, inputs in up.mergingByStack(with: inputs.other) },
      """
      "mergingByStack" breaks law 2, one order: a handler that sends

      expected  --9--(167)----2----3----|
      actual    --9--(176)----2----3----|
                     ^~~~~

      """)
  }

  @Test("law 3: two threads call the subscriber at once") func overlappingCalls() {
    expectViolation(
      OperatorContract("mergingUnguarded") { up, inputs in up.mergingUnguarded(with: inputs.other) },
      """
      "mergingUnguarded" breaks law 3, serial: another thread acts while user code runs

      received  --9--(71)----

      The subscriber was called on another thread before its previous call had returned.
      """)
  }

  @Test("law 3: values of several threads are lost") func lostValues() {
    expectViolation(
      OperatorContract("throughAMailbox", delivery: .scheduled) { up, inputs in
        up.throughAMailbox(on: inputs.scheduler)
      },
      """
      "throughAMailbox" breaks law 3, serial: three threads that send

      expected  '
      """)
  }

  @Test("law 4: a lock is held while the handler runs") func lockHeld() {
    expectViolation(
      OperatorContract("counting") { up, _ in up.counting(into: Counts()) }, patience: .seconds(1),
      """
      "counting" breaks law 4, no lock while user code runs: another thread acts while user code runs

      received  -----(16)----

      While a handler ran, another thread could not subscribe to the same signal: it was blocked until the call returned.
      """)
  }

  @Test("law 5: values come later") func asynchronous() {
    expectViolation(
      OperatorContract("later") { up, inputs in up.later(on: inputs.scheduler) },
      """
      "later" breaks law 5, synchronous by default: values sent from one thread

      expected  -----1----2----3----|
      actual    ---------------------
                     ^    ^    ^    ^

      """)
  }

  @Test("law 6: a newcomer is handed the value being delivered") func newcomer() {
    expectViolation(
      OperatorContract("handingOut") { up, _ in up.handingOut() },
      """
      "handingOut" breaks law 6, newcomers: a handler that subscribes

      expected  ----------2----3----|
      actual    -----1----2----3----|
                     ^

      """)
  }

  @Test("law 7: values after the disposal") func disposal() {
    expectViolation(
      OperatorContract("delayingForEver", delivery: .partlyScheduled) { up, inputs in
        up.delayingForEver(by: inputs.rest, on: inputs.scheduler)
      },
      """
      "delayingForEver" breaks law 7, disposal: a handler that disposes its own subscription

      expected  -------1
      actual    -------(123)
                       ^~~~~

      """)
  }

  @Test("law 8: who leaves ends the others") func collateral() {
    expectViolation(
      OperatorContract("endingTogether") { up, _ in up.endingTogether() },
      """
      "endingTogether" breaks law 8, no collateral: several subscribers, one of which stops early

      expected  -----1----2----3----|
      actual    -----1----|
                          ^    ^    ^

      """)
  }

  @Test("law 9: the upstream goes on after the operator's end") func upstreamRelease() {
    expectViolation(
      OperatorContract("prefixWithoutLeaving") { up, _ in up.prefixWithoutLeaving(2) },
      """
      "prefixWithoutLeaving" breaks law 9, upstream release: an operator that terminates by itself

      received  -----1----(2|)

      The operator has ended, but its inputs still have 1 subscription.
      """)
  }

  @Test("law 9: a subscription of its own is left; only the leak check sees it") func leak() {
    let bell = Emitter<Void>()
    expectViolation(
      OperatorContract("watching") { up, _ in up.watching(bell) },
      """
      "watching" breaks law 9, upstream release: a leak check around a subscription

      received  -----(1|)

      subscription never disposed (6 times): subscribe FaultyOperators.swift:
      """)
    bell.finish()
  }

  @Test("law 10: who comes after the end waits for ever") func lateSubscriber() {
    expectViolation(
      OperatorContract(
        "forgettingTheEnd",
        exemptions: [.endlessAtOnce: "its subscription is there only once everything that comes at once has come"]
      ) { up, _ in up.forgettingTheEnd() },
      """
      "forgettingTheEnd" breaks law 10, late subscribers: a late subscriber, after the end

      expected  -|
      actual    --
                 ^

      """)
  }

  @Test("law 11: an error of the closure is swallowed") func thrownError() {
    expectViolation(
      OperatorContract("mapWherePossible") { up, inputs in
        up.mapWherePossible {
          try inputs.visit($0)
          return $0
        }
      },
      """
      "mapWherePossible" breaks law 11, thrown errors: a closure of the operator that throws

      expected  -----1----2----#
      actual    -----1----2-----
                               ^

      """)
  }

  @Test("law 13: real time in place of the scheduler's") func realTime() {
    expectViolation(
      OperatorContract("delayingInRealTime", delivery: .scheduled) { up, _ in up.delayingInRealTime() },
      """
      "delayingInRealTime" breaks law 13, time comes from a scheduler: values under virtual time

      expected  -123|
      actual    -----
                 ^^^^

      """)
  }

  @Test("law 13: a timer is left behind") func timerLeft() {
    expectViolation(
      OperatorContract("timing") { up, inputs in up.timing(on: inputs.scheduler) },
      """
      "timing" breaks law 13, time comes from a scheduler: values under virtual time

      received  -----1----2----3----|

      The signal has ended, but the scheduler still holds work items of it (1).
      """)
  }

  @Test("law 14: a value beside the scheduler") func hop() {
    expectViolation(
      OperatorContract("hoppingFromTheSecond", delivery: .scheduled) { up, inputs in
        up.hoppingFromTheSecond(on: inputs.scheduler)
      },
      """
      "hoppingFromTheSecond" breaks law 14, hops: values sent from one thread

      received  -----1----2----3----|

      1 of 4 events did not arrive on the scheduler.
      """)
  }

  @Test("law 16: the end is not passed on") func noEnd() {
    expectViolation(
      OperatorContract("goingOn") { up, _ in up.goingOn() }, patience: .milliseconds(100),
      """
      "goingOn" breaks law 16, ends: a source of few values that finishes

      expected  -----|
      actual    ------
                     ^

      """)
  }

  @Test("law 16: a failure becomes the regular end") func failure() {
    expectViolation(
      OperatorContract("finishingAnyway") { up, _ in up.finishingAnyway() },
      """
      "finishingAnyway" breaks law 16, ends: a source that fails

      expected  -----1----2----#
      actual    -----1----2----|
                               ^

      """)
  }

  @Test("law 16: a failure of the further input is lost") func failureOfOther() {
    expectViolation(
      OperatorContract("mergingWithoutFailure") { up, inputs in up.merge(with: inputs.other.catch { _ in .empty() }) },
      """
      "mergingWithoutFailure" breaks law 16, ends: a further input that fails

      expected  --9--1----2----#
      actual    --9--1----2-----
                               ^

      frame 15: missing # (the failure of the further input)

      The further input failed after 2 values of the source.
      To do: fail with the first failure of any input.
      """)
  }

  @Test("law 16: values inside subscribe are lost") func valuesInsideSubscribe() {
    expectViolation(
      OperatorContract("onceReady") { up, _ in up.onceReady() },
      """
      "onceReady" breaks law 16, ends: a source that delivers inside subscribe

      expected  {123|}
      actual    {|}
                ^~~~~~

      """)
  }

  @Test("law 2: two subscribers share what each should have") func sharedState() {
    expectViolation(
      OperatorContract("everyOtherOfAll") { up, _ in up.everyOtherOfAll() },
      """
      "everyOtherOfAll" violates its contract: two subscribers of the same signal

      expected  ----------2---------|
      actual    --------------------|
                          ^

      """)
  }

  @Test("law 9: the upstream is not left") func staying() {
    expectViolation(
      OperatorContract("stayingSubscribed") { up, _ in up.stayingSubscribed() },
      """
      "stayingSubscribed" breaks law 9, upstream release: a handler that disposes its own subscription

      received  -----1----

      The operator has ended, but its inputs still have 1 subscription.
      """)
  }

  @Test("law 9: an endless source that delivers inside subscribe is not left") func endlessAtOnce() {
    expectViolation(
      OperatorContract("passedOn") { up, _ in
        Signal { producer in producer.own(up.subscribeToEvents { producer.send(event: $0) }) }
      },
      """
      "passedOn" breaks law 9, upstream release: an endless source that delivers inside subscribe, whose subscriber stops early

      received  {123|}

      Expected: the source stops after the subscriber's 3 values. But it delivered 300.
      To do: build the operator with lift(_:state:_:), which stops its upstream at once.
      """)
  }

  @Test("law 11: an error from below is lost") func errorBelow() {
    expectViolation(
      OperatorContract("swallowingErrors") { up, _ in up.swallowingErrors() },
      """
      "swallowingErrors" breaks law 11, thrown errors: a closure downstream of the operator that throws

      expected  -----#
      actual    ------
                     ^

      """)
  }

  @Test("law 7: closures are kept") func kept() {
    expectViolation(
      OperatorContract("keptForEver") { up, _ in up.keptForEver() },
      """
      "keptForEver" breaks law 7, disposal: a handler that ends the source

      received  -----(1|)

      The operator has ended, but something still retains 1 closure of its chain.
      """)
  }

  @Test("a contract that says something else") func otherValues() {
    expectViolation(
      OperatorContract("doubled", delivers: { $0.map { $0 * 2 } }) { up, _ in up.map { $0 == 3 ? 7 : $0 * 2 } },
      """
      "doubled" violates its contract: a source of few values that finishes

      expected  -----2----4----6----8----'10'----|
      actual    -----2----4----7----8----'10'----|
                               ^

      """)
  }

  @Test("values that look the same, though == tells them apart") func sameDescriptions() {
    let contract = OperatorContract<[Double]>("roots") { up, _ in up.map { [Double(2 - $0).squareRoot()] } }
    let problem = unindented(ContractChecks(contract).firstProblem() ?? "")
    #expect(
      problem.contains("The expected and the actual values have the same descriptions, but == returns false."),
      "\(problem)")
    #expect(problem.contains("To do: make == of Array<Double> compare the contents of values"), "\(problem)")
    let other = ContractChecks(OperatorContract("later") { up, inputs in up.later(on: inputs.scheduler) })
    #expect(other.firstProblem()?.contains("descriptions") == false)
  }

  @Test("a correct operator that is described wrongly is told what to declare") func wrongDescriptions() {
    let debounce = OperatorContract<Int>("debounce", delivery: .scheduled, delivers: { $0 }) { up, inputs in
      up.debounce(for: inputs.rest, on: inputs.scheduler)
    }
    let lost = unindented(ContractChecks(debounce).firstProblem() ?? "")
    #expect(lost.contains("load: .valuesMayBeDropped"), "\(lost)")
    #expect(lost.hasSuffix("\nIf this is intended, pass exemptions: [.concurrentSenders: \"why\"]."), "\(lost)")

    let merge = OperatorContract<Int>("merge", delivers: { $0 }) { up, inputs in up.merge(with: inputs.other) }
    let extra = unindented(ContractChecks(merge).firstProblem() ?? "")
    for field in ["atStart", "atOther", "atFinish"] { #expect(extra.contains(field), "\(extra)") }

    let combined = OperatorContract<Int>("combineLatest") { up, inputs in up.combineLatest(inputs.other).map { $0 + $1 }
    }
    let late = unindented(ContractChecks(combined).firstProblem() ?? "")
    #expect(
      late.contains(
        "Expected: the subscriber gets its 3 values while the source delivers, and stops it. But the source delivered "
      ), "\(late)")
  }

  @Test("an exemption that is not needed") func needlessExemption() {
    let contract = OperatorContract("map", exemptions: [.failure: "it never fails"]) { up, _ in up.map { $0 } }
    let problem = ContractChecks(contract).firstProblem() ?? ""
    #expect(
      unindented(problem)
        == "\"map\" is exempt from .failure (it never fails), but satisfies it. Remove the exemption.")
  }

  @Test("an exemption that is needed") func neededExemption() {
    let reason = "prefix(0) finishes at once"
    let exempt = OperatorContract("prefix", exemptions: [.never: reason]) { up, _ in up.prefix(0) }
    #expect(ContractChecks(exempt).firstProblem() == nil)
    let other = OperatorContract("prefix") { up, _ in up.prefix(0) }
    #expect(ContractChecks(other).firstProblem()?.contains("a source that never sends") == true)
  }

  @Test("a call that never returns") func hang() {
    let door = DispatchSemaphore(value: 0)
    let contract = OperatorContract("waiting") { up, _ in up.waiting(at: door) }
    let problem = ContractChecks(contract, limit: .milliseconds(200)).firstProblem() ?? ""
    door.signal()
    #expect(
      unindented(problem).hasPrefix(
        """
        "waiting" breaks law 4, no lock while user code runs: values sent from one thread

        The check did not return within 0.2 seconds: a call into the operator hangs.
        """), "\(problem)")
  }
}
