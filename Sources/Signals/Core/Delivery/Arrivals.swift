import DequeModule

/// Events that wait for a subscriber that is still getting earlier ones.
struct Arrivals<Value: Sendable> {
  /// The thread that delivers them.
  enum Deliverer {
    /// The one that subscribes, outside the gate.
    case subscribingThread
    /// The next one that delivers something. The one that subscribes waits for it, and goes on itself if none comes.
    case nextThread
    /// The one inside the gate, before it leaves.
    case threadInside
  }

  var events: Deque<Event<Value>> = []
  var deliverer = Deliverer.subscribingThread
  /// The thread that added an event since the subscribing thread looked last; 0 if none did.
  var sender: UInt = 0
}

/// How long a subscribing thread delivers what others send before it tries to pass that on.
struct ArrivalLimit {
  private let start = ContinuousClock.now
  private var eventCount = 0

  /// The time that was needed so far.
  var elapsed: Duration { start.duration(to: .now) }

  /// Counts an event.
  ///
  /// - Returns: Whether it was the last one of this limit.
  mutating func count() -> Bool {
    eventCount += 1
    return eventCount >= 16 || elapsed >= .milliseconds(1)
  }
}
