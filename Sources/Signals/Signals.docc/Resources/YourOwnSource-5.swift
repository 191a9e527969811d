import Signals

extension Thermometer {
  /// The latest temperature, if there is one, and then the temperatures from now on. All subscribers share one observer.
  func sharedTemperatures() -> Signal<Double> {
    temperatures.share(replay: 1)
  }
}
