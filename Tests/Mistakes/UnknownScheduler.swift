import Dispatch
import Signals

let chain = texts.signal
  .map { $0.count }
  .filter { $0 > 2 }
  .debounce(for: .milliseconds(300), on: .mane)  // error: has no member 'mane'
  .removeDuplicates()
  .scan(0) { $0 + $1 }
  .map { "\($0)" }
  .receive(on: .main)
  .subscribe { print($0) }
