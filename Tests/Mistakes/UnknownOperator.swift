import Dispatch
import Signals

let chain = texts.signal
  .map { $0.lowercased() }
  .filtre { $0.count > 2 }  // error: value of type 'Signal<String>' has no member 'filtre'
  .removeDuplicates()
  .flatMapLatest { search($0) }
  .map { $0.map(\.name) }
  .withLatest(from: numbers.signal)
  .map(\.0)
  .receive(on: .main)
  .subscribe { print($0) }
