#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  public import Foundation
  public import Signals
  public import UIKit

  extension Keyboard {
    /// Delivers the phases of the keyboard, with its frames and its animation.
    ///
    /// ```text
    /// Keyboard.states(of: [.willShow, .willHide])
    ///   .map { $0.coveredHeight(of: area) }
    /// ```
    ///
    /// - **Errors:** none.
    /// - **Ends:** never.
    /// - **Order and threads:** on the main actor, when the system reports it.
    /// - Parameters:
    ///   - phases: The phases to deliver.
    ///   - center: The notification center.
    @MainActor
    public static func states(
      of phases: Set<KeyboardState.Phase> = Set(KeyboardState.Phase.allCases), in center: NotificationCenter = .default,
      fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
    ) -> Signal<KeyboardState> {
      let names = KeyboardNames(
        notifications: [
          .willShow: UIResponder.keyboardWillShowNotification,
          .didShow: UIResponder.keyboardDidShowNotification,
          .willHide: UIResponder.keyboardWillHideNotification,
          .didHide: UIResponder.keyboardDidHideNotification,
          .willChangeFrame: UIResponder.keyboardWillChangeFrameNotification,
          .didChangeFrame: UIResponder.keyboardDidChangeFrameNotification,
        ],
        startFrame: UIResponder.keyboardFrameBeginUserInfoKey,
        endFrame: UIResponder.keyboardFrameEndUserInfoKey,
        duration: UIResponder.keyboardAnimationDurationUserInfoKey,
        curve: UIResponder.keyboardAnimationCurveUserInfoKey,
        isLocal: UIResponder.keyboardIsLocalUserInfoKey)
      return states(names, of: phases, in: center, fileID, line, function)
    }
  }

  extension KeyboardState {
    /// The options for an accompanying animation, even if the curve has no name.
    public var animationOptions: UIView.AnimationOptions {
      UIView.AnimationOptions(rawValue: UInt(max(0, curve)) << 16)
    }
  }
#endif
