import Foundation

/// Writes values as Swift expressions, so that a recorded value can be pasted into a test.
struct SwiftExpression {
  /// The expression; nil if the value has none.
  static func of(_ value: Any) -> String? {
    var writer = SwiftExpression()
    return writer.write(value, depth: 0)
  }

  /// The expression; for a value without one, or with too long a one, a placeholder, which does not compile and
  /// contains the remedy.
  static func orPlaceholder(_ value: Any, limit: Int = .max) -> String {
    if let standIn = value as? any StandIn, let value = standIn.represented {
      return orPlaceholder(value, limit: limit)
    }
    return of(value).flatMap { $0.count <= limit ? $0 : nil } ?? placeholder(value)
  }

  /// Whether a string contains a placeholder for a value.
  static func hasPlaceholder(_ text: String) -> Bool { text.contains(opening) }

  private static let opening = "<#write a value equal to "

  private static func placeholder(_ value: Any) -> String {
    let words = ShownValue.cut(ShownValue.whole(value), to: 100)
    return opening + words.replacing("#>", with: "# >") + "#>"
  }

  /// The advice for a diagram with placeholders.
  static let advice =
    "A value in <# #> has no literal, or a long one: replace it with an expression for such a value."

  /// Longer expressions are not suitable for pasting.
  private static let limit = 10_000
  private var size = 0

  private mutating func write(_ value: Any, depth: Int) -> String? {
    size += 1
    guard depth < 16, size < Self.limit else { return nil }
    if let known = Self.known(value) { return known }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { write($0.value, depth: depth + 1) } ?? "nil"
    case .collection: return list(mirror.children.map { (nil, $0.value) }, "[", "]", depth)
    case .set: return list(mirror.children.map { (nil, $0.value) }, "[", "]", depth, isSorted: true)
    case .dictionary: return dictionary(mirror, depth)
    case .tuple: return list(mirror.children.map { (Self.label($0), $0.value) }, "(", ")", depth)
    case .enum: return enumeration(value, mirror, depth)
    case .struct: return structure(value, mirror, depth)
    default: return nil
    }
  }

  /// A literal, or a well-known initialiser.
  private static func known(_ value: Any) -> String? {
    switch value {
    case let value as Bool: "\(value)"
    case let value as any BinaryInteger: "\(value)"
    case let value as Double: number(value)
    case let value as Float: number(Double(value), "\(value)")
    case let value as String: ShownValue.quoted(value)
    case let value as Substring: ShownValue.quoted(String(value))
    case let value as Character: ShownValue.quoted(String(value))
    case let value as Duration: duration(value)
    case let value as URL: "URL(string: \(ShownValue.quoted(value.absoluteString)))!"
    case let value as UUID: "UUID(uuidString: \"\(value)\")!"
    case let value as Date: "Date(timeIntervalSinceReferenceDate: \(value.timeIntervalSinceReferenceDate))"
    case is Void: "()"
    default: nil
    }
  }

  private static func number(_ value: Double, _ text: String? = nil) -> String {
    if value.isNaN { return ".nan" }
    if value.isInfinite { return value < 0 ? "-.infinity" : ".infinity" }
    return text ?? "\(value)"
  }

  private static func duration(_ value: Duration) -> String? {
    value.exactNanoseconds.map { nanoseconds in
      if nanoseconds % 1_000_000_000 == 0 { return ".seconds(\(nanoseconds / 1_000_000_000))" }
      return nanoseconds % 1_000_000 == 0 ? ".milliseconds(\(nanoseconds / 1_000_000))" : ".nanoseconds(\(nanoseconds))"
    }
  }

  private mutating func list(
    _ parts: [(label: String?, value: Any)], _ start: String, _ end: String, _ depth: Int,
    isSorted: Bool = false
  ) -> String? {
    var texts: [String] = []
    for part in parts {
      guard let text = write(part.value, depth: depth + 1) else { return nil }
      texts.append(part.label.map { "\($0): \(text)" } ?? text)
    }
    if isSorted { texts.sort() }
    return start + texts.joined(separator: ", ") + end
  }

  private mutating func dictionary(_ mirror: Mirror, _ depth: Int) -> String? {
    var texts: [String] = []
    for entry in mirror.children {
      let pair = Array(Mirror(reflecting: entry.value).children)
      guard pair.count == 2, let key = write(pair[0].value, depth: depth + 1),
        let value = write(pair[1].value, depth: depth + 1)
      else { return nil }
      texts.append("\(key): \(value)")
    }
    // A deterministic string, independent of the order of entries in this process.
    return texts.isEmpty ? "[:]" : "[" + texts.sorted().joined(separator: ", ") + "]"
  }

  /// A case by its name, as the compiler infers the type from its context.
  private mutating func enumeration(_ value: Any, _ mirror: Mirror, _ depth: Int) -> String? {
    guard let payload = mirror.children.first else {
      // Without a custom description, a case is described by its name.
      if !(value is any CustomStringConvertible), !(value is any CustomDebugStringConvertible) { return ".\(value)" }
      return rawValue(of: value, depth).map { ".init(rawValue: \($0))!" }
    }
    guard let name = payload.label else { return nil }
    let inner = Mirror(reflecting: payload.value)
    if inner.displayStyle == .tuple {
      return list(inner.children.map { (Self.label($0), $0.value) }, ".\(name)(", ")", depth)
    }
    return list([(nil, payload.value)], ".\(name)(", ")", depth)
  }

  private mutating func rawValue(of value: Any, _ depth: Int) -> String? {
    (value as? any RawRepresentable).flatMap { write($0.rawValue, depth: depth + 1) }
  }

  /// A struct by its memberwise initialiser.
  private mutating func structure(_ value: Any, _ mirror: Mirror, _ depth: Int) -> String? {
    let isForeign =
      value is any CustomReflectable || mirror.children.isEmpty && MemoryLayout.size(ofValue: value) > 0
    // A label that begins with an underscore or a $ belongs to a property wrapper or is private.
    let parts = mirror.children.map { (Self.label($0), $0.value) }
    guard !isForeign, parts.allSatisfy({ $0.0.map { !$0.hasPrefix("_") && !$0.hasPrefix("$") } ?? false }) else {
      return nil
    }
    return list(parts, Self.name(of: value) + "(", ")", depth)
  }

  private static func label(_ part: Mirror.Child) -> String? {
    part.label.flatMap { $0.first == "." ? nil : $0 }
  }

  /// The type's name with those of the types around it, but without the module and the function.
  private static func name(of value: Any) -> String {
    let full = String(reflecting: type(of: value))
    let parts = full.split(separator: ".")
    guard !full.contains("<"), let local = parts.lastIndex(where: { $0.contains("(unknown context") }) else {
      return full.contains("<") ? "\(type(of: value))" : parts.dropFirst().joined(separator: ".")
    }
    return parts[(local + 1)...].joined(separator: ".")
  }
}
