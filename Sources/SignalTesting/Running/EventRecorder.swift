import Signals
import Synchronization

/// Subscribes to a signal and records its events with their virtual times.
final class EventRecorder<Value: Sendable>: Sendable {
  private struct State {
    var events: [TimedEvent<Value>] = []
    /// Their comparisons on arrival.
    var notes: [ArrivalNote] = []
    var subscription: Subscription?
    var isSubscribing = false
    var isDisposed = false
    var isFull = false
    var hasSubscribed = false
  }

  private let scheduler: VirtualTimeScheduler
  private let start: Int64
  /// The time of the subscription, for messages.
  let subscribed: Int64
  private let limit: Int
  private let state = Mutex(State())
  /// The search that runs the test repeatedly; nil in an ordinary test.
  private let search = MarbleWatching.current
  private let arrive: (@Sendable (Value, Int) -> ArrivalNote)?

  /// Creates a recorder.
  /// - Parameters:
  ///   - start: The nanoseconds from which times are counted.
  ///   - subscribed: The time of the subscription.
  ///   - limit: The number of events after which it unsubscribes.
  ///   - arrive: Called with each value on arrival, and with its number among the events.
  init(
    scheduler: VirtualTimeScheduler, start: Int64 = 0, subscribed: Int64 = 0, limit: Int = .max,
    arrive: (@Sendable (Value, Int) -> ArrivalNote)? = nil
  ) {
    self.scheduler = scheduler
    self.start = start
    self.subscribed = subscribed
    self.limit = limit
    self.arrive = arrive
    search?.made(self)
  }

  /// Whether it unsubscribed because of its limit.
  var isFull: Bool { state.withLock { $0.isFull } }

  var events: [TimedEvent<Value>] { state.withLock { $0.events } }

  /// The events, with their comparisons on arrival.
  var arrivals: [TimedEvent<Arrival<Value>>] {
    let (events, notes) = state.withLock { ($0.events, $0.notes) }
    return zip(events, notes).map { timed, note in
      let event: ReceivedEvent<Arrival<Value>> =
        switch timed.event {
        case .value(let value): .value(.received(value, note))
        case .failed(let error): .failed(error)
        case .finished: .finished
        }
      return TimedEvent(
        nanoseconds: timed.nanoseconds, isInsideSubscribe: timed.isInsideSubscribe, event: event)
    }
  }

  var hasSubscribed: Bool { state.withLock { $0.hasSubscribed } }

  /// Subscribes, and flags the events inside subscribe.
  func subscribe(to signal: Signal<Value>) {
    search?.willSubscribe(self)
    state.withLock { $0.isSubscribing = true }
    // A source that sends everything inside subscribe stops only below an operator that ends.
    let limited = limit == .max ? signal : signal.prefix(limit)
    // Retains this until `dispose()`, which the test calls at the end of its run.
    let subscription = limited.subscribeToEvents { [self] event in note(event) }
    let isDisposed = state.withLock { state in
      state.isSubscribing = false
      state.subscription = subscription
      state.hasSubscribed = true
      return state.isDisposed
    }
    if isDisposed { subscription.dispose() }
  }

  func dispose() {
    let subscription = state.withLock { state in
      state.isDisposed = true
      defer { state.subscription = nil }
      return state.subscription
    }
    subscription?.dispose()
  }

  private func note(_ event: Event<Value>) {
    // The virtual world attributes the event to the running work.
    scheduler.watch?.noteEvent()
    let time = scheduler.nanoseconds - start
    var note = ArrivalNote()
    var isEnd = true
    if case .value = event { isEnd = false }
    if let arrive, case .value(let value) = event {
      let (count, isFull) = state.withLock { ($0.events.count, $0.isFull) }
      if !isFull { note = arrive(value, count) }
    }
    let isFull = state.withLock { state in
      guard !state.isFull else { return false }
      state.notes.append(note)
      // Inside subscribe only at the start: a diagram has no notation for it later.
      state.events.append(
        TimedEvent(
          nanoseconds: time, isInsideSubscribe: state.isSubscribing && time == 0, event: ReceivedEvent(event)))
      state.isFull = state.events.count >= limit && !isEnd
      return state.isFull
    }
    if isFull { dispose() }
    search?.received(by: self)
  }
}

extension ReceivedEvent where Value: Sendable {
  init(_ event: Event<Value>) {
    switch event {
    case .value(let value): self = .value(value)
    case .failed(let error): self = .failed(error)
    case .finished: self = .finished
    }
  }
}

extension VirtualTimeScheduler {
  /// The virtual time in whole nanoseconds, as in diagrams, rounded down.
  var nanoseconds: Int64 { Int64(clamping: now.sinceOrigin.attoseconds / 1_000_000_000) }
}
