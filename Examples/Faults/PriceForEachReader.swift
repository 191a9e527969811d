import Dispatch
import Signals

/// Three places show a price, and each of them runs a timer and asks for it anew, four times a second.
struct PriceForEachReader: Fault {
  // The fault: `share()` is missing.
  private let price = Signal.interval(every: .milliseconds(250), on: .qos(.userInitiated)).map { 100 + $0 }

  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    price.map { "\($0) EUR" }.subscribe { _ in }.store(in: bag)
    price.map { $0 > 110 }.removeDuplicates().subscribe { _ in }.store(in: bag)
    price.scan(0, max).subscribe { _ in }.store(in: bag)
  }
}
