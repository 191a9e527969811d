import Signals

extension Thermometer {
  /// The temperatures from now on.
  var temperatures: Signal<Double> {
    Signal { producer in
      _ = self.addObserver { producer.send($0) }
    }
  }
}
