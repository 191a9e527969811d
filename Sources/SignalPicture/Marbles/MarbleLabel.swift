/// Formats and measures the texts of marble diagrams.
enum MarbleLabel {
  /// Returns a text on one line, with control characters escaped, and truncated to a limit.
  static func shown(_ text: String, limit: Int) -> String {
    // Most texts are plain ASCII.
    if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    // A single character may have any number of scalars.
    let beginning = text.unicodeScalars.prefix(limit * 8)
    var visible = ""
    var marks = 0
    for scalar in beginning {
      // More accents than any script has would cover the other lines.
      marks = scalar.properties.generalCategory == .nonspacingMark ? marks + 1 : 0
      if marks > 4 { continue }
      switch scalar {
      case "\n": visible += "\\n"
      case "\t": visible += "\\t"
      case "\r": visible += "\\r"
      case _ where isInvisible(scalar):
        visible += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: visible.unicodeScalars.append(scalar)
      }
    }
    let isCut = beginning.count < text.unicodeScalars.count
    let shown = visible.displayable(limit: limit)
    return isCut && !shown.hasSuffix("…") ? shown + "…" : shown
  }

  /// Whether a scalar is invisible to a reader; those that join the parts of an emoji or of a word are retained.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
    case .spaceSeparator: scalar != " "
    default: false
    }
  }

  /// The text in a marble: never empty, and quoted if it begins or ends with a space.
  static func marble(_ text: String) -> String { quoted(text, shown(text, limit: 12)) }

  /// A text in the same format with more space.
  static func words(_ text: String, limit: Int) -> String { quoted(text, shown(text, limit: limit)) }

  private static func quoted(_ text: String, _ shown: String) -> String {
    shown.first == " " || text.unicodeScalars.last == " " || shown.isEmpty ? "'\(shown)'" : shown
  }

  /// The approximate width of a text in a proportional font, too large rather than too small.
  static func width(_ text: String, size: Int) -> Int {
    (text.reduce(0) { $0 + tenths($1) } * size + 9) / 10
  }

  /// The width of a text in a fixed-width font.
  static func codeWidth(_ text: String, size: Int) -> Int {
    (text.reduce(0) { $0 + (isWide($1) ? 12 : 6) } * size + 9) / 10 + 1
  }

  private static func tenths(_ character: Character) -> Int {
    switch character {
    case "i", "l", "j", "I", "f", "t", "r", ".", ",", ":", ";", "'", "|", "!", "(", ")", "[", "]", " ": 4
    case "m", "w", "M", "W", "@", "%", "…", "Q", "O", "G": 10
    case "A"..."Z": 8
    case " "..."~": 7
    case _ where isWide(character): 12
    default: character.isUppercase ? 8 : 7
    }
  }

  private static func isWide(_ character: Character) -> Bool {
    guard let value = character.unicodeScalars.first?.value else { return false }
    return (0x1100...0x115F).contains(value) || (0x2E80...0xA4CF).contains(value)
      || (0xAC00...0xD7A3).contains(value) || (0xF900...0xFAFF).contains(value)
      || (0xFE30...0xFE6F).contains(value) || (0xFF00...0xFFE6).contains(value) || value >= 0x1F300
  }

  /// Wraps a text to lines of at most `columns` characters, at spaces if possible, and truncates it to `limit` lines.
  static func wrapped(_ text: String, columns: Int, lines limit: Int) -> [String] {
    var lines: [String] = []
    var rest = Substring(shown(text, limit: columns * limit - 1))
    while !rest.isEmpty {
      guard rest.count > columns else {
        lines.append(String(rest))
        break
      }
      let beginning = rest.prefix(columns)
      let space = beginning.lastIndex(of: " ").flatMap { $0 > beginning.startIndex ? $0 : nil }
      lines.append(String(rest[..<(space ?? beginning.endIndex)]))
      rest = rest[(space ?? beginning.endIndex)...].drop { $0 == " " }
    }
    guard lines.count > limit else { return lines }
    return Array(lines.prefix(limit - 1)) + [lines[limit - 1] + "…"]
  }
}
