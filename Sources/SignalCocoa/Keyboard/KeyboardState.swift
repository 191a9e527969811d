public import Foundation

/// What is said of the keyboard on the screen: where it was, where it goes, and how it moves there.
public struct KeyboardState: Sendable, Equatable {
  /// What happens to the keyboard.
  public enum Phase: Sendable, Hashable, CaseIterable {
    /// It is about to appear, or has appeared.
    case willShow, didShow
    /// It is about to leave, or has left.
    case willHide, didHide
    /// Its frame is about to change, or has changed.
    case willChangeFrame, didChangeFrame
  }

  /// What happens.
  public var phase: Phase
  /// Where the keyboard was, in the coordinates of its screen.
  public var startFrame: CGRect
  /// Where it is afterwards, in the coordinates of its screen.
  public var endFrame: CGRect
  /// How many seconds it takes to get there.
  public var duration: Double
  /// How it moves there: the raw value of a `UIView.AnimationCurve`. The system's own curve, 7, has no name.
  public var curve: Int
  /// Whether the keyboard belongs to this program: beside it, another program may show one.
  public var isLocal: Bool

  /// Makes a state.
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

  /// How much of an area the keyboard covers afterwards, from below: 0 when it leaves, or does not reach the area.
  ///
  /// A keyboard that floats, and so ends above the lower edge, covers nothing that a content could avoid.
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

/// What the notifications of the keyboard, and what they carry, are called.
struct KeyboardNames: Sendable {
  var notifications: [KeyboardState.Phase: Notification.Name]
  var startFrame: String
  var endFrame: String
  var duration: String
  var curve: String
  var isLocal: String
}

extension KeyboardState {
  /// Reads what a notification carries. Without frames it says nothing; what else is missing has its plainest value.
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
