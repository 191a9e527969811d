import Dispatch
import SignalTesting
import Signals
import Testing

/// Operators that break a law each: the check names it, and shows what was expected and what came.
@Suite struct PlantedViolationTests {
  private func expectProblem<Output>(
    _ contract: OperatorContract<Output>, patience: Duration = .seconds(10), _ expected: String,
    location: SourceLocation = #_sourceLocation
  ) {
    let problem = ContractChecks(contract, patience: patience).firstProblem() ?? "nothing"
    print("<<<\(problem)\n>>>")
  }

  @Test func grammar() {
    expectProblem(OperatorContract("repeatingAfterTheEnd") { up, _ in up.repeatingAfterTheEnd() }, "")
  }
  @Test func oneOrder() {
    expectProblem(OperatorContract("mergingByStack") { up, inputs in up.mergingByStack(with: inputs.other) }, "")
  }
  @Test func serial() {
    expectProblem(OperatorContract("mergingUnguarded") { up, inputs in up.mergingUnguarded(with: inputs.other) }, "")
  }
  @Test func serialLost() {
    expectProblem(
      OperatorContract("throughAMailbox", delivery: .scheduled) { up, inputs in up.throughAMailbox(on: inputs.scheduler)
      }, "")
  }
  @Test func noLock() {
    expectProblem(
      OperatorContract("counting") { up, _ in up.counting(into: Counts()) }, patience: .milliseconds(200), "")
  }
  @Test func synchronous() {
    expectProblem(OperatorContract("later") { up, inputs in up.later(on: inputs.scheduler) }, "")
  }
  @Test func synchronousThread() {
    expectProblem(OperatorContract("delayingInRealTime") { up, inputs in up.delayingInRealTime() }, "")
  }
  @Test func newcomers() {
    expectProblem(OperatorContract("handingOut") { up, inputs in up.handingOut() }, "")
  }
  @Test func disposal() {
    expectProblem(
      OperatorContract("delayingForEver", delivery: .partlyScheduled) { up, inputs in
        up.delayingForEver(by: inputs.rest, on: inputs.scheduler)
      }, "")
  }
  @Test func collateral() {
    expectProblem(OperatorContract("endingTogether") { up, inputs in up.endingTogether() }, "")
  }
  @Test func release() {
    expectProblem(OperatorContract("prefixWithoutLeaving") { up, inputs in up.prefixWithoutLeaving(2) }, "")
  }
  @Test func late() {
    expectProblem(
      OperatorContract("forgettingTheEnd", exemptions: [.endlessAtOnce: "own"]) { up, inputs in up.forgettingTheEnd() },
      "")
  }
  @Test func thrown() {
    expectProblem(
      OperatorContract("mapWherePossible") { up, inputs in
        up.mapWherePossible {
          try inputs.visit($0)
          return $0
        }
      }, "")
  }
  @Test func virtualTime() {
    expectProblem(
      OperatorContract("delayingInRealTime", delivery: .scheduled) { up, inputs in up.delayingInRealTime() }, "")
  }
  @Test func virtualTimer() {
    expectProblem(OperatorContract("timing") { up, inputs in up.timing(on: inputs.scheduler) }, "")
  }
  @Test func hops() {
    expectProblem(
      OperatorContract("hoppingFromTheSecond", delivery: .scheduled) { up, inputs in
        up.hoppingFromTheSecond(on: inputs.scheduler)
      }, "")
  }
  @Test func ends() {
    expectProblem(OperatorContract("goingOn") { up, inputs in up.goingOn() }, patience: .milliseconds(100), "")
  }
  @Test func leaks() {
    let bell = Emitter<Void>()
    expectProblem(OperatorContract("watching") { up, inputs in up.watching(bell) }, "")
  }
  @Test func contract() {
    expectProblem(
      OperatorContract("map", delivers: { $0.map { $0 * 2 } }) { up, inputs in up.map { $0 == 3 ? 7 : $0 * 2 } }, "")
  }
  @Test func needless() {
    expectProblem(OperatorContract("map", exemptions: [.failure: "it never fails"]) { up, inputs in up.map { $0 } }, "")
  }
}
