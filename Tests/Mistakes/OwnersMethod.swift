import Dispatch
import Signals

func bind(_ screen: Screen) {
  users.signal
    .filter { $0.age > 17 }
    .map(\.name)
    .removeDuplicates()
    .scan("") { $0 + $1 }
    .receive(on: .main)
    .subscribe(with: screen) { $0.show($1.count) }  // error: cannot convert value of type 'Int'
}
