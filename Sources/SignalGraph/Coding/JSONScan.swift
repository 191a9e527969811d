/// Scans JSON that a parser has rejected, to locate the error: parsers report an error, but not its location.
struct JSONScan {
  /// A number as written, and its field.
  struct Number {
    var bytes: Range<Int>
    var path: String
  }

  /// The maximum nesting depth of lists and objects in the parsers used here.
  static let deepest = 512

  /// The syntax error of the text; nil if there is none.
  private(set) var mistake: String?
  /// The numbers that do not fit every numeric type: negative, fractional or large ones.
  private(set) var oddNumbers: [Number] = []

  private enum Place {
    case list(index: Int)
    case object(key: String)
  }

  /// The expected next token.
  private enum Wanted {
    case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd, nothing
  }

  private let text: [UInt8]
  private var position = 0
  private var places: [Place] = []

  /// Scans the text, to its end or to the first error.
  init(_ text: [UInt8]) {
    self.text = text
    var wanted = Wanted.value
    while mistake == nil {
      while position < text.count, JSONExtent.isSpace(text[position]) { position += 1 }
      guard position < text.count else {
        if wanted != .nothing { complain("it ends too early") }
        return
      }
      wanted = step(wanted)
    }
  }

  private mutating func complain(_ words: String) {
    let before = text[..<min(position, text.count)]
    let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
    let column = 1 + before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count
    mistake = "line \(line), column \(column): \(words)"
  }

  /// Scans one token.
  private mutating func step(_ wanted: Wanted) -> Wanted {
    let byte = text[position]
    switch (wanted, byte) {
    case (.value, UInt8(ascii: "{")), (.valueOrEnd, UInt8(ascii: "{")): return open(.object(key: ""), then: .keyOrEnd)
    case (.value, UInt8(ascii: "[")), (.valueOrEnd, UInt8(ascii: "[")): return open(.list(index: 0), then: .valueOrEnd)
    case (.valueOrEnd, UInt8(ascii: "]")), (.keyOrEnd, UInt8(ascii: "}")): return close()
    case (.commaOrEnd, UInt8(ascii: "]")), (.commaOrEnd, UInt8(ascii: "}")):
      switch (places.last, byte) {
      case (.list, UInt8(ascii: "]")), (.object, UInt8(ascii: "}")): return close()
      default: return wrong(byte)
      }
    case (.commaOrEnd, UInt8(ascii: ",")):
      position += 1
      guard case .list(let index) = places.last else { return .key }
      places[places.count - 1] = .list(index: index + 1)
      return .value
    case (.key, UInt8(ascii: "\"")), (.keyOrEnd, UInt8(ascii: "\"")):
      guard let key = string() else { return .nothing }
      places[places.count - 1] = .object(key: key)
      return .colon
    case (.colon, UInt8(ascii: ":")):
      position += 1
      return .value
    case (.value, _), (.valueOrEnd, _): return scalar(byte)
    default: return wrong(byte)
    }
  }

  private mutating func wrong(_ byte: UInt8) -> Wanted {
    let sign = byte > 0x20 && byte < 0x7F ? "`\(Character(Unicode.Scalar(byte)))`" : "the byte \(byte)"
    complain("\(sign) cannot stand here")
    return .nothing
  }

  private mutating func open(_ place: Place, then wanted: Wanted) -> Wanted {
    guard places.count < Self.deepest else {
      complain("more than \(Self.deepest) lists and objects are inside each other")
      return .nothing
    }
    position += 1
    places.append(place)
    return wanted
  }

  private mutating func close() -> Wanted {
    position += 1
    places.removeLast()
    return places.isEmpty ? .nothing : .commaOrEnd
  }

  /// Scans a string.
  private mutating func string() -> String? {
    let start = position + 1
    var end = start
    while end < text.count, text[end] != UInt8(ascii: "\"") {
      let (length, words) =
        text[end] == UInt8(ascii: "\\")
        ? escape(at: end)
        : (1, text[end] < 0x20 ? "a text has a control character, the byte \(text[end])" : nil)
      if let words {
        position = end
        complain(words)
        return nil
      }
      end += length
    }
    guard end < text.count else {
      complain("a text has no end")
      return nil
    }
    guard let string = String(validating: text[start..<end], as: UTF8.self) else {
      complain("a text is not in UTF-8")
      return nil
    }
    position = end + 1
    return string
  }

