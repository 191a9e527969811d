import Signals

/// A total that is shown with an old tax and a new price for a moment, as both come from the price.
struct MixedInputs: Fault {
  private let price = Property(100)

  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    let net = price.signal.map { $0 * 100 }
    let tax = price.signal.map { $0 * 19 }
    // The fault: a new price comes here twice, and the first time with the tax of the old one.
    net.combineLatest(tax).map { $0 + $1 }.subscribe { _ in }.store(in: bag)
    clock.subscribe { [price] in price.value = 100 + $0 }.store(in: bag)
  }
}
