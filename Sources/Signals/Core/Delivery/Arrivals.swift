import DequeModule

/// Events that wait for a subscriber that is still getting earlier ones.
struct Arrivals<Value: Sendable> {
  /// The thread that delivers them.
  enum Deliverer {
    /// The subscribing one, outside the gate.
    case subscribingThread
    /// The next one that delivers an event. The subscribing thread waits for it, and continues itself if none comes.
    case nextThread
    /// The one inside the gate, before it leaves.
    case threadInside
  }

  var events: Deque<Event<Value>> = []
  var deliverer = Deliverer.subscribingThread
  /// The thread that added an event since the subscribing thread's last check; 0 if none did.
  var sender: UInt = 0
}

/// The time for which a subscribing thread delivers other threads' events before it tries to pass that on.
struct ArrivalLimit {
  private let start = ContinuousClock.now
  private var eventCount = 0

  /// The time spent so far.
  var elapsed: Duration { start.duration(to: .now) }

  /// Counts an event.
  ///
  /// - Returns: Whether it was the last one of this limit.
  mutating func count() -> Bool {
    eventCount += 1
    return eventCount >= 16 || elapsed >= .milliseconds(1)
  }
}
