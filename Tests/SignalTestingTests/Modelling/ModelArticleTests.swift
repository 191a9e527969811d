import Signals
import Testing

@testable import SignalTesting

// The example of ComparingWithAModel.md, word for word: it finds a bug that the plain test misses.

extension Signal where Value == Int {
  /// Delivers each value that is higher than all before it.
  func records() -> Signal<Int> {
    prepend(0).pairwise().filter { $1 > $0 }.map { $1 }
  }
}

func recordsAreHigherThanAllBefore() {
  expectModel(of: "records") { upstream, _ in
    upstream.records()
  } reference: { events, _ in
    var highest = 0
    return events.replacingValues { value in
      guard value > highest else { return [] }
      highest = value
      return [value]
    }
  }
}

@Suite struct ModelArticleTests {
  @Test func theExampleFindsItsBug() throws {
    let failures = heldFailures { recordsAreHigherThanAllBefore() }
    try #require(failures.count == 1)
    let article = try ArticleText("ComparingWithAModel")
    try article.expectCode(in: #filePath)
    func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }
    #expect(words(failures[0].message) == words(article.message))
    marbles { m in
      let values = m.hot("-1-3-2-5-|", of: Int.self)
      m.expect(values.signal.records(), "-1-3---5-|")
    }
  }
}
