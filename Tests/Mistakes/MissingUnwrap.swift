import Dispatch
import Signals

let chain = users.signal
  .filter { $0.age > 17 }
  .map { $0.nick }  // error: value of optional type 'String?' must be unwrapped
  .removeDuplicates()
  .map { $0.count }
  .throttle(for: .seconds(1), on: .main, latest: true)
  .combineLatest(numbers.signal)
  .filter { $0 > $1 }
  .map(\.0)
  .receive(on: .main)
  .subscribe { print($0) }
