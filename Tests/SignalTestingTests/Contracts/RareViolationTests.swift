import SignalTesting
import Signals
import Testing

/// Operators whose bug shows only with certain values or ends. Each is exempt from the check of endless sources, which it cannot pass.
@Suite struct RareViolationTests {
  private static let exemptions: [OperatorCheck: String] = [
    .endlessAtOnce: "its subscription is there only once everything that comes at once has come"
  ]

  private func problem(
    delivers: (@Sendable ([Int]) -> [Int])? = nil, _ build: @escaping @Sendable (Signal<Int>) -> Signal<Int>
  ) -> String {
    let contract = OperatorContract("faulty", delivers: delivers, exemptions: Self.exemptions) { up, _ in build(up) }
    return ContractChecks(contract, patience: .seconds(1)).firstProblem() ?? ""
  }

  @Test func failureBeforeAnyValueThatIsLostIsFound() {
    let problem = problem { $0.finishingForEarlyFailures() }
    #expect(problem.contains("a source that fails"), "\(problem)")
  }

  @Test func lostEqualNeighbourIsFound() {
    let problem = problem(delivers: { $0 }) { $0.losingEqualNeighbours() }
    #expect(problem.contains("missing 1"), "\(problem)")
  }

  @Test(arguments: [6, 12, 20]) func lostValueIsFound(_ number: Int) {
    let problem = problem(delivers: { $0 }) { $0.losing(number: number) }
    #expect(problem.contains("missing"), "\(problem)")
  }

  @Test func lateLossIsFound() {
    let problem = problem(delivers: { $0 }) { $0.losing(number: 250) }
    #expect(problem.contains("missing"), "\(problem.prefix(2_000))")
  }

  @Test func lostNegativeIsFound() {
    let problem = problem(delivers: { $0 }) { $0.losingNegatives() }
    #expect(problem.contains("missing"), "\(problem)")
  }

  @Test func lockThatIsHeldInTheHandlerOfAnEndIsFound() {
    let problem = problem { $0.endingUnderALock() }
    #expect(problem.contains("breaks law 4"), "\(problem)")
    #expect(problem.contains("the handler of the end"), "\(problem)")
  }

  @Test func failureThatComesLaterIsFound() {
    let problem = problem { $0.failingLater() }
    #expect(problem.contains("breaks law 5"), "\(problem)")
  }

  @Test func correctOperatorPasses() {
    #expect(problem(delivers: { $0 }) { $0.handling { event, _, producer in producer.send(event: event) } } == "")
  }
}
