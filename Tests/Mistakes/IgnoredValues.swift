import Dispatch
import Signals

let chain = users.signal
  .map { $0.agee }  // error: value of type 'User' has no member 'agee'
  .ignoreValues()
  .concat(numbers.signal)
  .append(7)
  .contains { $0 > 3 && $0 < 100 }
  .replaceEmpty(with: false)
  .receive(on: .main)
  .subscribe { print($0) }
