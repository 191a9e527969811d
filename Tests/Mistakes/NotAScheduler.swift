import Dispatch
import Signals

let chain = texts.signal
  .map { $0.lowercased() }
  .removeDuplicates()
  .debounce(for: .milliseconds(300), on: DispatchQueue.main)  // error: write `.main` for the main queue
  .flatMapLatest { search($0) }
  .map { $0.map(\.name) }
  .catch { _ in .just([]) }
  .receive(on: .main)
  .subscribe { print($0.joined()) }
