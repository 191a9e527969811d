/// The parts of a value, checked one by one until one of them is hidden.
struct ValueParts {
  /// The maximum number of parts: an incomplete check hides the value.
  private static let largestCount = 1_000
  /// The maximum depth.
  private static let largestDepth = 32

  /// Whether a part must be hidden.
  let isHidden: (any Sendable) -> Bool
  private var count = 0

  init(isHidden: @escaping (any Sendable) -> Bool) {
    self.isHidden = isHidden
  }

  /// Whether none of a value's parts is hidden. The value itself is not checked.
  mutating func hideNothing(of value: Any, depth: Int = 0) -> Bool {
    let mirror = Mirror(reflecting: value)
    // The content of an object may change during the check, and is not in its description unless it is custom.
    switch mirror.displayStyle {
    case .class, .foreignReference: return true
    default: break
    }
    // Characters reveal nothing that the string does not.
    if value is String || value is Substring || value is StaticString { return true }
    guard depth < Self.largestDepth || mirror.children.isEmpty else { return false }
    for (_, part) in mirror.children {
      count += 1
      guard count <= Self.largestCount, !isHidden(Self.sendable(part)), hideNothing(of: part, depth: depth + 1) else {
        return false
      }
    }
    return true
  }

  /// A part of a value that can be sent.
  private static func sendable(_ part: Any) -> any Sendable {
    // Safe: (`as Any` keeps the value in its box.) `Sendable` has no witness table, so both have the same layout. The
    // part is passed to a closure on this thread, in its call, like the whole.
    unsafeBitCast(part as Any, to: (any Sendable).self)
  }
}
