import SignalMarbles

/// A placeholder in an expectation for a value that is not known, such as a predicate.
protocol StandIn: CustomStringConvertible {
  /// The value itself, if it is a received one.
  var represented: Any? { get }
}

extension ErrorPattern: StandIn {
  var represented: Any? { nil }
}

/// Formats values for messages: on one line, with quotation marks around strings, and with invisible characters
/// escaped.
enum ShownValue {
  /// The maximum length of a value's description within a sentence.
  static let limit = 72

  /// A value on one line: whole, up to a large limit.
  static func whole(_ value: Any) -> String {
    var line = ValueLine()
    line.add(value)
    return line.text
  }

  /// A value on one line, shortened if it is long.
  static func short(_ value: Any) -> String { cut(whole(value), to: limit) }

  /// A string as a literal: with quotation marks, and with escapes for invisible characters.
  static func quoted(_ string: String) -> String {
    "\"" + visible(string.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")) + "\""
  }

  /// A diagram as it can be pasted into a test.
  static func literal(_ diagram: String) -> String {
    "\"" + diagram.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  static func cut(_ text: String, to limit: Int) -> String {
    text.count > limit ? text.prefix(limit - 1) + "…" : text
  }

  /// A string with escapes for line breaks and for invisible characters.
  static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    var result = ""
    for character in text {
      let scalars = character.unicodeScalars
      // The parts of an emoji such as 👩‍👧 are seen together.
      if !scalars.contains(where: isHidden) || scalars.first.map({ $0.properties.isEmoji && !$0.isASCII }) ?? false {
        result.append(character)
        continue
      }
      for scalar in scalars { result += escaped(scalar) }
    }
    return result
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    return LookAlikes.isInvisible(scalar) || LookAlikes.isOddSpace(scalar)
      || scalar.properties.generalCategory == .control
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case _ where isHidden(scalar): "\\u{\(String(scalar.value, radix: 16))}"
    default: String(scalar)
    }
  }
}

/// Builds the description of a value on one line.
private struct ValueLine {
  /// The length at which it stops.
  private static let limit = 400
  private(set) var text = ""
  private var depth = 0

  mutating func add(_ value: Any) {
    guard text.utf8.count < Self.limit, depth < 16 else { return append("…") }
    depth += 1
    defer { depth -= 1 }
    if let string = value as? String { return text += ShownValue.quoted(string) }
    if let standIn = value as? any StandIn {
      return standIn.represented.map { add($0) } ?? append(standIn.description)
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: if let some = mirror.children.first { add(some.value) } else { text += "nil" }
    case .collection, .set: list(mirror.children, "[", "]") { $0.add($1.value) }
    case .dictionary:
      let isEmpty = mirror.children.isEmpty
      list(mirror.children, isEmpty ? "[:" : "[", "]") { line, entry in
        let pair = Array(Mirror(reflecting: entry.value).children)
        guard pair.count == 2 else { return line.add(entry.value) }
        line.add(pair[0].value)
        line.text += ": "
        line.add(pair[1].value)
      }
    case .tuple: list(mirror.children, "(", ")") { $0.addPart($1) }
    case .struct where !(value is any CustomStringConvertible), .class where !(value is any CustomStringConvertible):
      list(mirror.children, "\(type(of: value))(", ")") { $0.addPart($1) }
    case .enum where !(value is any CustomStringConvertible):
      guard let payload = mirror.children.first else { return text += "\(value)" }
      text += payload.label ?? ""
      let isTuple = Mirror(reflecting: payload.value).displayStyle == .tuple
      if isTuple { add(payload.value) } else { list([payload], "(", ")") { $0.add($1.value) } }
    default: text += ShownValue.visible(String(describing: value))
    }
  }

  private mutating func append(_ text: String) {
    if !self.text.hasSuffix("…") { self.text += text }
  }

  private mutating func addPart(_ part: Mirror.Child) {
    if let label = part.label, label.first != "." { text += "\(label): " }
    add(part.value)
  }

  private mutating func list(
    _ parts: some Sequence<Mirror.Child>, _ opening: String, _ closing: String,
    _ add: (inout ValueLine, Mirror.Child) -> Void
  ) {
    text += opening
    var isFirst = true
    for part in parts {
      if !isFirst { text += ", " }
      isFirst = false
      guard text.utf8.count < Self.limit else {
        self.append("…")
        break
      }
      add(&self, part)
    }
    text += closing
  }
}
