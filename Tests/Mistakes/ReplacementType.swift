import Dispatch
import Signals

let chain = texts.signal
  .flatMap { search($0) }
  .map(\.count)
  .catch { _ in .just("none") }  // error: cannot convert value of type 'String' to expected argument type 'Int'
  .removeDuplicates()
  .prefix(2)
  .subscribe { print($0) }
