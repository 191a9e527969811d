/// Iterates over a diagram's characters and tracks its time. Shared by the value and the subscription parser.
struct MarbleCursor {
  let text: MarbleText
  let dialect: MarbleDialect
  let frame: Int64
  let characters: [Character]
  /// The characters as ASCII, with 0 for all others: frequent checks use these.
  private let bytes: [UInt8]
  var index = 0
  /// The time in nanoseconds since the beginning of the text.
  var clock: Int64 = 0

  init(text: MarbleText, dialect: MarbleDialect, frame: Duration) throws(MarbleSyntaxError) {
    self.text = text
    self.dialect = dialect
    (characters, bytes) = Self.split(text.string)
    guard let frame = frame.exactNanoseconds, frame > 0 else {
      throw MarbleSyntaxError(
        "the frame length \(frame) is not a whole number of nanoseconds above 0",
        advice: "Pass a frame such as .milliseconds(1).", place: 0..<0, text: text)
    }
    self.frame = frame
    if text.isBlank {
      var name = "the diagram"
      if case .value(let key, let label) = text.argument { name += " of \"\(key)\" in \(label):" }
      throw MarbleSyntaxError(
        "\(name) is empty", advice: "Write - for a signal that never sends anything.", place: 0..<0, text: text)
    }
  }

  var current: Character? { index < characters.count ? characters[index] : nil }

  /// The current character if it is ASCII; 0 otherwise, and at the end.
  var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

