import Signals

let keystrokes = Emitter<String>()
let settings = Property("all")
let bag = DisposeBag()

keystrokes.signal
  .debounce(for: .milliseconds(300), on: .main).named("search text")
  .removeDuplicates()
  .combineLatest(settings.signal)
  .receive(on: .main)
  .subscribe { text, scope in print("searching \(scope) for \(text)") }
  .store(in: bag)

keystrokes.send("marble")
