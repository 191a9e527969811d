/// Detects characters that look like others or are invisible, as word processors and web pages insert them into
/// diagrams.
package enum LookAlikes {
  /// A character that nobody meant.
  package struct Match: Equatable {
    /// What the character is: `–`, or nothing where it cannot be seen.
    package var shown: String
    /// The code points and names of its scalars.
    package var name: String
    /// The intended character; nil if there should be none.
    package var meant: Character?
  }

  /// What is wrong with a character outside of quotes, if something is. Letters are judged by their neighbours; see ``letter(_:)``.
  package static func match(_ character: Character) -> Match? {
    let scalars = Array(character.unicodeScalars)
    guard let first = scalars.first, character != "\r\n" else { return nil }
    if scalars.count == 1, let meant = punctuation[first] {
      return Match(shown: String(character), name: name(first), meant: meant)
    }
    if scalars.count == 1, (0xFF01...0xFF5E).contains(first.value), let ascii = Unicode.Scalar(first.value - 0xFEE0) {
      return Match(shown: String(character), name: name(first), meant: Character(ascii))
    }
    if scalars.allSatisfy(isInvisible) {
      return Match(shown: "", name: scalars.map(name).joined(separator: ", "), meant: nil)
    }
    guard first.isASCII, scalars.count > 1 else { return nil }
    // A keycap such as 1️⃣ does not look like the digit.
    if scalars.contains("\u{20E3}") { return nil }
    let hidden = scalars.dropFirst().filter(isInvisible)
    if !hidden.isEmpty { return Match(shown: "", name: hidden.map(name).joined(separator: ", "), meant: nil) }
    // A mark over a letter makes another letter, over anything else it is an accident.
    if first.properties.isAlphabetic || first.properties.numericType != nil { return nil }
    return Match(shown: String(character), name: scalars.map(name).joined(separator: ", "), meant: Character(first))
  }

  /// Returns the Latin letter that a Greek or Cyrillic one looks like.
  package static func letter(_ character: Character) -> Character? {
    guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else { return nil }
    return letters[scalar]
  }

  /// Whether a character is invisible and has no width.
  package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2028, 0x2029, 0x3164, 0xFFA0, 0xFE00...0xFE0F, 0xE0100...0xE01EF:
      return true
    default: break
    }
    switch scalar.properties.generalCategory {
    case .format: return true
    case .control: return !scalar.properties.isWhitespace
    default: return false
    }
  }

  /// Whether a character other than the space looks like one.
  package static func isOddSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar != " " && scalar.properties.generalCategory == .spaceSeparator
  }

  /// A character's code point and name: `U+2013 EN DASH`.
  package static func name(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let number = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return [number, scalar.properties.name ?? scalar.properties.nameAlias].compactMap(\.self).joined(separator: " ")
  }

  /// The text with look-alikes replaced and without invisible characters.
  package static func skeleton(_ text: String) -> String {
    String(
      text.compactMap { character -> Character? in
        guard let finding = match(character) else {
          if let letter = letter(character) { return letter }
          return character.unicodeScalars.allSatisfy(isOddSpace) ? " " : character
        }
        if let meant = finding.meant { return meant }
        return finding.shown.isEmpty
          ? character.unicodeScalars.first.flatMap { $0.isASCII ? Character($0) : nil } : character
      })
  }

  private static let punctuation: [Unicode.Scalar: Character] = {
    let groups: [(Character, String)] = [
      (
        "-",
        "\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2043}\u{2212}\u{2500}\u{2501}\u{2E3A}\u{2E3B}\u{FE58}\u{FE63}"
      ),
      ("|", "\u{00A6}\u{01C0}\u{2016}\u{2223}\u{23D0}\u{2502}\u{2503}\u{2758}"),
      ("(", "\u{2768}\u{276A}\u{FE59}"), (")", "\u{2769}\u{276B}\u{FE5A}"),
      ("{", "\u{2774}\u{FE5B}"), ("}", "\u{2775}\u{FE5C}"),
      ("<", "\u{2039}\u{2329}\u{27E8}\u{3008}\u{276C}\u{276E}"),
      (">", "\u{203A}\u{232A}\u{27E9}\u{3009}\u{276D}\u{276F}"),
      ("'", "\u{0060}\u{00B4}\u{02B9}\u{02BC}\u{2018}\u{2019}\u{201A}\u{201B}\u{2032}"),
      ("#", "\u{266F}\u{FE5F}"), ("^", "\u{02C4}\u{02C6}\u{2038}\u{2303}"), ("!", "\u{01C3}\u{FE57}"),
      ("?", "\u{FE56}"), ("&", "\u{FE60}"),
    ]
    return Dictionary(uniqueKeysWithValues: groups.flatMap { meant, texts in texts.unicodeScalars.map { ($0, meant) } })
  }()

  private static let letters: [Unicode.Scalar: Character] = {
    let cyrillic = Array("аеорсухіјѕԁһԛԝАВЕЗКМНОРСТУХІЈЅ".unicodeScalars)
    let cyrillicTwins = Array("aeopcyxijsdhqwAB" + "E3KMHOPCTYXIJS")
    let greek = Array("οναικρυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ".unicodeScalars)
    let greekTwins = Array("ovaikpuABEZHIKMNOPTYX")
    return Dictionary(
      Array(zip(cyrillic, cyrillicTwins)) + Array(zip(greek, greekTwins)), uniquingKeysWith: { first, _ in first })
  }()
}

extension MarbleCursor {
  /// Throws if the current character looks like another one, or is invisible.
  func refuseLookAlike() throws(MarbleSyntaxError) {
    // What can be seen of ASCII is what it looks like.
    guard !(0x20...0x7E).contains(byte), let character = current, let finding = LookAlikes.match(character) else {
      return
    }
    throw error(finding)
  }

  /// The error for a letter that looks Latin among Latin letters.
  func mixedLetters(_ key: Character, at place: Range<Int>) -> MarbleSyntaxError {
    error(
      LookAlikes.Match(
        shown: String(key), name: key.unicodeScalars.map(LookAlikes.name).joined(), meant: LookAlikes.letter(key)),
      at: place, unlessMeant: "or <\(key)> if this letter is intended")
  }

  private func error(
    _ finding: LookAlikes.Match, at place: Range<Int>? = nil, unlessMeant: String? = nil
  ) -> MarbleSyntaxError {
    guard let meant = finding.meant else {
      return error("an invisible character, \(finding.name)", advice: "Remove it.", at: place)
    }
    let quoted = dialect == .signals ? unlessMeant ?? "or '\(finding.shown)' for a value of that text" : nil
    return error(
      "'\(finding.shown)' is \(finding.name), not \(meant)",
      advice: (["Write \(meant)"] + [quoted].compactMap(\.self)).joined(separator: ", ") + ".", at: place)
  }
}
