/// Writes the wire as JSON, piece by piece, so that what waits for a slow client stays small however large a graph is.
///
/// A piece ends with the element of a list that fills it. The inspected program pays for it, so fields are named here once more: through `Codable` a
/// response would take it five times as long. Strings are cut to a limit. A number that is not finite is left out where its field is optional, and is 0
/// otherwise.
package struct JSONStream {
  /// How many bytes a piece has at least, but for the last one.
  package static let pieceBytes = 64 * 1_024
  /// How many bytes of a string are written.
  package static let textBytes = 512

  private var bytes: [UInt8] = []
  /// The last time that was written, and how: the nodes of a chain have the same.
  private var lastTime = (seconds: 0.0, text: "0")

  private init() { bytes.reserveCapacity(Self.pieceBytes + Self.pieceBytes / 4) }

  /// Writes a snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - write: Is called with each piece in turn.
  /// - Throws: What `write` throws.
  package static func write(_ snapshot: GraphSnapshot, to write: ([UInt8]) throws -> Void) throws {
    var stream = JSONStream()
    stream.open("{")
    stream.add("version", snapshot.version)
    stream.addTime("takenAt", snapshot.takenAt)
    stream.addObject("process") {
      $0.add("name", snapshot.process.name)
      $0.add("pid", Int(snapshot.process.pid))
      $0.addTime("startedAt", snapshot.process.startedAt)
    }
    try stream.addList("definitions", snapshot.definitions, write) { $0.add($1) }
    try stream.addList("nodes", snapshot.nodes, write) { $0.add($1) }
    try stream.addList("edges", snapshot.edges, write) { $0.add($1) }
    stream.close("}")
    try write(stream.bytes)
  }

  /// Writes events.
  ///
  /// - Parameters:
  ///   - events: The events.
  ///   - key: The name of their list.
  ///   - fields: Adds the other fields.
  ///   - write: Is called with each piece in turn.
  /// - Throws: What `write` throws.
  package static func write(
    _ events: [GraphEvent], as key: StaticString, with fields: (inout JSONStream) -> Void,
    to write: ([UInt8]) throws -> Void
  ) throws {
    var stream = JSONStream()
    stream.open("{")
    fields(&stream)
    try stream.addList(key, events, write) { $0.add($1) }
    stream.close("}")
    try write(stream.bytes)
  }

  /// The string, or as many of its characters as fit, and an ellipsis.
  package static func cut(_ text: String) -> String {
    guard text.utf8.count > textBytes else { return text }
    let bytes = text.utf8.prefix(textBytes - 3)
    var end = bytes.endIndex
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text.unicodeScalars[..<end]) + "…"
  }

  // MARK: Fields

  /// Adds a field, if it has a value.
  package mutating func add(_ key: StaticString, _ number: UInt64?) {
    guard let number else { return }
    add(key)
    add(digits: number)
  }

  /// Adds a field, if it has a value.
  package mutating func add(_ key: StaticString, _ number: Int?) {
    guard let number else { return }
    add(key)
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    add(digits: UInt64(number.magnitude))
  }

  /// Adds a field; 0 where JSON has no form of the number.
  package mutating func addTime(_ key: StaticString, _ time: Double) {
    add(key)
    let number = time.isFinite ? time : 0
    if number != lastTime.seconds { lastTime = (number, number.description) }
    bytes.append(contentsOf: lastTime.text.utf8)
  }

  mutating func add(_ key: StaticString, _ number: Double?) {
    if let number, number.isFinite { addTime(key, number) }
  }

  mutating func add(_ key: StaticString, _ flag: Bool?) {
    guard let flag else { return }
    add(key)
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  mutating func add(_ key: StaticString, _ text: String?) {
    guard let text else { return }
    add(key)
    add(text: text)
  }

  mutating func add(_ key: StaticString, _ texts: [String]?) {
    addList(key, texts) { stream, text in
      stream.separate()
      stream.add(text: text)
    }
  }

  mutating func addObject(_ key: StaticString, _ fields: (inout Self) -> Void) {
    add(key)
    open("{")
    fields(&self)
    close("}")
  }

  mutating func addObject(_ fields: (inout Self) -> Void) {
    separate()
    open("{")
    fields(&self)
    close("}")
  }

  mutating func addList<Element>(
    _ key: StaticString, _ elements: [Element]?, _ add: (inout Self, Element) -> Void
  ) {
    guard let elements else { return }
    self.add(key)
    open("[")
    for element in elements { add(&self, element) }
    close("]")
  }

  /// Adds a list, and writes each piece that it fills.
  private mutating func addList<Element>(
    _ key: StaticString, _ elements: [Element], _ write: ([UInt8]) throws -> Void,
    _ add: (inout Self, Element) -> Void
  ) throws {
    self.add(key)
    open("[")
    for (index, element) in elements.enumerated() {
      // A piece that begins here has nothing before it to be separated from.
      if index > 0, bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
      add(&self, element)
      guard bytes.count >= Self.pieceBytes else { continue }
      try write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    close("]")
  }

  // MARK: Text

  private mutating func open(_ sign: Unicode.Scalar) { bytes.append(UInt8(ascii: sign)) }

  private mutating func close(_ sign: Unicode.Scalar) { bytes.append(UInt8(ascii: sign)) }

  /// Adds a comma, unless this is the first in an object, a list or a piece.
  private mutating func separate() {
    switch bytes.last {
    case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ","): break
    default: bytes.append(UInt8(ascii: ","))
    }
  }

  private mutating func add(_ key: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func add(digits number: UInt64) {
    guard number >= 10 else { return bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)) }
    // No number has more digits.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = digits.count
      var rest = number
      while rest > 0 {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      bytes.append(contentsOf: digits[start...])
    }
  }

  private mutating func add(text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = Self.cut(text)
    text.withUTF8 { characters in
      if characters.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
        bytes.append(contentsOf: characters)
      } else {
        for character in characters { add(escaped: character) }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func add(escaped character: UInt8) {
    switch character {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), character]
    case 0..<0x20: bytes.append(contentsOf: "\\u00\(character < 16 ? "0" : "")\(String(character, radix: 16))".utf8)
    default: bytes.append(character)
    }
  }
}
