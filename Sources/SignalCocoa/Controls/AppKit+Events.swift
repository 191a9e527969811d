#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  public import Signals

  extension NSControl: SoleTargetSender {}

  extension NSControl: EventSender {
    /// Replaces the target, and forwards its action.
    public func connect(_ relay: EventRelay, for kind: Void) {
      takeTarget(for: relay) { [weak self] action, target, _ in _ = self?.sendAction(action, to: target) }
    }

    /// Restores the previous target, with the last relay.
    public func disconnect(_ relay: EventRelay, for kind: Void) { leaveTarget(for: relay) }
  }

  extension NSGestureRecognizer: SoleTargetSender {}

  extension NSGestureRecognizer: EventSender {
    /// Replaces the target, and forwards its action.
    public func connect(_ relay: EventRelay, for kind: Void) {
      takeTarget(for: relay) { action, target, sender in
        _ = NSApplication.shared.sendAction(action, to: target, from: sender)
      }
    }

    /// Restores the previous target, with the last relay.
    public func disconnect(_ relay: EventRelay, for kind: Void) { leaveTarget(for: relay) }

    /// The state of the gesture at each call of the action: for a click `.ended`, for others `.began`, `.changed`, and
    /// so on.
    public func states(
      fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
    ) -> Signal<NSGestureRecognizer.State> {
      readings((), fileID, line, function, startsNow: false) { $0.state }
    }
  }
#endif
