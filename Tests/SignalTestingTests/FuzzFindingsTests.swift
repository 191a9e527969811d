import SignalTesting
import Testing

/// What the fuzzers of `scripts/fuzz` found: each text and each diagram here ended the program, or was written as what does not read.
@Suite struct FuzzFindingsTests {
  @Test(arguments: MarbleDialect.allCases) func aDiagramThatTakesNoTimeReadsBack(dialect: MarbleDialect) throws {
    let diagram = try MarbleDiagram("0ms ", dialect: dialect)
    let printed = try MarblePrinter(dialect: dialect).print(diagram)
    #expect(try MarbleDiagram(printed, dialect: dialect) == diagram)
  }

  @Test func aSubscriptionThatTakesNoTimeHasADescription() {
    #expect(SubscriptionDiagram(subscribed: nil, end: 0).description == "0ms")
  }

  @Test(arguments: [0, -1, Int64.min]) func aFrameThatIsNoneIsRefused(frame: Int64) {
    let diagram = MarbleDiagram(
      moments: [MarbleMoment(nanoseconds: 5, events: [.finished])], start: 0, end: 10, frame: frame)
    #expect(throws: MarblePrintingError.self) { try MarblePrinter().print(diagram) }
    #expect(diagram.description.contains("above 0"))
    let subscription = SubscriptionDiagram(subscribed: 5, unsubscribed: 9, end: 20, frame: frame)
    #expect(throws: MarblePrintingError.self) { try MarblePrinter().print(subscription) }
    let comparison = SubscriptionComparison(expected: [subscription], actual: [])
    #expect(comparison.description.contains("missing"))
  }

  @Test func diagramsAtTheEndOfTimeAreMade() {
    let moment = MarbleMoment(nanoseconds: .max, events: [.finished])
    #expect(MarbleDiagram(moments: [moment]).end == .max)
    #expect(SubscriptionDiagram(subscribed: .max).end == .max)
  }

  @Test func eventsAtTheEndOfTimeAreCompared() throws {
    for time in [Int64.max, .max - 1, .min, .min + 1] {
      let comparison = try MarbleComparison<String>(
        ParsedMarbleDiagram(MarbleText("-a-|"), role: .expectation), values: .literal(),
        actual: [TimedEvent(nanoseconds: time, event: .value("b")), TimedEvent(nanoseconds: time, event: .finished)])
      #expect("\(comparison)".contains("extra"))
    }
  }

  @Test func subscriptionsAtTheEndOfTimeAreCompared() {
    let comparison = SubscriptionComparison(
      expected: [SubscriptionDiagram(subscribed: .min, unsubscribed: .max)],
      actual: [SubscriptionDiagram(subscribed: 0, unsubscribed: .max - 1)])
    #expect(comparison.description.contains("instead of"))
  }
}
