/// Text inside XML.
package enum XMLText {
  /// The text between tags, or in double quotation marks.
  ///
  /// It goes by scalars: a mark after a quotation mark makes another character of both.
  package static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
