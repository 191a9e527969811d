#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit

  extension NSControl: EventSender {
    /// Takes the place of the target, whose action is handed on.
    public func connect(_ relay: EventRelay, for kind: Void) {
      let place =
        SoleTarget.carried(by: self)
        ?? SoleTarget(target, action) { [weak self] action, target, _ in _ = self?.sendAction(action, to: target) }
      SoleTarget.set(place, carriedBy: self)
      place.relays.add(relay)
      target = place
      action = SoleTarget.selector
    }

    /// Puts the target back that was there, with the last relay.
    public func disconnect(_ relay: EventRelay, for kind: Void) {
      guard let place = SoleTarget.carried(by: self) else { return }
      place.relays.remove(relay)
      guard place.relays.isEmpty else { return }
      if target === place {
        target = place.previousTarget
        action = place.previousAction
      }
      SoleTarget.set(nil, carriedBy: self)
    }
  }
#endif