  /// The length of the escape sequence at a backslash, and its error.
  private func escape(at start: Int) -> (length: Int, mistake: String?) {
    let sign = start + 1 < text.count ? text[start + 1] : 0
    if "\"\\/bfnrt".utf8.contains(sign) { return (2, nil) }
    guard sign == UInt8(ascii: "u"), let unit = codeUnit(at: start) else {
      return (2, "a text has a backslash that begins no escape sequence")
    }
    guard (0xD800...0xDFFF).contains(unit) else { return (6, nil) }
    if unit < 0xDC00, let next = codeUnit(at: start + 6), (0xDC00...0xDFFF).contains(next) { return (12, nil) }
    return (6, "a text has half of a surrogate pair")
  }

  /// The number in `\u20AC`, if there is one.
  private func codeUnit(at start: Int) -> UInt16? {
    guard start + 6 <= text.count, text[start] == UInt8(ascii: "\\"), text[start + 1] == UInt8(ascii: "u") else {
      return nil
    }
    let digits = text[start + 2..<start + 6]
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  /// Scans a string, a number, or one of the three literals.
  private mutating func scalar(_ byte: UInt8) -> Wanted {
    let next = places.isEmpty ? Wanted.nothing : .commaOrEnd
    if byte == UInt8(ascii: "\"") { return string() == nil ? .nothing : next }
    let start = position
    let length = text[start...].prefix { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
        true
      default: false
      }
    }.count
    guard length > 0 else { return wrong(byte) }
    let word = String(decoding: text[start..<start + length], as: UTF8.self)
    if ["true", "false", "null"].contains(word) {
      position += length
      return next
    }
    guard Self.isNumber(word) else {
      complain("`\(word.prefix(40))` is no value")
      return .nothing
    }
    position += length
    if UInt32(word) == nil { oddNumbers.append(Number(bytes: start..<start + length, path: path)) }
    return next
  }

  private static func isNumber(_ word: String) -> Bool {
    var rest = Substring(word).utf8
    /// Scans digits, at least one.
    func hasDigits() -> Bool {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      return !digits.isEmpty
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let before = rest.count
    guard hasDigits(), !startsWithZero || before - rest.count == 1 else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard hasDigits() else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
      guard hasDigits() else { return false }
    }
    return rest.isEmpty
  }

  /// The current path, such as `nodes[3].valueCount`.
  private var path: String {
    places.reduce(into: "") { path, place in
      switch place {
      case .list(let index): path += "[\(index)]"
      case .object(let key): path += path.isEmpty ? key : ".\(key)"
      }
    }
  }
}

extension JSONScan {
  /// Returns the first invalid number; nil if there is none.
  ///
  /// - Parameter isRefused: Whether a text is rejected because of its numbers.
  func refusedNumber(where isRefused: ([UInt8]) -> Bool) -> Number? {
    // With zeros from the first rejected number on, the text is accepted; with zeros from the next one on, it is not.
    func isTextRefused(withZerosFrom index: Int) -> Bool {
      var text = text
      for number in oddNumbers[index...] {
        // Of the same length, so that positions stay.
        for place in number.bytes { text[place] = UInt8(ascii: " ") }
        text[number.bytes.lowerBound] = UInt8(ascii: "0")
      }
      return isRefused(text)
    }
    guard !oddNumbers.isEmpty, !isTextRefused(withZerosFrom: 0) else { return nil }
    var (read, refused) = (0, oddNumbers.count)
    while refused - read > 1 {
      let middle = (read + refused) / 2
      if isTextRefused(withZerosFrom: middle) { refused = middle } else { read = middle }
    }
    return oddNumbers[read]
  }

  /// A description of a number's error.
  func words(on number: Number) -> String {
    let word = String(decoding: text[number.bytes], as: UTF8.self)
    let shown = "\(word.prefix(40))"
    guard let value = Double(word), value.isFinite else { return "the number \(shown) is too large" }
    if value != value.rounded() { return "expected a whole number, found \(shown)" }
    if value < 0, value >= -2_147_483_648 { return "expected 0 or more, found \(shown)" }
    return "the number \(shown) is too \(value < 0 ? "small" : "large")"
  }
}
