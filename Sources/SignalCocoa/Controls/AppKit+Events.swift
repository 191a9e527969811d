#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  public import Signals

  extension NSControl: SoleTargetSender {}

  extension NSControl: EventSender {
    /// Takes the place of the target, whose action is handed on.
    public func connect(_ relay: EventRelay, for kind: Void) {
      takeTarget(for: relay) { [weak self] action, target, _ in _ = self?.sendAction(action, to: target) }
    }

    /// Puts the target back that was there, with the last relay.
    public func disconnect(_ relay: EventRelay, for kind: Void) { leaveTarget(for: relay) }
  }

  extension NSGestureRecognizer: SoleTargetSender {}

  extension NSGestureRecognizer: EventSender {
    /// Takes the place of the target, whose action is handed on.
    public func connect(_ relay: EventRelay, for kind: Void) {
      takeTarget(for: relay) { action, target, sender in
        _ = NSApplication.shared.sendAction(action, to: target, from: sender)
      }
    }

    /// Puts the target back that was there, with the last relay.
    public func disconnect(_ relay: EventRelay, for kind: Void) { leaveTarget(for: relay) }

    /// The state of the gesture whenever it is told to the target: for a click `.ended`, for others `.began`, `.changed`, and so on.
    public func states(
      fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
    ) -> Signal<NSGestureRecognizer.State> {
      readings((), fileID, line, function, startsNow: false) { $0.state }
    }
  }
#endif
