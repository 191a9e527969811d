package import SignalGraph
import Synchronization

/// What happens in a recorder's chains, one event after the other, while somebody records it. It has room for the last ones only.
///
/// Nothing is kept, and no memory taken, while nobody records; only what is traced looks whether somebody does.
package final class EventLog: Sendable {
  /// How many events there is room for.
  package static let capacity = 65_536

  /// What somebody reads at once.
  package struct Reading: Sendable {
    package var events: [GraphEvent]
    /// How many of those that were asked for there was no room for.
    package var lost: UInt64
    /// The number of the event to read next.
    package var next: UInt64
  }

  private struct State {
    var events: ContiguousArray<GraphEvent> = []
    /// The number of the event that stood first when it began.
    var first: UInt64 = 0
    /// The number of the next event.
    var next: UInt64 = 0

    /// The number of the first event that is still there.
    var oldest: UInt64 { next - UInt64(events.count) }
  }

  private let on = Atomic<Bool>(false)
  private let state = Mutex(State())

  /// Whether somebody records.
  package var isOn: Bool { on.load(ordering: .relaxed) }

  /// Keeps what happens from now on; goes on if it does so already.
  package func begin() {
    state.withLock { state in
      guard !on.load(ordering: .relaxed) else { return }
      state.first = state.next
      state.events.reserveCapacity(Self.capacity)
      on.store(true, ordering: .relaxed)
    }
  }

  /// Keeps nothing any more, and forgets what was kept.
  package func end() {
    let all = state.withLock { state in
      on.store(false, ordering: .relaxed)
      defer { state.events = [] }
      return state.events
    }
    // Freed after the lock.
    withExtendedLifetime(all) {}
  }

  /// Notes an event, if somebody records.
  func add(_ event: GraphEvent) {
    state.withLock { state in
      // Who noted that it began may come after the end.
      guard on.load(ordering: .relaxed) else { return }
      if state.events.count < Self.capacity {
        state.events.append(event)
      } else {
        state.events[Int((state.next - state.first) % UInt64(Self.capacity))] = event
      }
      state.next += 1
    }
  }

  /// What was noted from an event on; nothing, where no number is given.
  ///
  /// - Parameters:
  ///   - number: The number of the first event that is wanted, as told by the reading before.
  ///   - limit: How many events at most.
  package func read(from number: UInt64?, limit: Int) -> Reading {
    state.withLock { state in
      guard let number, number < state.next else { return Reading(events: [], lost: 0, next: state.next) }
      let start = max(number, state.oldest)
      let end = min(state.next, start + UInt64(max(0, limit)))
      let events = (start..<end).map { state.events[Int(($0 - state.first) % UInt64(Self.capacity))] }
      return Reading(events: events, lost: start - number, next: end)
    }
  }

  /// The clock of events: what it says when they begin, and when that was in seconds since 1970.
  private static let clock = (nanoseconds: HandlerTracing.nanoseconds, moment: secondsSince1970())

  /// When the clock of events began, in seconds since 1 January 1970 UTC.
  package static var startedAt: Double { clock.moment }

  /// Now, by the clock of events.
  static var now: UInt64 {
    let now = HandlerTracing.nanoseconds
    return now - min(now, clock.nanoseconds)
  }
}

extension GraphRecorder {
  /// What happens in its chains, while somebody records that.
  package var events: EventLog { link.events }
}

extension GraphEvent {
  /// An event that began at a time and is over now.
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
