import Dispatch
import Signals

let chain = numbers.signal
  .filter { $0 > 17 }
  .merge(with: texts.signal)  // error: cannot convert value of type 'Signal<String>'
  .removeDuplicates()
  .throttle(for: .seconds(1), on: .main, latest: true)
  .prefix(3)
  .subscribe { print($0) }
