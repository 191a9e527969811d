import Dispatch
import Signals

let chain = users.signal
  .combineLatest(numbers.signal)
  .removeDuplicates()  // error: type '(User, Int)' cannot conform to 'Equatable'
  .map { $0.age + $1 }
  .filter { $0 > 17 && $0 % 2 == 0 }
  .scan(0) { $0 + $1 }
  .map { "\($0)" + "x" }
  .subscribe { print($0) }
