import Signals

/// Screens are opened and closed one after the other, but a history keeps each of them, and with it its subscription.
struct ClosedScreenIsKept: Fault {
  private final class Screen: Sendable {
    let bag = DisposeBag()

    init(_ prices: Signal<Int>) {
      // The fault: `close()` of a screen that is in the history is never called.
      prices.map { "\($0) EUR" }.subscribe(with: self, in: bag) { _, _ in }
    }
  }

  private let history = Property<[Screen]>([])
  private let prices = Property(100)

  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    clock.filter { $0 % 4 == 0 }.subscribe { [history, prices] _ in
      history.update { $0.append(Screen(prices.signal)) }
    }.store(in: bag)
  }
}
