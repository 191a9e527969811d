import SignalTesting
import Signals
import Synchronization
import Testing

@Test func removesItsObserver() {
  let thermometer = Thermometer()
  assertNoLeaks {
    let subscription = thermometer.temperatures.subscribe { _ in }
    #expect(thermometer.observerCount == 1)
    subscription.dispose()
  }
  #expect(thermometer.observerCount == 0)
}

@Test func sharesOneObserver() {
  let thermometer = Thermometer()
  let temperatures = thermometer.sharedTemperatures()
  let first = temperatures.subscribe { _ in }
  let second = temperatures.subscribe { _ in }
  #expect(thermometer.observerCount == 1)
  first.dispose()
  second.dispose()
  #expect(thermometer.observerCount == 0)
}

@Test func failsBelowAbsoluteZero() {
  let thermometer = Thermometer()
  let events = Mutex<[Event<Double>]>([])
  let subscription = thermometer.temperatures.subscribeToEvents { event in
    events.withLock { $0.append(event) }
  }
  thermometer.tell(20)
  thermometer.tell(-300)
  #expect(events.withLock { $0 } == [.value(20), .failed(ThermometerIsBroken())])
  #expect(subscription.isDisposed)
}
