extension String {
  /// The text on one line, without control, direction and non-characters, at most `limit` characters long, and about
  /// twice as many scalars.
  ///
  /// Names and values come from the inspected program; they must not control a terminal, a DOT parser or XML.
  package func displayable(limit: Int = 80) -> String {
    // Applies to nearly all names.
    if utf8.count <= limit, utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
    var clean = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .lineSeparator, .paragraphSeparator:
        clean.append(" ")
      case .control:
        if scalar == "\n" || scalar == "\t" || scalar == "\r" { clean.append(" ") }
      case .surrogate, .privateUse, .unassigned:
        clean.append("\u{FFFD}")
      case .format where scalar != "\u{200D}" && scalar != "\u{200C}":
        continue
      default:
        clean.append(scalar)
      }
    }
    return String(clean).cut(to: limit)
  }

  /// Truncates to a number of characters, and each character to no more scalars than any language or emoji needs: a
  /// character may have thousands of marks, which neither libgraphviz nor a reader can process.
  private func cut(to limit: Int) -> String {
    var (text, length, scalarCount) = ("", 0, 0)
    let scalarLimit = limit > 100_000 ? Int.max : 2 * limit + 64
    for character in self {
      let few = character.unicodeScalars.prefix(Self.largestCharacter)
      scalarCount += few.count
      length += 1
      guard length <= limit, scalarCount <= scalarLimit else { return text + "…" }
      text.unicodeScalars.append(contentsOf: few)
    }
    return text
  }

  /// The number of scalars in the longest emoji and conjuncts.
  private static let largestCharacter = 16
}

extension String {
  /// The text with a full stop, unless it ends with punctuation.
  package var asSentence: String { last.map { ".?!…".contains($0) } == true ? self : self + "." }
}

extension BinaryInteger {
  /// The number with thousands separators.
  package var grouped: String {
    var digits: [Character] = []
    for (index, digit) in String(magnitude).reversed().enumerated() {
      if index > 0 && index.isMultiple(of: 3) { digits.append(",") }
      digits.append(digit)
    }
    return (self < 0 ? "-" : "") + String(digits.reversed())
  }
}
