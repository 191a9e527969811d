/// Computes the number of columns that text takes in a terminal.
package enum DisplayWidth {
  package static func of(_ string: String) -> Int { string.reduce(0) { $0 + of($1) } }

  package static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.properties.isEmojiPresentation { return 2 }
    if character.unicodeScalars.contains("\u{FE0F}"), first.properties.isEmoji, !first.isASCII { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return isWide(first.value) ? 2 : 1
    }
  }

  /// The East Asian Wide and Fullwidth blocks of Unicode's annex 11.
  private static func isWide(_ scalar: UInt32) -> Bool {
    wideRanges.contains { $0.contains(scalar) }
  }

  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
    0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x1F200...0x1F320, 0x20000...0x3FFFD,
  ]
}

extension String {
  /// The text, padded with spaces on the right to a number of columns.
  package func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - DisplayWidth.of(self)))
  }
}
