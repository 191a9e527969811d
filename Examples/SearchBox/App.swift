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
    showResults()
    showStatus()
    typeWords()
  }

  func close() {
    bag.close()
  }

  /// What was typed becomes pages of results, on a worker queue and back on the main queue.
  private func showResults() {
    let worker = worker
    let typed = keystrokes.signal.named("keystrokes")
    typed
      .debounce(for: .milliseconds(200), on: worker).named("pause in typing")
      .removeDuplicates().named("new search text")
      .combineLatest(settings.signal.named("settings")).named("query")
      .flatMapLatest { text, settings in
        // Pages come until the next key is pressed.
        Library.pages(matching: text, settings, on: worker)
          .prefix(untilOutputFrom: typed).named("until the next key")
      }.named("search")
      .receive(on: .main).named("results")
      .subscribe { [statusLine] page in statusLine.value = page.joined(separator: ", ") }
      .store(in: bag)
  }

  /// A line at the bottom of the window that is written anew four times a second.
  private func showStatus() {
    Signal.interval(every: .milliseconds(250), on: .main).named("status tick")
      .withLatest(from: statusLine.signal.named("status")).named("tick and status")
      .map { tick, text in "\(tick): \(text)" }.named("status text")
      .removeDuplicates().named("status line")
      .subscribe { _ in }
      .store(in: bag)
  }

  /// Somebody types, letter by letter, with pauses between words.
  private func typeWords() {
    let words = ["signal", "graph", "marble", "leak", "virtual time"]
    Signal.interval(every: .milliseconds(100), on: worker).named("typing speed")
      .compactMap { tick -> String? in
        let word = words[tick / 20 % words.count]
        let length = tick % 20 + 1
        return length <= word.count ? String(word.prefix(length)) : nil
      }.named("typist")
      .subscribe { [keystrokes] text in keystrokes.send(text) }
      .store(in: bag)
  }

  /// Somebody changes a setting in a sheet. The sheet forgets one of its subscriptions when it closes: this is the
  /// leak to find in the picture.
  func changeSettings() {
    let sheet = GraphScope("settings sheet")
    sheet.run {
      settings.signal
        .map { "\($0.resultsPerPage) results per page" }.named("preview")
        .subscribe { _ in }
        .retained()
    }
    settings.update { $0.resultsPerPage = 4 }
    sheet.end()
  }
}
