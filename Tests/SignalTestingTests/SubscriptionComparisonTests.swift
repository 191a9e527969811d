import SignalTesting
import Testing

@Suite struct SubscriptionComparisonTests {
  private func compare(_ expected: [String], _ actual: [String]) throws -> SubscriptionComparison {
    SubscriptionComparison(
      expected: try expected.map { try SubscriptionDiagram($0) }, actual: try actual.map { try SubscriptionDiagram($0) }
    )
  }

  @Test func agree() throws {
    let comparison = try compare(["^---", "-^-!"], ["^", "-^-!--"])
    #expect(comparison.isMatch)
    #expect(comparison.description == "")
  }

  @Test func showsEachSubscriptionThatDiffers() throws {
    let text = try compare(["^--!", "--^--!", "---(^!)", "^"], ["^--!", "--^----!", "---^", "-^-!", "----^"])
      .description
    print(text)
  }
}
