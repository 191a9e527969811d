/// What a value is made of, looked at part by part until one of them is hidden.
struct ValueParts {
  /// How many parts are looked at: who cannot be sure shows nothing.
  private static let largestCount = 1_000
  /// How deep they may lie.
  private static let largestDepth = 32

  /// Whether a part is not to be shown.
  let isHidden: (any Sendable) -> Bool
  private var count = 0

  init(isHidden: @escaping (any Sendable) -> Bool) {
    self.isHidden = isHidden
  }

  /// Whether nothing of what a value is made of is hidden. The value itself is not asked about.
  mutating func hideNothing(of value: Any, depth: Int = 0) -> Bool {
    let mirror = Mirror(reflecting: value)
    // What an object holds may change while it is read, and is not in its words unless it writes them itself.
    switch mirror.displayStyle {
    case .class, .foreignReference: return true
    default: break
    }
    // Characters hide nothing that the text does not say.
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
    // Safe: (`as Any` keeps the value in its box.) `Sendable` has no witness table, so both are laid out alike. The part is handed to a closure on this thread, in its call, as the whole is.
    unsafeBitCast(part as Any, to: (any Sendable).self)
  }
}
