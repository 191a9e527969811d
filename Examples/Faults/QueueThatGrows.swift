import Signals

/// Orders come faster than they are cooked, and wait without a limit.
struct QueueThatGrows: Fault {
  private let orders = Emitter<Int>()

  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    // The fault: one order at a time, each of which takes longer than the next one needs to come.
    orders.signal.mapAsync { order in
      try await Task.sleep(for: .milliseconds(400))
      return order
    }.subscribe(onValue: { _ in }, onFailure: { _ in }).store(in: bag)
    clock.subscribe { [orders] tick in for place in 0..<4 { orders.send(tick * 4 + place) } }.store(in: bag)
  }
}
