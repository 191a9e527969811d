import Synchronization

/// Calls its observers with each temperature.
final class Thermometer: Sendable {
  private let observers = Mutex<[Int: @Sendable (Double) -> Void]>([:])

  func addObserver(_ observer: @escaping @Sendable (Double) -> Void) -> Int {
    observers.withLock { observers in
      let key = (observers.keys.max() ?? 0) + 1
      observers[key] = observer
      return key
    }
  }

  func removeObserver(_ key: Int) {
    observers.withLock { observers in observers[key] = nil }
  }

  var observerCount: Int { observers.withLock { $0.count } }

  func tell(_ temperature: Double) {
    for observer in observers.withLock({ Array($0.values) }) { observer(temperature) }
  }
}
