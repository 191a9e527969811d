import Dispatch
import Signals

let chain = users.signal
  .map { $0.age + 1 }
  .scan(0) { $0 + 1 }  // error: expects 2 arguments, but 1 was used in closure body
  .filter { $0 > 3 && $0 < 100 }
  .removeDuplicates()
  .map { $0 * 2 + 1 }
  .combineLatest(numbers.signal)
  .map { $0 + $1 * 2 }
  .receive(on: .main)
  .subscribe { print($0) }
