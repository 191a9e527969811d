import Synchronization

/// A marble test that was created and has not run. One that is retained, and so is never deallocated, fails the process
/// at its exit.
final class UnrunTest: Sendable {
  private struct State {
    var places: [ObjectIdentifier: MarbleSource] = [:]
    var isWatched = false
  }

  private static let state = Mutex(State())

  /// Notes a test, until it ``settle()``s.
  init(at place: MarbleSource) {
    let isFirst = Self.state.withLock { state in
      state.places[ObjectIdentifier(self)] = place
      defer { state.isWatched = true }
      return !state.isWatched
    }
    guard isFirst else { return }
    ProcessEnd.add {
      let message =
        "The marble test never ran, and is still retained at the end of the process. Call run(), or use marbles { }."
      return Self.state.withLock { $0.places.values.map { (message, $0) } }
    }
  }

  /// Notes that the test has run, or has reported that it did not.
  func settle() {
    _ = Self.state.withLock { $0.places.removeValue(forKey: ObjectIdentifier(self)) }
  }
}
