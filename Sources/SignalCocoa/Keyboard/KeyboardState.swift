public import Foundation

/// The on-screen keyboard's start frame, end frame and animation.
public struct KeyboardState: Sendable, Equatable {
  /// A phase of the keyboard.
  public enum Phase: Sendable, Hashable, CaseIterable {
    /// It is about to appear, or has appeared.
    case willShow, didShow
    /// It is about to disappear, or has disappeared.
    case willHide, didHide
    /// Its frame is about to change, or has changed.
    case willChangeFrame, didChangeFrame
  }

  /// The phase.
  public var phase: Phase
  /// The frame before, in the coordinates of its screen.
  public var startFrame: CGRect
  /// The frame after, in the coordinates of its screen.
  public var endFrame: CGRect
  /// The duration of the animation in seconds.
  public var duration: Double
  /// The curve of the animation: the raw value of a `UIView.AnimationCurve`. The system's own curve, 7, has no name.
  public var curve: Int
  /// Whether the keyboard belongs to this program: next to it, another program may show one.
  public var isLocal: Bool

  /// Creates a state.
  public init(
    phase: Phase, startFrame: CGRect, endFrame: CGRect, duration: Double = 0, curve: Int = 0, isLocal: Bool = true
  ) {
    self.phase = phase
    self.startFrame = startFrame
    self.endFrame = endFrame
    self.duration = duration
    self.curve = curve
    self.isLocal = isLocal
  }

  /// Returns the height of an area that the keyboard covers afterwards, from below: 0 if it disappears, or does not
  /// reach the area.
  ///
  /// A floating keyboard, which ends above the lower edge, covers nothing that content could avoid.
  ///
  /// - Parameter area: The area, in the coordinates of the keyboard's screen.
  public func coveredHeight(of area: CGRect) -> Double {
    if phase == .willHide || phase == .didHide { return 0 }
    let (top, bottom) = (Double(endFrame.origin.y), Double(endFrame.origin.y + endFrame.size.height))
    let areaBottom = Double(area.origin.y + area.size.height)
    let isBeside =
      endFrame.origin.x >= area.origin.x + area.size.width || endFrame.origin.x + endFrame.size.width <= area.origin.x
    guard !isBeside, endFrame.size.height > 0, bottom >= areaBottom else { return 0 }
    return min(max(areaBottom - top, 0), Double(area.size.height))
  }
}

/// The names of the keyboard's notifications, and of their contents.
struct KeyboardNames: Sendable {
  var notifications: [KeyboardState.Phase: Notification.Name]
  var startFrame: String
  var endFrame: String
  var duration: String
  var curve: String
  var isLocal: String
}

extension KeyboardState {
  /// Reads the contents of a notification; nil without frames. Other missing contents have default values.
  init?(_ phase: Phase, _ contents: [AnyHashable: Any]?, _ names: KeyboardNames) {
    guard let contents, let endFrame = contents[names.endFrame] as? CGRect else { return nil }
    self.init(
      phase: phase,
      startFrame: contents[names.startFrame] as? CGRect ?? endFrame,
      endFrame: endFrame,
      duration: contents[names.duration] as? Double ?? 0,
      curve: contents[names.curve] as? Int ?? 0,
      isLocal: contents[names.isLocal] as? Bool ?? true)
  }
}
