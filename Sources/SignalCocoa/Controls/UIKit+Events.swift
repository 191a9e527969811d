#if canImport(UIKit) && !os(watchOS)
  public import Foundation
  public import Signals
  public import UIKit

  extension UIControl: EventSender {
    /// Adds a target for a relay.
    public func connect(_ relay: EventRelay, for kind: UIControl.Event) {
      addTarget(TargetAction(relay, carriedBy: self), action: TargetAction.selector, for: kind)
    }

    /// Removes the target of a relay.
    public func disconnect(_ relay: EventRelay, for kind: UIControl.Event) {
      guard let target = TargetAction.of(relay, carriedBy: self) else { return }
      removeTarget(target, action: TargetAction.selector, for: kind)
      TargetAction.drop(relay, carriedBy: self)
    }
  }

  extension UIGestureRecognizer: EventSender {
    /// Adds a target for a relay.
    public func connect(_ relay: EventRelay, for kind: Void) {
      addTarget(TargetAction(relay, carriedBy: self), action: TargetAction.selector)
    }

    /// Removes the target of a relay.
    public func disconnect(_ relay: EventRelay, for kind: Void) {
      guard let target = TargetAction.of(relay, carriedBy: self) else { return }
      removeTarget(target, action: TargetAction.selector)
      TargetAction.drop(relay, carriedBy: self)
    }

    /// The state of the gesture at each call of the actions: for a tap `.ended`, for others `.began`, `.changed`, and
    /// so on.
    public func states(
      fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
    ) -> Signal<UIGestureRecognizer.State> {
      readings((), fileID, line, function, startsNow: false) { $0.state }
    }
  }

  extension UIBarButtonItem: SoleTargetSender {}

  extension UIBarButtonItem: EventSender {
    /// Replaces the target, and forwards its action.
    public func connect(_ relay: EventRelay, for kind: Void) {
      takeTarget(for: relay) { action, target, sender in
        _ = UIApplication.shared.sendAction(action, to: target, from: sender, for: nil)
      }
    }

    /// Restores the previous target, with the last relay.
    public func disconnect(_ relay: EventRelay, for kind: Void) { leaveTarget(for: relay) }
  }

  extension UITextField {
    /// The text now, and whenever the user changes it.
    public func texts(
      fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
    ) -> Signal<String> {
      values(on: [.editingChanged, .editingDidEnd], fileID: fileID, line: line, function: function) { $0.text ?? "" }
        .removeDuplicates(fileID: fileID, line: line, function: function)
    }
  }

  #if !os(tvOS)
    extension UISwitch {
      /// Whether it is on, now and whenever the user changes it.
      public func states(
        fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
      ) -> Signal<Bool> {
        values(on: .valueChanged, fileID: fileID, line: line, function: function) { $0.isOn }
      }
    }

    extension UISlider {
      /// The value now, and whenever the user changes it.
      public func positions(
        fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
      ) -> Signal<Float> {
        values(on: .valueChanged, fileID: fileID, line: line, function: function) { $0.value }
      }
    }

    extension UIStepper {
      /// The value now, and whenever the user changes it.
      public func steps(
        fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
      ) -> Signal<Double> {
        values(on: .valueChanged, fileID: fileID, line: line, function: function) { $0.value }
      }
    }

    extension UIDatePicker {
      /// The date now, and whenever the user changes it.
      public func dates(
        fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
      ) -> Signal<Date> {
        values(on: .valueChanged, fileID: fileID, line: line, function: function) { $0.date }
      }
    }
  #endif

  extension UISegmentedControl {
    /// The selected segment now, and whenever the user changes it; `nil` for none.
    public func selections(
      fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
    ) -> Signal<Int?> {
      values(on: .valueChanged, fileID: fileID, line: line, function: function) {
        $0.selectedSegmentIndex == UISegmentedControl.noSegment ? nil : $0.selectedSegmentIndex
      }
    }
  }
#endif
