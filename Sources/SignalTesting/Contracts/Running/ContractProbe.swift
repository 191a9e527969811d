import Foundation
import Signals

/// What one subscriber received, and how.
final class ContractLog<Output: Sendable & Equatable>: Sendable {
  private struct State {
    var events: [TimedEvent<Output>] = []
    /// What the run was doing when each event came; nil for one that came on a thread of its own.
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

  /// Takes an event. It is noted when the handler is done, so that what a handler sends too early stands before it.
  ///
  /// - Parameter handler: What else the subscriber does, with the number of the event.
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
  /// How often the handler was called while it was being called.
  var overlaps: Int { state.withLock { $0.overlaps } }
  var eventsAfterEnd: Int { state.withLock { $0.eventsAfterEnd } }
  /// How many calls of the handler have begun.
  var begun: Int { state.withLock { $0.begun } }
  /// Whether the handler is being called.
  var isInside: Bool { state.withLock { $0.inside > 0 } }

  var values: [Output] { events.values() }
  var ends: [ReceivedEvent<Output>] { events.map(\.event).filter(\.isEnd) }
}

/// A subscriber: its log, and the subscription, which ends with it.
final class ContractProbe<Output: Sendable & Equatable>: Sendable {
  let log: ContractLog<Output>
  private let subscription = Guarded<Subscription?>(nil)
  private let isOver = Guarded(false)

  /// Subscribes; the signal itself is not kept.
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

  /// Disposes the subscription, also from inside the subscribing.
  func dispose() {
    isOver.value = true
    subscription.value?.dispose()
  }

  /// Lets go of the subscription without disposing it.
  func drop() { subscription.value = nil }
}

extension Sequence {
  /// The values among events.
  func values<Output>() -> [Output] where Element == TimedEvent<Output> {
    compactMap { if case .value(let value) = $0.event { value } else { nil } }
  }
}
