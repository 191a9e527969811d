import Signals
import Synchronization

/// The unread events of a probe.
final class ProbeQueue<Value: Sendable>: Sendable {
  /// A waiter for an event.
  private struct Waiter: Sendable {
    let number: Int
    let resume: @Sendable () -> Void
  }

  private struct State {
    var events: [TimedEvent<Value>] = []
    var consumed = 0
    var waiters: [Waiter] = []
    var lastNumber = 0
    var isOver = false
    var isForgiven = false
  }

  private let state = Mutex(State())
  /// The time of an event in nanoseconds.
  private let time: @Sendable () -> Int64

  init(time: @escaping @Sendable () -> Int64) { self.time = time }

  func append(_ event: Event<Value>) {
    let time = time()
    let waiters = state.withLock { state in
      state.events.append(TimedEvent(nanoseconds: time, event: ReceivedEvent(event)))
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// The next event, which is marked as read.
  func take() -> Event<Value>? {
    state.withLock { state in
      guard state.consumed < state.events.count else { return nil }
      defer { state.consumed += 1 }
      return Event(state.events[state.consumed].event)
    }
  }

  /// The unread events.
  var rest: [TimedEvent<Value>] { state.withLock { Array($0.events[$0.consumed...]) } }

  var isEmpty: Bool { state.withLock { $0.consumed == $0.events.count } }

  /// Calls a closure at the next event, or at once if one is queued.
  ///
  /// - Returns: A number for removing the closure.
  func wait(_ resume: @escaping @Sendable () -> Void) -> Int {
    let (number, isHere) = state.withLock { state in
      state.lastNumber += 1
      guard state.consumed == state.events.count else { return (state.lastNumber, true) }
      state.waiters.append(Waiter(number: state.lastNumber, resume: resume))
      return (state.lastNumber, false)
    }
    if isHere { resume() }
    return number
  }

  func stopWaiting(_ number: Int) { state.withLock { $0.waiters.removeAll { $0.number == number } } }

  /// From now on unread events are no failure.
  func forgive() { state.withLock { $0.isForgiven = true } }

  /// Ends the observation, once.
  ///
  /// - Returns: The unread events to report.
  func conclude() -> [TimedEvent<Value>] {
    state.withLock { state in
      guard !state.isOver else { return [] }
      state.isOver = true
      return state.isForgiven ? [] : Array(state.events[state.consumed...])
    }
  }
}

extension Event where Value: Sendable {
  init(_ received: ReceivedEvent<Value>) {
    switch received {
    case .value(let value): self = .value(value)
    case .failed(let error): self = .failed(error)
    case .finished: self = .finished
    }
  }

  /// A description of the event.
  var words: String {
    switch self {
    case .value(let value): "the value \(value)"
    case .failed(let error): "the failure \(error)"
    case .finished: "the end"
    }
  }
}
