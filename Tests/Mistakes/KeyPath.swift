import Dispatch
import Signals

let chain = users.signal
  .filter { $0.age > 17 }
  .map(\.nam)  // error: value of type 'User' has no member 'nam'
  .removeDuplicates()
  .map { $0.count * 2 + 1 }
  .scan(0) { $0 + $1 }
  .withLatest(from: numbers.signal)
  .map { $0 + $1 }
  .prefix(10)
  .subscribe { print($0) }
