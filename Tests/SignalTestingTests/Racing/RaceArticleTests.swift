import Signals
import Testing

@testable import SignalTesting

// The example of SearchingForRaces.md, word for word: it finds a bug that the plain test misses.

final class Downloads: Sendable {
  let finished = Property(0)

  func noteFinished() { finished.value += 1 }
}

func eachDownloadCounts() {
  searchRaces { race in
    let downloads = Downloads()
    for _ in 1...2 {
      race.thread { thread in
        for _ in 1...3 {
          thread.step("finished") { downloads.noteFinished() }
        }
      }
    }
    race.check { #expect(downloads.finished.value == 6) }
  }
}

func nothingIsLostWhenOthersLeave() {
  searchRaces(rounds: 200) { race in
    let emitter = Emitter<Int>()
    let stays = race.observe(emitter.signal)
    let leaves = race.observe(emitter.signal)
    race.anywhere("leave") { leaves.dispose() }
    for number in 1...2 {
      race.thread { thread in thread.step("send") { emitter.send(number) } }
    }
    race.check { #expect(stays.values.sorted() == [1, 2]) }
  }
}

@Suite struct RaceArticleTests {
  @Test func theOtherExamplePasses() { nothingIsLostWhenOthersLeave() }

  @Test func theExampleFindsItsBug() throws {
    // Real threads promise nothing, least of all on a machine that is busy.
    var failures: [FailureCapture.Failure] = []
    for _ in 1...50 where failures.isEmpty { failures = heldFailures { eachDownloadCounts() } }
    try #require(failures.count == 1)
    let article = try ArticleText("SearchingForRaces")
    try article.expectCode(in: #filePath)
    #expect(ArticleText.plain(failures[0].message) == ArticleText.plain(article.message))
    let downloads = Downloads()
    for _ in 1...6 { downloads.noteFinished() }
    #expect(downloads.finished.value == 6)
  }
}
