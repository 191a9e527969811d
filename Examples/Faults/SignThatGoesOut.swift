import Dispatch
import Signals

/// A sign lights up when an order is ready, and goes out for the next one: after as long as the order takes.
struct SignThatGoesOut: Fault {
  private let orders = Emitter<Int>()
  private let sign = Property("")

  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    let worker: any Scheduler = .qos(.userInitiated)
    let ready = orders.signal.delay(for: .milliseconds(200), on: worker).map { "order \($0) is ready" }
    let dark = orders.signal.delay(for: .milliseconds(200), on: worker).map { _ in "" }
    // The fault: both are due at the same moment, and whichever comes last stays.
    ready.merge(with: dark).subscribe { [sign] in sign.value = $0 }.store(in: bag)
    clock.filter { $0 % 6 == 0 }.subscribe { [orders] in orders.send($0) }.store(in: bag)
  }
}
