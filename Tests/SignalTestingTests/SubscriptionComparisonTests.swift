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
    #expect(
      text == """
        expected  --^--!
        actual    --^----!
                       ^ ^

        subscription 2: unsubscribed at frame 7 instead of frame 5

        expected  ---(^!)
        actual    ---^
                     ^~~~

        subscription 3: never unsubscribed, expected at frame 3

        expected  ^---
        actual    -^-!
                  ^^ ^

        subscription 4: subscribed at frame 1 instead of frame 0
        subscription 4: unsubscribed at frame 3, expected to stay

        expected
        actual    ----^
                      ^

        subscription 5: extra
        """)
  }
}
