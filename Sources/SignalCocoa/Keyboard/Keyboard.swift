import Foundation
import Signals

/// The keyboard on the screen.
public enum Keyboard {
  /// The keyboard notifications of a notification center.
  static func states(
    _ names: KeyboardNames, of phases: Set<KeyboardState.Phase>, in center: NotificationCenter,
    _ fileID: StaticString, _ line: UInt, _ function: StaticString
  ) -> Signal<KeyboardState> {
    let center = CenterBox(center)
    return Signal(fileID: fileID, line: line, function: function) { producer in
      for (phase, name) in names.notifications where phases.contains(phase) {
        let token = TokenBox(
          center.center.addObserver(forName: name, object: nil, queue: nil) { notification in
            if let state = KeyboardState(phase, notification.userInfo, names) { producer.send(state) }
          })
        producer.onDisposal { center.center.removeObserver(token.token) }
      }
    }
  }
}

// Safe: constant, and a notification center may be used from any thread.
private struct CenterBox: @unchecked Sendable {
  let center: NotificationCenter

  init(_ center: NotificationCenter) { self.center = center }
}

// Safe: constant, and only passed back to its notification center.
private struct TokenBox: @unchecked Sendable {
  let token: any NSObjectProtocol

  init(_ token: any NSObjectProtocol) { self.token = token }
}
