import Dispatch
import Signals

/// What the user chose.
struct Settings: Sendable, Equatable {
  var resultsPerPage = 3
  var isCaseSensitive = false
}

/// The chains of the program.
final class App: Sendable {
  private let keystrokes = Emitter<String>()
  private let settings = Property(removingDuplicates: Settings())
  private let statusLine = Property("")
  private let bag = DisposeBag()
  private let worker: any Scheduler = .qos(.userInitiated)

  init() {
    typeWords()
    showResults()
    showStatus()
  }

  func close() {
    bag.close()
  }

  /// Somebody types, letter by letter, with pauses between words.
  private func typeWords() {
    let words = ["signal", "graph", "marble", "leak", "virtual time"]
    Signal.interval(every: .milliseconds(100), on: worker)
      .compactMap { tick -> String? in
        let word = words[tick / 20 % words.count]
        let length = tick % 20 + 1
        return length <= word.count ? String(word.prefix(length)) : nil
      }
      .named("typist")
      .subscribe { [keystrokes] text in keystrokes.send(text) }
      .store(in: bag)
  }

  /// What was typed becomes pages of results, on a worker queue and back on the main queue.
  private func showResults() {
    let keystrokes = keystrokes.signal
    let worker = worker
    let queries = keystrokes
      .debounce(for: .milliseconds(200), on: worker).named("search text")
      .removeDuplicates()
      .combineLatest(settings.signal)
    queries
      .flatMapLatest { text, settings in
        // Pages come until there is something new to search for.
        Library.pages(matching: text, settings, on: worker)
          .prefix(untilOutputFrom: keystrokes)
      }
      .receive(on: .main)
      .named("results")
      .subscribe { [statusLine] page in statusLine.value = page.joined(separator: ", ") }
      .store(in: bag)
  }

  /// A line at the bottom of the window that is written anew four times a second.
  private func showStatus() {
    Signal.interval(every: .milliseconds(250), on: .main)
      .withLatest(from: statusLine.signal)
      .map { tick, text in "\(tick): \(text)" }
      .removeDuplicates()
      .named("status line")
      .subscribe { _ in }
      .store(in: bag)
  }

  /// Opens and closes a sheet that forgets one of its subscriptions: this is the leak to find in the picture.
  func openSettingsSheet() {
    let sheet = GraphScope("settings sheet")
    sheet.run {
      settings.signal
        .map { "\($0.resultsPerPage) results per page" }
        .named("preview of the settings")
        .subscribe { _ in }
        .retained()
    }
    sheet.end()
  }
}
