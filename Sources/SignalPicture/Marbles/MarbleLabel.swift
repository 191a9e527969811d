/// Texts of a marble picture: what is shown of them, and how wide that is.
enum MarbleLabel {
  /// What is shown: on one line, with control characters written out, and cut where it is too long.
  static func shown(_ text: String, limit: Int) -> String {
    // A single character may have any number of scalars.
    let beginning = text.unicodeScalars.prefix(limit * 8)
    var visible = ""
    for scalar in beginning {
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

  /// Whether a reader could not tell that it is there; what joins the parts of an emoji or of a word stays.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
    case .spaceSeparator: scalar != " "
    default: false
    }
  }

  /// What is written into a marble: never nothing, and with quotes where a space at an end could not be seen.
  static func marble(_ text: String) -> String { quoted(text, shown(text, limit: 12)) }

  /// A text in the same way, where there is more room.
  static func words(_ text: String, limit: Int) -> String { quoted(text, shown(text, limit: limit)) }

  private static func quoted(_ text: String, _ shown: String) -> String {
    shown.first == " " || text.unicodeScalars.last == " " || shown.isEmpty ? "'\(shown)'" : shown
  }

  /// About how wide a text is in a proportional font, rather too much than too little.
  static func width(_ text: String, size: Int) -> Int {
    (text.reduce(0) { $0 + tenths($1) } * size + 9) / 10
  }

  /// How wide a text is in a font whose characters are of one width.
  static func codeWidth(_ text: String, size: Int) -> Int {
    (text.reduce(0) { $0 + (isWide($1) ? 12 : 6) } * size + 9) / 10 + 1
  }

  private static func tenths(_ character: Character) -> Int {
    switch character {
    case "i", "l", "j", "I", "f", "t", "r", ".", ",", ":", ";", "'", "|", "!", "(", ")", "[", "]", " ": 4
    case "m", "w", "M", "W", "@", "%", "…", "Q", "O", "G": 10
    case _ where isWide(character): 12
    case _ where character.isUppercase: 8
    default: 7
    }
  }

  private static func isWide(_ character: Character) -> Bool {
    guard let value = character.unicodeScalars.first?.value else { return false }
    return (0x1100...0x115F).contains(value) || (0x2E80...0xA4CF).contains(value)
      || (0xAC00...0xD7A3).contains(value) || (0xF900...0xFAFF).contains(value)
      || (0xFE30...0xFE6F).contains(value) || (0xFF00...0xFFE6).contains(value) || value >= 0x1F300
  }

  /// A text on lines of at most so many characters, broken at spaces where there are any; what is too long for `lines` of them is cut.
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

  /// The text inside XML: between tags, or in quotes.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
