import Dispatch
import Signals

/// Five labels show a price, and each of them asks for it anew, four times a second.
struct PriceForEachReader: Fault {
  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    // The fault: without `share()` each subscription runs a timer and a request of its own.
    let price = Signal.interval(every: .milliseconds(250), on: .qos(.userInitiated)).map { 100 + $0 }
    for label in 0..<5 { price.map { "label \(label): \($0)" }.subscribe { _ in }.store(in: bag) }
  }
}
