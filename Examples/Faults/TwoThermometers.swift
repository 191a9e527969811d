import Dispatch
import Signals

/// Two thermometers follow each other, and each corrects the other one for ever, as neither rounds as the other does.
struct TwoThermometers: Fault {
  private let celsius = Emitter<Double>()
  private let fahrenheit = Emitter<Double>()

  func start(_ clock: Signal<Int>, in bag: DisposeBag) {
    let worker: any Scheduler = .qos(.userInitiated)
    // The fault: this comes back to where it came from, changed or not.
    celsius.signal.delay(for: .milliseconds(2), on: worker).subscribe { [fahrenheit] in
      fahrenheit.send(($0 * 9 / 5 + 32).rounded())
    }.store(in: bag)
    fahrenheit.signal.delay(for: .milliseconds(2), on: worker).subscribe { [celsius] in
      celsius.send(($0 - 32) * 5 / 9)
    }.store(in: bag)
    clock.first().subscribe { [celsius] in celsius.send(Double($0)) }.store(in: bag)
  }
}
