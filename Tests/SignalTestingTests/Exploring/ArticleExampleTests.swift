import Foundation
import Signals
import Testing

@testable import SignalTesting

// The examples of the articles, word for word: each finds a bug that the plain test misses.

// ExploringInterleavings.md

final class Search: Sendable {
  let shown = Property("")
  private let bag = DisposeBag()

  func ask(_ answer: Signal<String>) {
    answer.subscribe { [shown] in shown.value = $0 }.store(in: bag)
  }
}

func theNewestAnswerIsShown() {
  exploreInterleavings { scheduler in
    let search = Search()
    search.ask(.just("old").delay(for: .milliseconds(3), on: scheduler))
    search.ask(.just("new").delay(for: .milliseconds(3), on: scheduler))
    try scheduler.run()
    #expect(search.shown.value == "new")
  }
}

actor Account {
  private(set) var balance = 10

  func withdraw(_ amount: Int, on time: some Clock<Duration>) async throws {
    guard balance >= amount else { return }
    try await time.sleep(for: .milliseconds(1))  // Others come in between.
    balance -= amount
  }
}

func theAccountIsNeverOverdrawn() {
  exploreInterleavings(ofTask: { time in
    let account = Account()
    let first = Task { try await account.withdraw(8, on: time) }
    let second = Task.detached {
      try await time.sleep(for: .milliseconds(1))
      try await account.withdraw(8, on: time)
    }
    try await first.value
    try await second.value
    #expect(await account.balance >= 0)
  })
}

actor Seats {
  private(set) var free = 1

  func isFree() -> Bool { free > 0 }
  func take() { free -= 1 }
}

func book(_ seats: Seats) async {
  guard await seats.isFree() else { return }
  await Task.yield()  // Another task may come in here.
  await seats.take()
}

func noSeatIsTakenTwice() {
  exploreInterleavings(ofTask: { _ in
    let seats = Seats()
    let one = Task { await book(seats) }
    let other = Task { await book(seats) }
    _ = await (one.value, other.value)
    #expect(await seats.free >= 0)
  })
}

// CancellingEverywhere.md

extension Signal {
  func lagging(by pause: Duration, on scheduler: any Scheduler) -> Signal {
    Signal { producer in
      producer.own(
        subscribe(
          onValue: { value in
            _ = scheduler.schedule(after: pause) { producer.send(value) }
          },
          onFinish: {
            _ = scheduler.schedule(after: pause) { producer.finish() }
          }))
    }
  }
}

func laggingCanBeLeftAnywhere() {
  cancelEverywhere { m in
    let source = m.hot("-a-----b-|")
    m.expect(source.signal.lagging(by: .milliseconds(3), on: m.scheduler), "----a-----b-|")
  }
}

// HowGoodIsATest.md

extension Signal {
  /// Meant to deliver the first value of each three milliseconds.
  func firstOfWindow(on scheduler: any Scheduler) -> Signal {
    throttle(for: .milliseconds(3), on: scheduler, latest: true)
  }
}

func firstOfWindowIsTestedWell() {
  expectMutationsNoticed { m in
    let source = m.hot("-a----b----c---|")
    let count = source.signal.firstOfWindow(on: m.scheduler).count()
    m.expect(count, "---------------(<3>|)", values: ["3": 3])
  }
}

// FindingGlitches.md

func theTotalIsNeverHalfNew() {
  expectNoGlitches { m in
    let price = m.hot("-1--2--|", of: Int.self)
    let tax = price.signal.map { $0 * 2 }
    m.expect(price.signal.combineLatest(tax).map { $0 + $1 }, "-3--(46)--|")
  }
}

@Suite struct ArticleExampleTests {
  @Test(arguments: [theAccountIsNeverOverdrawn, noSeatIsTakenTwice] as [@Sendable () -> Void])
  func searchFindsBugOfActor(example: @Sendable () -> Void) {
    #expect(heldFailures { example() }.count == 1)
  }

  @Test(
    arguments: [
      ("ExploringInterleavings", theNewestAnswerIsShown), ("CancellingEverywhere", laggingCanBeLeftAnywhere),
      ("HowGoodIsATest", firstOfWindowIsTestedWell), ("FindingGlitches", theTotalIsNeverHalfNew),
    ] as [(String, @Sendable () -> Void)])
  func eachExampleFindsItsBug(article: String, example: @Sendable () -> Void) throws {
    let failures = heldFailures { example() }
    try #require(failures.count == 1)

    let here = URL(fileURLWithPath: #filePath)
    let source = try String(contentsOf: here, encoding: .utf8)
    let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent("Sources/SignalTesting/SignalTesting.docc/Articles/\(article).md"),
      encoding: .utf8)
    let blocks = text.components(separatedBy: "\n```\n").compactMap { part -> String? in
      guard let start = part.range(of: "```swift\n") else { return nil }
      return String(part[start.upperBound...])
    }
    try #require(!blocks.isEmpty)
    for block in blocks {
      let code = block.replacingOccurrences(of: "@Test ", with: "").split(
        separator: "\n", omittingEmptySubsequences: false
      )
      .filter { !$0.hasPrefix("import ") }.joined(separator: "\n").trimmingCharacters(in: .newlines)
      for paragraph in code.components(separatedBy: "\n\n") { #expect(source.contains(paragraph)) }
    }
    // What the article shows is what comes, but for names of files and what is cut.
    let shown =
      text.components(separatedBy: "```text\n").dropFirst().first?.components(separatedBy: "\n```").first ?? ""
    #expect(!shown.isEmpty)
    func plain(_ text: String) -> String {
      text.replacing(/[A-Za-z]+\.swift:[0-9]+/, with: "PLACE").replacing(
        /[0-9a-z]+(-[0-9]+\.[0-9]+)+-[0-9]+/, with: "TOKEN"
      )
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    for part in shown.components(separatedBy: "\n…") where !part.isEmpty {
      #expect(plain(failures[0].message).contains(plain(part)))
    }
    marbles { m in
      let source = m.hot("-a----b----c---|")
      let count = source.signal.firstOfWindow(on: m.scheduler).count()
      m.expect(count, "---------------(<3>|)", values: ["3": 3])
    }
    marbles { m in
      let price = m.hot("-1--2--|", of: Int.self)
      let tax = price.signal.map { $0 * 2 }
      m.expect(price.signal.combineLatest(tax).map { $0 + $1 }, "-3--(46)--|")
    }
  }
}
