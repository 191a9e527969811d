import Feed
import SignalTesting
import Synchronization
import Testing

@Suite struct FeedTests {
  @Test func headlinesAreShownOnceAndInCapitals() {
    let feed = Feed()
    let shown = Mutex<[String]>([])
    let subscription = feed.shown.subscribe { headline in shown.withLock { $0.append(headline) } }
    for headline in ["rain", "rain", "sun"] { feed.add(headline) }
    subscription.dispose()
    feed.add("snow")
    #expect(shown.withLock { $0 } == ["RAIN", "SUN"])
  }

  @Test func marblesAreReadAndWritten() throws {
    let diagram = try ParsedMarbleDiagram(MarbleText("-a-(bc)|"), role: .expectation).diagram
    #expect(try MarblePrinter().print(diagram) == "-a-(bc)|")
  }
}
