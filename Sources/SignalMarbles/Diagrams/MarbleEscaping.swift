/// Text between `' '` or `< >`, with backslash escapes for characters that would end it or combine with a neighbour.
enum MarbleEscaping {
  /// Reads from after the opening delimiter up to and including the closing one.
  static func read(_ cursor: inout MarbleCursor, closing: Character) throws(MarbleSyntaxError) -> String {
    let opening = cursor.index
    cursor.index += 1
    var result = ""
    while let character = cursor.current, !character.isNewline {
      if character == closing {
        cursor.index += 1
        // '' is the empty text; a key has at least one character.
        guard !result.isEmpty || closing == "'" else {
          throw cursor.error(
            "\(cursor.characters[opening])\(closing) is empty", advice: "Write something between them.",
            at: opening..<cursor.index)
        }
        return result
      }
      if character == "\\" {
        result += try escape(&cursor)
      } else {
        result.append(character)
        cursor.index += 1
      }
    }
    throw cursor.error(
      "\(cursor.characters[opening]) is not closed on its line",
      advice: "Add \(closing); a line break inside is written \\n.", at: opening..<(opening + 1))
  }

  private static func escape(_ cursor: inout MarbleCursor) throws(MarbleSyntaxError) -> String {
    let start = cursor.index
    cursor.index += 1
    let character = cursor.current
    cursor.index += 1
    switch character {
    case "\\", "'", ">", "<": return character.map(String.init) ?? ""
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "u" where cursor.current == "{":
      let digits = cursor.characters[(cursor.index + 1)...].prefix { $0 != "}" && $0.isHexDigit && $0.isASCII }
      if cursor.index + 1 + digits.count < cursor.characters.count, cursor.characters[digits.endIndex] == "}",
        let value = UInt32(String(digits), radix: 16), let scalar = Unicode.Scalar(value)
      {
        cursor.index = digits.endIndex + 1
        return String(scalar)
      }
    default: break
    }
    let end = min(cursor.index, cursor.characters.count)
    throw cursor.error(
      "unknown escape '\(String(cursor.characters[start..<end]))'",
      advice: "The escapes are \\\\ \\' \\< \\> \\n \\t \\r and \\u{hexadecimal}.", at: start..<end)
  }

  /// The text between its delimiters.
  static func write(_ string: String, opening: Character, closing: Character) -> String {
    var result = String(opening)
    for character in string {
      if character == closing || character == "\\" {
        result += "\\" + String(character)
      } else if character == "\n" {
        result += "\\n"
      } else if character == "\t" {
        result += "\\t"
      } else if character.isNewline || !isSelfContained(character) || hasHidden(character) {
        result += character.unicodeScalars.map { "\\u{" + String($0.value, radix: 16) + "}" }.joined()
      } else {
        result.append(character)
      }
    }
    return result + String(closing)
  }

  /// Whether a grapheme has parts that are not visible. The parts of an emoji such as 👩‍👧 are visible together.
  private static func hasHidden(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    if scalars.contains(where: LookAlikes.isOddSpace) { return true }
    guard scalars.contains(where: LookAlikes.isInvisible) else { return false }
    return scalars.first.map { !$0.properties.isEmoji || $0.isASCII } ?? false
  }

  /// Whether a grapheme remains one grapheme next to any neighbours.
  static func isSelfContained(_ character: Character) -> Bool {
    if character.isASCII { return character != "\r\n" }
    let text = String(character)
    let joiners = ["-\(text)-", "\(text)\(text)", "\(text)👩", "\u{1100}\(text)", "\u{AC00}\(text)"]
    return zip(joiners, [3, 2, 2, 2, 2]).allSatisfy { $0.count == $1 }
  }
}
