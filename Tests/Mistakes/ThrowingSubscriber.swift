import Dispatch
import Signals

let chain = users.signal
  .map { $0.age + 1 }
  .filter { $0 > 17 }
  .removeDuplicates()
  .scan(0) { $0 + $1 }
  .combineLatest(numbers.signal)
  .map { $0 + $1 }
  .receive(on: .main)
  .subscribe { try check($0) }  // error: invalid conversion from throwing function
