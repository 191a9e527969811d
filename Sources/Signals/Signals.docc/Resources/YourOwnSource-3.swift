import Signals

extension Thermometer {
  /// The temperatures from now on.
  var temperatures: Signal<Double> {
    Signal { producer in
      let key = self.addObserver { producer.send($0) }
      producer.onDisposal { self.removeObserver(key) }
    }
  }
}
