import Dispatch
import Signals

/// A search waits for a pause in what is typed, but the cursor's blinking counts as typing.
struct SearchThatNeverStarts: Fault {
  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    let texts = clock.map { _ in "signal" }
    // The fault: there never is a pause of 900 ms.
    texts.debounce(for: .milliseconds(900), on: .qos(.userInitiated)).subscribe { print("searching for \($0)") }
      .store(in: bag)
  }
}
