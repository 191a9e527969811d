/// Called by an ``EventSender`` for each event, for one subscription.
///
/// The sender retains it; when the sender is deallocated, so is the relay, and the signal finishes.
@MainActor
public final class EventRelay {
  private let action: @MainActor () -> Void
  private let gone: @Sendable () -> Void

  init(action: @escaping @MainActor () -> Void, gone: @escaping @Sendable () -> Void) {
    self.action = action
    self.gone = gone
  }

  deinit {
    gone()
  }

  /// Reports an event.
  public func fire() { action() }
}

/// The relays of an object that supports only one target.
@MainActor
final class RelayList {
  private var relays: [EventRelay] = []

  var isEmpty: Bool { relays.isEmpty }

  func add(_ relay: EventRelay) { relays.append(relay) }

  func remove(_ relay: EventRelay) { relays.removeAll { $0 === relay } }

  /// Calls the current ones, in the order of adding, except those that are removed in the meantime.
  func fire() {
    for relay in relays where relays.contains(where: { $0 === relay }) { relay.fire() }
  }
}
