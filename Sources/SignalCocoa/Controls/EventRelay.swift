/// What an ``EventSender`` calls with each event, for one subscription.
///
/// The sender keeps it; when the sender goes, so does the relay, and the signal finishes.
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

  /// Says that the event has happened.
  public func fire() { action() }
}

/// The relays of an object that has room for one target only.
@MainActor
final class RelayList {
  private var relays: [EventRelay] = []

  var isEmpty: Bool { relays.isEmpty }

  func add(_ relay: EventRelay) { relays.append(relay) }

  func remove(_ relay: EventRelay) { relays.removeAll { $0 === relay } }

  /// Calls those that are in the list now, in the order of adding, but for those that are removed meanwhile.
  func fire() {
    for relay in relays where relays.contains(where: { $0 === relay }) { relay.fire() }
  }
}
