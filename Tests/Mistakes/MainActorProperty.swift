import Dispatch
import Signals

// The cure: `.subscribeOnMain { [weak self] in self?.title = $0 }`.
@MainActor final class TitleBar {
  var title = ""
  let bag = DisposeBag()

  func watch() {
    users.signal
      .filter { $0.age > 17 }
      .map(\.name)
      .removeDuplicates()
      .receive(on: .main)
      .subscribe { [weak self] in self?.title = $0 }  // error: main actor-isolated property 'title' can not be mutated
      .store(in: bag)
  }
}
