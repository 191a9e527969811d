/// A string literal in source code.
package struct SwiftLiteral: Equatable {
  /// Its range with its quotes, in bytes.
  package let range: Range<Int>
  /// Its value; nil if it contains an interpolation or an unknown escape.
  package let value: String?
  /// The number of `#` before its quotes.
  package let poundCount: Int
  /// The white space before the closing quotes of a multi-line literal; else nil.
  package let indentation: String?

  /// A text as a single-line literal.
  package static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  /// Returns the source code of another text in the style of this literal.
  package func code(for text: String) -> String {
    let pounds = String(repeating: "#", count: poundCount)
    let isPlain = !text.contains { $0 == "\"" || $0 == "\\" || $0.isNewline }
    if let indentation {
      let content = poundCount > 0 && isPlain ? text : Self.escaped(text, poundCount)
      return "\(pounds)\"\"\"\n\(indentation)\(content)\n\(indentation)\"\"\"\(pounds)"
    }
    return "\(pounds)\"\(isPlain ? text : Self.escaped(text, poundCount))\"\(pounds)"
  }

  private static func escaped(_ text: String, _ poundCount: Int = 0) -> String {
    let escape = "\\" + String(repeating: "#", count: poundCount)
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": result += poundCount > 0 ? escape + "u{\(String(scalar.value, radix: 16))}" : "\\\(scalar)"
      case "\n": result += escape + "n"
      case "\r": result += escape + "r"
      case "\t": result += escape + "t"
      default:
        if scalar.properties.generalCategory == .control {
          result += escape + "u{\(String(scalar.value, radix: 16))}"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }
}

/// Parses source code as far as necessary to find the arguments of a call.
package struct SwiftCallReader {
  /// An argument of a call.
  package struct Argument: Equatable {
    package let label: String?
    /// The literal that the argument consists of; nil if it is anything else.
    package let literal: SwiftLiteral?
    /// The literals in an argument that is an array or a dictionary.
    package var elements: [Element] = []
  }

  /// A literal in an array or a dictionary.
  package struct Element: Equatable {
    package let key: String?
    package let literal: SwiftLiteral
  }

  private let bytes: [UInt8]
  private var index: Int

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - bytes: The source code.
  ///   - start: The position of the call, before its parenthesis.
  package init(_ bytes: [UInt8], at start: Int) {
    self.bytes = bytes
    index = start
  }

  /// Returns the arguments in the call's parentheses; nil if there is no such call.
  package mutating func arguments() -> [Argument]? {
    while let byte = current, byte != Byte.open {
      if !skipTrivia() { index += 1 }
      if [Byte.quote, Byte.closeBrace, Byte.openBrace, Byte.close, Byte.newline].contains(byte) { return nil }
    }
    guard current == Byte.open else { return nil }
    index += 1
    var result: [Argument] = []
    while true {
      while skipTrivia() {}
      guard let byte = current else { return nil }
      if byte == Byte.close { return result }
      guard let argument = argument() else { return nil }
      result.append(argument)
      if current == Byte.comma { index += 1 }
    }
  }

  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private func isAt(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[index...].starts(with: $0) }
  }

  /// Reads up to the comma or the parenthesis after an argument.
  private mutating func argument() -> Argument? {
    let label = label()
    while skipTrivia() {}
    let start = index
    if let literal = literal(before: [Byte.comma, Byte.close]) { return Argument(label: label, literal: literal) }
    if let elements = elements() {
      while skipTrivia() {}
      if current == Byte.comma || current == Byte.close {
        return Argument(label: label, literal: nil, elements: elements)
      }
    }
    index = start
    guard skipExpression(to: Byte.close) else { return nil }
    return Argument(label: label, literal: nil)
  }

  /// Reads the literals of an array or a dictionary up to its end.
  private mutating func elements() -> [Element]? {
    guard current == Byte.openBracket else { return nil }
    index += 1
    var result: [Element] = []
    while true {
      while skipTrivia() {}
      var key: String?
      if let literal = literal(before: [Byte.colon]) {
        key = literal.value
        index += 1
        while skipTrivia() {}
      }
      if let literal = literal(before: [Byte.comma, Byte.closeBracket]) {
        result.append(Element(key: key, literal: literal))
      } else if !skipExpression(to: Byte.closeBracket) {
        return nil
      }
      index += 1
      if bytes[index - 1] == Byte.closeBracket { return result }
    }
  }

  private mutating func label() -> String? {
    let start = index
    while let byte = current, Byte.isWord(byte) || byte == Byte.backtick { index += 1 }
    let end = index
    while skipTrivia() {}
    guard end > start, current == Byte.colon else {
      index = start
      return nil
    }
    index += 1
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// Skips an expression, up to the comma or the bracket after it.
  private mutating func skipExpression(to end: UInt8) -> Bool {
    var depth = 0
    while let byte = current {
      if skipTrivia() { continue }
      if byte == Byte.quote || byte == Byte.pound {
        let start = index
        if literal() != nil { continue }
        index = start
        if byte == Byte.quote { return false }
      }
      switch byte {
      case Byte.open, Byte.openBracket, Byte.openBrace: depth += 1
      case end where depth == 0, Byte.comma where depth == 0: return true
      case Byte.close, Byte.closeBracket, Byte.closeBrace:
        depth -= 1
        if depth < 0 { return false }
      default: break
      }
      index += 1
    }
    return false
  }

  /// Skips white space or a comment.
  private mutating func skipTrivia() -> Bool {
    guard let byte = current else { return false }
    if Byte.isSpace(byte) {
      index += 1
      return true
    }
    if isAt("//") {
      while let byte = current, byte != Byte.newline { index += 1 }
      return true
    }
    guard isAt("/*") else { return false }
    var depth = 0
    while index < bytes.count {
      if isAt("/*") {
        depth += 1
        index += 2
      } else if isAt("*/") {
        depth -= 1
        index += 2
        if depth == 0 { return true }
      } else {
        index += 1
      }
    }
    return true
  }

  // MARK: Literals

  /// Reads a string literal and what follows up to one of these bytes; nil if the literal is part of something else.
  private mutating func literal(before ends: [UInt8]) -> SwiftLiteral? {
    let start = index
    if let literal = literal() {
      while skipTrivia() {}
      if let current, ends.contains(current) { return literal }
    }
    index = start
    return nil
  }

  /// Reads a string literal.
  private mutating func literal() -> SwiftLiteral? {
    let start = index
    var pounds = 0
    while current == Byte.pound {
      pounds += 1
      index += 1
    }
    guard current == Byte.quote else { return nil }
    let isMultiline = isAt("\"\"\"")
    index += isMultiline ? 3 : 1
    let closing =
      [UInt8](repeating: Byte.quote, count: isMultiline ? 3 : 1) + [UInt8](repeating: Byte.pound, count: pounds)
    let escape = [Byte.backslash] + [UInt8](repeating: Byte.pound, count: pounds)
    var content: [UInt8] = []
    var isPlain = true
    while let byte = current {
      if bytes[index...].starts(with: closing) {
        index += closing.count
        return finished(start..<index, content, pounds, isMultiline: isMultiline, isPlain: isPlain)
      }
      if bytes[index...].starts(with: escape) {
        index += escape.count
        if current == Byte.open {
          isPlain = false
          index += 1
          guard skipInterpolation() else { return nil }
        } else if let text = escapedText() {
          content += text
        } else {
          isPlain = false
          index += 1
        }
        continue
      }
      if byte == Byte.newline, !isMultiline { return nil }
      content.append(byte)
      index += 1
    }
    return nil
  }

  private func finished(
    _ range: Range<Int>, _ content: [UInt8], _ pounds: Int, isMultiline: Bool, isPlain: Bool
  ) -> SwiftLiteral? {
    guard isMultiline else {
      return SwiftLiteral(
        range: range, value: isPlain ? String(decoding: content, as: UTF8.self) : nil, poundCount: pounds,
        indentation: nil)
    }
    // The first line break belongs to the opening quotes, and the last line's white space to the closing ones.
    let text = String(decoding: content, as: UTF8.self)
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.count >= 2, lines[0].allSatisfy(\.isWhitespace), let indentation = lines.popLast().map(String.init)
    else {
      return nil
    }
    let value = lines.dropFirst().map { $0.hasPrefix(indentation) ? $0.dropFirst(indentation.count) : $0 }
    // An escape could produce a line break, or white space that is no indentation; the literal's value is then unknown.
    let isKnown = isPlain && !bytes[range].contains(Byte.backslash)
    return SwiftLiteral(
      range: range, value: isKnown ? value.joined(separator: "\n") : nil, poundCount: pounds, indentation: indentation)
  }

  /// Reads the text after a backslash.
  private mutating func escapedText() -> [UInt8]? {
    guard let byte = current else { return nil }
    let simple: [UInt8: UInt8] = [
      Byte.backslash: Byte.backslash, Byte.quote: Byte.quote, UInt8(ascii: "'"): UInt8(ascii: "'"),
      UInt8(ascii: "n"): Byte.newline, UInt8(ascii: "t"): 9, UInt8(ascii: "r"): 13, UInt8(ascii: "0"): 0,
    ]
    if let text = simple[byte] {
      index += 1
      return [text]
    }
    guard isAt("u{"), let end = bytes[index...].firstIndex(of: Byte.closeBrace),
      let value = UInt32(String(decoding: bytes[(index + 2)..<end], as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(value)
    else { return nil }
    index = end + 1
    return Array(String(scalar).utf8)
  }

  private mutating func skipInterpolation() -> Bool {
    while true {
      guard skipExpression(to: Byte.close) else { return false }
      if current == Byte.comma {
        index += 1
      } else {
        index += 1
        return true
      }
    }
  }
}

private enum Byte {
  static let open = UInt8(ascii: "("), close = UInt8(ascii: ")")
  static let openBracket = UInt8(ascii: "["), closeBracket = UInt8(ascii: "]")
  static let openBrace = UInt8(ascii: "{"), closeBrace = UInt8(ascii: "}")
  static let comma = UInt8(ascii: ","), colon = UInt8(ascii: ":")
  static let quote = UInt8(ascii: "\""), backslash = UInt8(ascii: "\\"), pound = UInt8(ascii: "#")
  static let backtick = UInt8(ascii: "`"), newline = UInt8(ascii: "\n")

  static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte >= 128 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
