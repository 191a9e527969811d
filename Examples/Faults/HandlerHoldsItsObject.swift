import Signals

/// Each new guest holds its own subscription, whose closure holds the guest.
struct HandlerHoldsItsObject: Fault {
  private final class Guest: Sendable {
    private let bag = DisposeBag()
    private let hunger = Property(10)

    func order(from menu: Signal<String>) {
      // The fault: the closure holds `self`, which holds the bag, which holds the closure.
      menu.subscribe { _ in self.hunger.value -= 1 }.store(in: bag)
    }
  }

  private let menu = Emitter<String>()

  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    clock.filter { $0 % 3 == 0 }.subscribe { [menu] _ in Guest().order(from: menu.signal) }.store(in: bag)
  }
}
