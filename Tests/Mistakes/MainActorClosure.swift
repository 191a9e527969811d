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
      .receive(on: .main)
      .subscribe { @MainActor [weak self] in self?.title = $0 }  // error: loses global actor 'MainActor'
      .store(in: bag)
  }
}
