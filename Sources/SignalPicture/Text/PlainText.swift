extension String {
  /// The text on one line, without control, direction and non-characters, at most `limit` characters long.
  ///
  /// Names and values come from the inspected program; nothing of them may steer a terminal, a DOT parser or XML.
  package func displayable(limit: Int = 80) -> String {
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
    let text = String(clean)
    guard let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex), end < text.endIndex else {
      return text
    }
    return text[..<end] + "…"
  }
}

extension BinaryInteger {
  /// The number with a comma between each three digits.
  package var grouped: String {
    var digits: [Character] = []
    for (index, digit) in String(magnitude).reversed().enumerated() {
      if index > 0 && index.isMultiple(of: 3) { digits.append(",") }
      digits.append(digit)
    }
    return (self < 0 ? "-" : "") + String(digits.reversed())
  }
}
