import Signals
import Synchronization

/// Subscribes to a signal and notes what comes, and when in virtual time.
final class EventRecorder<Value: Sendable>: Sendable {
  private struct State {
    var events: [TimedEvent<Value>] = []
    var subscription: Subscription?
    var isSubscribing = false
    var isDisposed = false
    var isFull = false
    var hasSubscribed = false
  }

  private let scheduler: VirtualTimeScheduler
  private let start: Int64
  private let limit: Int
  private let state = Mutex(State())
  private let watch = MarbleWatching.current

  /// Makes a recorder.
  /// - Parameters:
  ///   - start: The nanoseconds from which times are counted.
  ///   - limit: After how many events it unsubscribes.
  init(scheduler: VirtualTimeScheduler, start: Int64 = 0, limit: Int = .max) {
    self.scheduler = scheduler
    self.start = start
    self.limit = limit
    watch?.made(self)
  }

  /// Whether it unsubscribed because of its limit.
  var isFull: Bool { state.withLock { $0.isFull } }

  var events: [TimedEvent<Value>] { state.withLock { $0.events } }

  var hasSubscribed: Bool { state.withLock { $0.hasSubscribed } }

  /// Subscribes, with the events that come inside marked.
  func subscribe(to signal: Signal<Value>) {
    watch?.willSubscribe(self)
    state.withLock { $0.isSubscribing = true }
    let subscription = signal.subscribeToEvents { [self] event in note(event) }
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
    let time = scheduler.nanoseconds - start
    let isFull = state.withLock { state in
      guard !state.isFull else { return false }
      state.events.append(
        TimedEvent(
          nanoseconds: time, isInsideSubscribe: state.isSubscribing && time == 0, event: ReceivedEvent(event)))
      state.isFull = state.events.count >= limit
      return state.isFull
    }
    if isFull { dispose() }
    watch?.received(by: self)
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
  /// The virtual time in whole nanoseconds, as diagrams count it; what is finer is rounded down.
  var nanoseconds: Int64 { Int64(clamping: now.sinceOrigin.attoseconds / 1_000_000_000) }
}
