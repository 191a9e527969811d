import SignalTesting
import Signals
import Testing

@Test(.healthy) func showsHeadlines() {
  let headlines = Emitter<String>()
  let bag = DisposeBag()
  headlines.signal.map { $0.uppercased() }.subscribe { text in print(text) }.store(in: bag)
  headlines.send("rain")
}

func searchesAlsoWhileSomebodyTypes() throws {
  try assertHealthy {
    let time = VirtualTimeScheduler()
    let keys = Emitter<String>()
    let bag = DisposeBag()
    // With debounce(for:on:) the check reports: starved: this `debounce` got 99 values in 5 s and gave none
    keys.signal.throttle(for: .milliseconds(100), on: time, latest: true).subscribe { print($0) }.store(in: bag)
    for _ in 0..<200 {
      keys.send("a")
      try time.advance(by: .milliseconds(50))
    }
  }
}

func theBannerStillComesTooLate() {
  let news = Emitter<String>()
  news.finish()
  assertHealthy(allowing: ["late-subscriber"]) {
    let bag = DisposeBag()
    news.signal.subscribe { text in print(text) }.store(in: bag)
  }
}

/// The samples of the article about checking that a graph is healthy, and what it says about them.
@Suite struct HealthArticleTests {
  @Test func theSamplesAreHealthy() throws {
    try searchesAlsoWhileSomebodyTypes()
    theBannerStillComesTooLate()
    try ArticleText("CheckingThatAGraphIsHealthy").expectCode(in: #filePath)
  }

  @Test func theMessageIsThatOfTheArticle() throws {
    let issues = issuesOf {
      assertHealthy {
        let headlines = Emitter<String>()
        _ = headlines.signal.map { $0.uppercased() }.subscribe { text in print(text) }
        headlines.send("rain")
      }
    }
    let lines = issues.first?.comments.first?.rawValue.split(separator: "\n") ?? []
    let article = try ArticleText("CheckingThatAGraphIsHealthy").message.split(separator: "\n")
    #expect(lines.count == 4)
    // The names of the function and of the file are the article's own.
    #expect(lines.first == article.first)
    #expect(lines.dropFirst(2).first == article.dropFirst(2).first)
  }

  @Test func theSampleOfTheFunction() {
    assertHealthy {
      let headlines = Emitter<String>()
      let bag = DisposeBag()
      headlines.signal.map { $0.uppercased() }.subscribe { text in print(text) }.store(in: bag)
      headlines.send("rain")
      headlines.finish()
    }
  }

  @Test func theSampleOfTheRounds() {
    let temperatures = Property(20.0)
    assertHealthy(repeating: 5) {
      let bag = DisposeBag()
      temperatures.signal.map { $0.rounded() }.subscribe { _ in }.store(in: bag)
    }
  }
}
