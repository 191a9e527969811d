import Dispatch
import Signals

let chain = numbers.signal
  .filter { $0 > 17 }
  .merge(with: texts.signal)  // error: cannot convert value of type 'Signal<String>'
  .removeDuplicates()
  .throttle(for: .seconds(1), latest: true, on: .main)
  .prefix(3)
  .subscribe { print($0) }
