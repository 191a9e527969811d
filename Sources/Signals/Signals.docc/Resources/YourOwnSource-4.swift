import Signals

/// The error of a broken thermometer.
struct ThermometerIsBroken: Error {}

extension Thermometer {
  /// The temperatures from now on. Fails below absolute zero.
  var temperatures: Signal<Double> {
    Signal { producer in
      let key = self.addObserver { temperature in
        if temperature < -273.15 {
          producer.fail(ThermometerIsBroken())
        } else {
          producer.send(temperature)
        }
      }
      producer.onDisposal { self.removeObserver(key) }
    }
  }
}
