import Dispatch
import Signals

let chain = texts.signal
  .map { $0.lowercased() }
  .filter { $0.count }  // error: cannot convert value of type 'Int' to closure result type 'Bool'
  .removeDuplicates()
  .debounce(for: .milliseconds(300), on: .main)
  .flatMapLatest { search($0).retry(2) }
  .map { $0.map(\.name) }
  .receive(on: .main)
  .subscribe { print($0.joined()) }
