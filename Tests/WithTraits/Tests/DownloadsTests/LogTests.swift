import Downloads
import Logging
import SignalObservability
import SignalTesting
import Signals
import Synchronization
import Testing

/// What a logger was given.
private final class Journal: Sendable {
  struct Entry: Equatable, Sendable {
    var level: Logger.Level
    var message: String
    var source: String
    var file: String
  }

  private let stored = Mutex<[Entry]>([])
  var entries: [Entry] { stored.withLock { $0 } }
  var messages: [String] { entries.map(\.message) }

  func append(_ entry: Entry) { stored.withLock { $0.append(entry) } }

  func logger(_ level: Logger.Level = .trace) -> Logger {
    Logger(label: "test") { _ in Handler(journal: self, logLevel: level) }
  }
}

private struct Handler: LogHandler {
  let journal: Journal
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    journal.append(
      Journal.Entry(level: event.level, message: "\(event.message)", source: event.source, file: event.file))
  }
}

private struct Failure: Error, Equatable {
  var number = 0
}

/// Counts how often it is made into text.
private struct Counted: Sendable, CustomStringConvertible {
  let count: Property<Int>
  var description: String {
    count.value += 1
    return "counted"
  }
}

@Suite("log")
struct LogTests {
  private let journal = Journal()

  @Test("a message for the beginning, each value and the end; everything passes unchanged")
  func values() {
    marbles { m in
      let letters = m.hot("                                            -a-b-|")
      m.expect(letters.signal.log("letters", to: journal.logger()), " -a-b-|")
      m.expectSubscriptions(of: letters, "                             ^----!")
    }
    #expect(
      journal.messages == ["letters: subscribed", "letters: value a", "letters: value b", "letters: finished"])
    #expect(journal.entries.allSatisfy { $0.level == .debug })
    #expect(journal.entries.allSatisfy { $0.source == "DownloadsTests" && $0.file == "DownloadsTests/LogTests.swift" })
  }

  @Test("a failure has a level of its own; without a prefix there is no colon")
  func failure() {
    marbles { m in
      let letters = m.hot("                                   -a-#", error: Failure(number: 1))
      m.expect(letters.signal.log(to: journal.logger()), "    -a-#", error: Failure(number: 1))
    }
    #expect(journal.messages == ["subscribed", "value a", "failed Failure(number: 1)"])
    #expect(journal.entries.map(\.level) == [.debug, .debug, .error])
    Signal<Int>.fail(Failure()).log(to: journal.logger(), level: .trace, failureLevel: .warning)
      .subscribe(onFailure: { _ in }).dispose()
    #expect(journal.entries.map(\.level).suffix(2) == [.trace, .warning])
  }

  @Test("who leaves early is logged")
  func disposal() {
    Signal.sequence(1...).log("n", to: journal.logger()).prefix(1).subscribe { _ in }.dispose()
    #expect(journal.messages == ["n: subscribed", "n: value 1", "n: disposed"])
  }

  @Test("a value is made into text only if the logger takes the level")
  func silence() {
    let count = Property(0)
    Signal.just(Counted(count: count)).log(to: journal.logger(.info)).subscribe { _ in }.dispose()
    #expect(count.value == 0 && journal.entries.isEmpty)
    Signal.just(Counted(count: count)).log(to: journal.logger(.debug)).subscribe { _ in }.dispose()
    #expect(count.value == 1 && journal.messages.count == 3)
  }

  @Test("keeps the laws")
  func laws() {
    expectLaws(of: OperatorContract("log", delivers: { $0 }) { [journal] up, _ in up.log(to: journal.logger()) })
  }

  @Test("in a library that logs what its own signals do")
  func download() {
    let download = Download(journal.logger())
    let subscription = download.progress.subscribe { _ in }
    download.advance(to: 50)
    subscription.dispose()
    #expect(journal.messages == ["download: subscribed", "download: value 50", "download: disposed"])
    #expect(journal.entries.allSatisfy { $0.source == "Downloads" && $0.level == .info })
  }
}
