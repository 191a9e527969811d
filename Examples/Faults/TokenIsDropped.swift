import Signals

/// The subscription of a log ends as soon as it was made, because nobody keeps it.
struct TokenIsDropped: Fault {
  private let orders = Emitter<String>()

  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    // The fault: what `subscribe` returns is thrown away.
    _ = orders.signal.map { "order of \($0)" }.subscribe { print($0) }
    clock.map { "table \($0 % 10)" }.subscribe { [orders] in orders.send($0) }.store(in: bag)
  }
}
