import Dispatch
import SignalInspector
import Signals

/// What is to be searched for: the text of a field, once it has stayed the same for a while.
func searches(texts: Signal<String>, pause: Duration, on scheduler: any Scheduler) -> Signal<String> {
  texts
    .removeDuplicates()
    .debounce(for: pause, on: scheduler)
    .named("searches")
}

@main
struct SearchField {
  static func main() async throws {
    try await SignalInspector.start()
    let bag = DisposeBag()
    let field = Property("")
    // The field sends its text with each frame that it draws.
    let texts = Signal.interval(every: .milliseconds(20), on: .qos(.userInitiated)).map { _ in field.value }
    searches(texts: texts, pause: .milliseconds(500), on: .qos(.userInitiated))
      .subscribe { text in print("searching for: \(text)") }
      .store(in: bag)
    for number in 1... {
      for text in ["n", "ne", "news", "news \(number)"] {
        field.value = text
        try await Task.sleep(for: .milliseconds(100))
      }
      print("typed: news \(number)")
      try await Task.sleep(for: .seconds(1))
    }
  }
}