  /// Splits a text into characters and their ASCII codes. Pure ASCII text has one character per byte, and needs no
  /// search for graphemes.
  private static func split(_ string: String) -> ([Character], [UInt8]) {
    if string.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\r") }) {
      return (string.utf8.map { asciiCharacters[Int($0)] }, Array(string.utf8))
    }
    let characters = Array(string)
    return (characters, characters.map { $0.asciiValue ?? 0 })
  }

  private static let asciiCharacters = (0..<0x80).map { Character(Unicode.Scalar(UInt8($0))) }

  func error(_ message: String, advice: String, at place: Range<Int>? = nil) -> MarbleSyntaxError {
    MarbleSyntaxError(
      message, advice: advice, place: place ?? index..<min(index + 1, characters.count), text: text)
  }

  /// Skips one character of white space and returns whether there was any. RxJS knows only the space; a line break
  /// would be a value there.
  mutating func skipSpace() throws(MarbleSyntaxError) -> Bool {
    guard let character = current, byte <= 0x20, character.isWhitespace else { return false }
    if dialect == .rxjs, character != " " {
      throw error(
        "the .rxjs dialect allows no white space but the space", advice: "Write the diagram on one line, with spaces.")
    }
    index += 1
    return true
  }

  /// Whether the group that begins here is closed before another one begins and before the text ends.
  ///
  /// Skips quoted text; unclosed quotes are reported elsewhere.
  func isGroupClosed(by closing: Character) -> Bool {
    var index = index + 1
    while index < characters.count {
      let character = characters[index]
      if character == closing { return true }
      if character == characters[self.index] { return hasClosing(closing, behind: index) }
      if dialect == .signals, character == "'" || character == "<" {
        guard let end = endOfQuotes(from: index) else { return true }
        index = end
      }
      index += 1
    }
    return false
  }

  /// Whether a nested group is closed, and the outer one after it.
  private func hasClosing(_ closing: Character, behind index: Int) -> Bool {
    guard let inner = characters[index...].firstIndex(of: closing) else { return false }
    let rest = characters[(inner + 1)...]
    guard let outer = rest.firstIndex(of: closing) else { return false }
    return !rest[..<outer].contains(characters[self.index])
  }

  private func endOfQuotes(from opening: Int) -> Int? {
    let closing: Character = characters[opening] == "<" ? ">" : "'"
    var index = opening + 1
    while index < characters.count, characters[index] != closing {
      if characters[index].isNewline { return nil }
      index += characters[index] == "\\" ? 2 : 1
    }
    return index < characters.count ? index : nil
  }

  mutating func advance(by nanoseconds: Int64, place: Range<Int>? = nil) throws(MarbleSyntaxError) {
    let (sum, overflow) = clock.addingReportingOverflow(nanoseconds)
    if overflow {
      throw error(
        "the diagram is longer than 292 years", advice: "Use a shorter duration or a shorter frame.", at: place)
    }
    clock = sum
  }

  /// Advances the time by a number of frames; the caller moves the index.
  mutating func advanceFrames(_ frames: Int = 1, place: Range<Int>? = nil) throws(MarbleSyntaxError) {
    let (length, overflow) = frame.multipliedReportingOverflow(by: Int64(frames))
    try advance(by: overflow ? Int64.max : length, place: place)
  }

  /// Reads a duration at this position, if there is one, and advances the time.
  mutating func readDuration() throws(MarbleSyntaxError) -> Bool {
    guard let place = try durationPlace() else { return false }
    guard let (_, reading) = MarbleDuration.read(characters[index...], units: units) else { return false }
    let written = String(characters[place])
    switch reading {
    case .nanoseconds(let length):
      try advance(by: length, place: place)
    case .tooFine:
      throw error(
        "'\(written)' is finer than a nanosecond", advice: "Use at most three decimals of us, six of ms.", at: place)
    case .tooLong:
      throw error("'\(written)' is longer than 292 years", advice: "Use a shorter duration.", at: place)
    }
    index = place.upperBound
    return true
  }

  /// The range of the duration that begins here; nil if there is none.
  func durationPlace() throws(MarbleSyntaxError) -> Range<Int>? {
    // Nearly all positions are excluded by their first character.
    guard byte.isDigit else { return nil }
    guard let (length, _) = MarbleDuration.read(characters[index...], units: units) else {
      if dialect == .signals { try refuseSpacedDuration() }
      return nil
    }
    let place = index..<(index + length)
    let isFreeBefore = index == 0 || characters[index - 1].isWhitespace
    switch dialect {
    case .rxjs:
      let isFreeBehind = place.upperBound < characters.count && characters[place.upperBound] == " "
      return isFreeBefore && isFreeBehind ? place : nil
    case .signals:
      let isFreeBehind = place.upperBound == characters.count || characters[place.upperBound].isWhitespace
      guard isFreeBefore, isFreeBehind else {
        let written = String(characters[place])
        let unit = written.drop { !$0.isLetter }
        let number = written.dropLast(unit.count)
        throw error(
          "'\(written)' touches its neighbours: it could be a duration or \(place.count) values",
          advice: "Put spaces around '\(written)' for a duration, or write '\(number) \(unit)' for values.", at: place)
      }
      return place
    }
  }

  /// Throws at a number and a unit separated by spaces, such as `10 ms`, which would be values.
  private func refuseSpacedDuration() throws(MarbleSyntaxError) {
    guard index == 0 || characters[index - 1].isWhitespace else { return }
    let number = characters[index...].prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let spaces = characters[number.endIndex...].prefix { $0 == " " }
    let unit = characters[spaces.endIndex...].prefix { !$0.isWhitespace }
    // A digit and a letter may well be two values.
    guard !spaces.isEmpty, number.count + unit.count > 2, units.contains(String(unit)) else { return }
    let place = index..<unit.endIndex
    let written = String(characters[place])
    let values = (number + unit).map(String.init).joined(separator: " ")
    throw error(
      "'\(written)' is \(number.count + unit.count) values; did you mean \(String(number + unit))?",
      advice: "Write '\(String(number + unit))' for a duration, or '\(values)' for values.", at: place)
  }

  private var units: [String] { dialect == .rxjs ? Self.unitsOfRxJS : Self.units }
  private static let unitsOfRxJS = ["ms", "s", "m"]
  private static let units = MarbleDuration.units.map(\.name)
}

extension UInt8 {
  /// Whether this is the ASCII code of a digit.
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  /// Whether this is the ASCII code of a letter or a digit.
  var isLetterOrDigit: Bool { isDigit || (self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z")) }
}
