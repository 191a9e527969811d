import SignalTesting
import Testing

@Suite struct SubscriptionDiagramTests {
  @Test(
    arguments: [
      ("^", 0, nil, 1), ("--^--!", 2, 5, 6), ("--(^!)", 2, 2, 3), ("---!", nil, 3, 4), ("^ 10ms !--", 0, 11, 14),
      ("-^-\n-!", 1, 4, 5),
    ] as [(String, Int64?, Int64?, Int64)])
  func reads(text: String, subscribed: Int64?, unsubscribed: Int64?, end: Int64) throws {
    let diagram = try SubscriptionDiagram(text)
    #expect(diagram.subscribed == subscribed.map { $0 * 1_000_000 })
    #expect(diagram.unsubscribed == unsubscribed.map { $0 * 1_000_000 })
    #expect(diagram.end == end * 1_000_000)
  }

  @Test func groupsOfRxJSTakeTheirWidth() throws {
    #expect(try SubscriptionDiagram("-(^!)", dialect: .rxjs).end == 5_000_000)
    #expect(try SubscriptionDiagram("-( ^ ! )", dialect: .rxjs).end == 5_000_000)
    #expect(try SubscriptionDiagram("^- - - - - !", dialect: .rxjs).unsubscribed == 6_000_000)
  }

  @Test(
    arguments: [
      ("-^-^", "a second ^", 3..<4), ("^-!-!", "a second !", 4..<5), ("!-^", "^ comes after !", 2..<3),
      ("(!^)", "^ comes after !", 2..<3), ("-a", "'a' has no meaning in a subscription diagram", 1..<2),
      ("---", "the diagram has no ^", 0..<3), ("(^", "( is not closed", 0..<1), ("()", "an empty group", 0..<2),
      ("((^))", "a group inside a group", 1..<2), ("^)", ") without its opening", 1..<2),
      ("(^-!)", "- inside a group", 2..<3), ("", "the diagram is empty", 0..<0),
      ("^1ms!", "'1ms' touches its neighbours: it could be a duration or 3 values", 1..<4),
    ])
  func rejects(text: String, message: String, place: Range<Int>) throws {
    let error = try #require(throws: MarbleSyntaxError.self) { try SubscriptionDiagram(text) }
    #expect(error.message == message)
    #expect(error.place == place)
  }

  @Test func anExpectationNeedsItsStart() {
    #expect(throws: MarbleSyntaxError.self) { try SubscriptionDiagram("---!", requiresSubscribing: true) }
  }
}
