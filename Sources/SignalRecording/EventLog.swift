package import SignalGraph
import Synchronization

/// The events in a recorder's chains, one after the other, during a recording. Its capacity is limited to the latest
/// ones.
///
/// Nothing is stored, and no memory used, without a recording; only profiled code checks for one.
package final class EventLog: Sendable {
  /// The maximum number of stored events.
  package static let capacity = 65_536

  /// The result of one read.
  package struct Reading: Sendable {
    package var events: [GraphEvent]
    /// The number of requested events that had been overwritten.
    package var lost: UInt64
    /// The number of the event to read next.
    package var next: UInt64
  }

  private struct State {
    var events: ContiguousArray<GraphEvent> = []
    /// The number of the first event at the beginning.
    var first: UInt64 = 0
    /// The number of the next event.
    var next: UInt64 = 0

    /// The number of the oldest stored event.
    var oldest: UInt64 { next - UInt64(events.count) }
  }

  private let on = Atomic<Bool>(false)
  private let state = Mutex(State())

  /// Whether a recording is in progress.
  package var isOn: Bool { on.load(ordering: .relaxed) }

  /// Stores events from now on; continues if it already does.
  package func begin() {
    state.withLock { state in
      guard !on.load(ordering: .relaxed) else { return }
      state.first = state.next
      state.events.reserveCapacity(Self.capacity)
      on.store(true, ordering: .relaxed)
    }
  }

  /// Stops storing, and discards all events.
  package func end() {
    let all = state.withLock { state in
      on.store(false, ordering: .relaxed)
      defer { state.events = [] }
      return state.events
    }
    // Freed after the lock.
    withExtendedLifetime(all) {}
  }

  /// Stores an event during a recording.
  func add(_ event: GraphEvent) {
    state.withLock { state in
      // A thread that noted the beginning of an event may come after the end.
      guard on.load(ordering: .relaxed) else { return }
      if state.events.count < Self.capacity {
        state.events.append(event)
      } else {
        state.events[Int((state.next - state.first) % UInt64(Self.capacity))] = event
      }
      state.next += 1
    }
  }

  /// The stored events from a number on; none without a number.
  ///
  /// - Parameters:
  ///   - number: The number of the first requested event, as returned by the previous reading.
  ///   - limit: The maximum number of events.
  package func read(from number: UInt64?, limit: Int) -> Reading {
    state.withLock { state in
      guard let number, number < state.next else { return Reading(events: [], lost: 0, next: state.next) }
      let start = max(number, state.oldest)
      let end = min(state.next, start + UInt64(max(0, limit)))
      let events = (start..<end).map { state.events[Int(($0 - state.first) % UInt64(Self.capacity))] }
      return Reading(events: events, lost: start - number, next: end)
    }
  }

  /// The monotonic time at which the clock of events begins.
  private static let beginning = HandlerTracing.nanoseconds

  /// The beginning of the clock of events, in seconds since 1 January 1970 UTC, for the events of these moments: the
  /// calendar's clock may be set, and continues while the system sleeps.
  package static var startedAt: Double { startedAt(now: now, secondsSince1970: secondsSince1970()) }

  /// The same from a time of both clocks.
  static func startedAt(now: UInt64, secondsSince1970: Double) -> Double {
    secondsSince1970 - Double(now) / 1_000_000_000
  }

  /// The current time of the clock of events, in nanoseconds.
  static var now: UInt64 {
    let now = HandlerTracing.nanoseconds
    return now - min(now, beginning)
  }
}

extension GraphRecorder {
  /// The events in its chains, during a recording.
  package var events: EventLog { link.events }
}

extension GraphEvent {
  /// Creates an event that began at a time and is over now.
  init(
    _ kind: Kind, node: UInt64, first: UInt64? = nil, cause: UInt64, since time: UInt64, thread: String,
    _ beginning: CauseBeginning?
  ) {
    let now = EventLog.now
    self.init(
      kind, node: node, first: first, cause: cause, time: time, duration: now - min(now, time), thread: thread,
      origin: beginning?.origin, by: beginning.flatMap { $0.by == 0 ? nil : $0.by },
      parent: beginning.flatMap { $0.parent == 0 ? nil : $0.parent })
  }
}
