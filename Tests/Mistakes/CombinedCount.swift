import Dispatch
import Signals

let chain = users.signal
  .map(\.age)
  .combineLatest(numbers.signal, doubles.signal)
  .filter { age, number in age > number }  // error: but 2 were used in closure body
  .map(\.0)
  .removeDuplicates()
  .scan(0) { $0 + $1 }
  .receive(on: .main)
  .subscribe { print($0) }
