import Foundation
import Signals

/// The events of one subscriber, with their causes.
final class ContractLog<Output: Sendable & Equatable>: Sendable {
  private struct State {
    var events: [TimedEvent<Output>] = []
    /// The run's action when each event came; nil for one on another thread.
    var acts: [ContractClock.Act?] = []
    var begun = 0
    var inside = 0
    var overlaps = 0
    var eventsAfterEnd = 0
    var hasEnded = false
    var isSubscribing = false
  }

  private let clock: ContractClock
  private let state = Guarded(State())
  /// Signalled by each event.
  private let change = NSCondition()

  init(_ clock: ContractClock) { self.clock = clock }

  /// Takes an event. It is noted after the handler, so that an event that is sent too early inside it comes first.
  ///
  /// - Parameter handler: An additional action, with the number of the event.
  func take(_ event: Event<Output>, _ handler: (Int) -> Void) {
    let act = clock.act
    let received = ReceivedEvent(event)
    let (timed, number) = state.withLock { state in
      if state.inside > 0 { state.overlaps += 1 }
      if state.hasEnded { state.eventsAfterEnd += 1 }
      state.inside += 1
      state.begun += 1
      if received.isEnd { state.hasEnded = true }
      let time = clock.nanoseconds
      return (
        TimedEvent(nanoseconds: time, isInsideSubscribe: state.isSubscribing && time == 0, event: received), state.begun
      )
    }
    handler(number)
    state.withLock { state in
      state.events.append(timed)
      state.acts.append(act)
      state.inside -= 1
    }
    change.withLock { change.broadcast() }
  }

  func subscribing<Result>(_ body: () -> Result) -> Result {
    state.withLock { $0.isSubscribing = true }
    defer { state.withLock { $0.isSubscribing = false } }
    return body()
  }

  /// Waits until the end has come.
  ///
  /// - Returns: Whether it came.
  func waitForEnd(_ patience: Duration) -> Bool {
    let limit = Date(timeIntervalSinceNow: patience / .seconds(1))
    change.lock()
    defer { change.unlock() }
    while !events.contains(where: { $0.event.isEnd }) { if !change.wait(until: limit) { return false } }
    return true
  }

  var events: [TimedEvent<Output>] { state.withLock { $0.events } }
  var acts: [ContractClock.Act?] { state.withLock { $0.acts } }
  /// The number of overlapping calls of the handler.
  var overlaps: Int { state.withLock { $0.overlaps } }
  var eventsAfterEnd: Int { state.withLock { $0.eventsAfterEnd } }
  /// The number of calls of the handler that have begun.
  var begun: Int { state.withLock { $0.begun } }

  var values: [Output] { events.values() }
  var ends: [ReceivedEvent<Output>] { events.map(\.event).filter(\.isEnd) }
}

/// A subscriber: its log, and the subscription, which ends with it.
final class ContractProbe<Output: Sendable & Equatable>: Sendable {
  let log: ContractLog<Output>
  private let subscription = Guarded<Subscription?>(nil)
  private let isOver = Guarded(false)

  /// Subscribes; the signal itself is not retained.
  init(
    _ signal: @autoclosure () -> Signal<Output>, _ clock: ContractClock, _ token: LifeCount.Token? = nil,
    handler: @escaping @Sendable (_ number: Int, _ event: Event<Output>) -> Void = { _, _ in }
  ) {
    log = ContractLog(clock)
    let made = clock.perform(.subscribing) { [log] in
      log.subscribing {
        signal().subscribeToEvents { event in
          token?.touch()
          log.take(event) { handler($0, event) }
        }
      }
    }
    subscription.value = made
    if isOver.value { made.dispose() }
  }

  var isDisposed: Bool { subscription.value?.isDisposed ?? true }

  /// Disposes the subscription, even during subscribe.
  func dispose() {
    isOver.value = true
    subscription.value?.dispose()
  }

  /// Releases the subscription without disposing it.
  func drop() { subscription.value = nil }
}

extension Sequence {
  /// The values among events.
  func values<Output>() -> [Output] where Element == TimedEvent<Output> {
    compactMap { if case .value(let value) = $0.event { value } else { nil } }
  }
}
