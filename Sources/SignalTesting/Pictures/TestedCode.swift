import Foundation

/// The source code of a call in a test: names and expressions for a drawing. Empty if the source file cannot be read.
struct TestedCode {
  private let lines: [Substring]
  private let place: MarbleSource

  init?(at place: MarbleSource) {
    guard place.filePath.hasSuffix(".swift"), place.line >= 1,
      let contents = try? String(contentsOfFile: place.filePath, encoding: .utf8)
    else { return nil }
    lines = contents.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    self.place = place
    guard place.line <= lines.count else { return nil }
  }

  /// The variable that the call's result is assigned to: `source` in `let source = m.hot("-a-")`.
  var assignedName: String? {
    lines[place.line - 1].prefix(max(0, place.column - 1)).firstMatch(of: /(?:let|var)\s+(\w+)[^=]*=/).map {
      String($0.1)
    }
  }

  /// The first argument of the call; if that is a variable, its definition.
  var firstArgument: String? {
    let rest = ([lines[place.line - 1].dropFirst(max(0, place.column - 1))] + lines[place.line...].prefix(20)).joined(
      separator: "\n")
    guard let opening = rest.firstIndex(of: "(") else { return nil }
    let whole = Self.expression(rest[rest.index(after: opening)...], stopsAtNewline: false)
    // Without its label: `of: signal`.
    let argument = whole.prefixMatch(of: /\w+:\s+/).map { String(whole[$0.range.upperBound...]) } ?? whole
    guard argument.wholeMatch(of: /\w+/) != nil else { return argument.isEmpty ? nil : argument }
    return definition(of: argument) ?? argument
  }

  /// The nearest preceding definition of a variable.
  private func definition(of name: String) -> String? {
    for index in lines[..<(place.line - 1)].indices.suffix(40).reversed() {
      for keyword in ["let", "var"] {
        guard let range = lines[index].firstRange(of: "\(keyword) \(name) = ") else { continue }
        let rest = ([lines[index][range.upperBound...]] + lines[(index + 1)...].prefix(20)).joined(separator: "\n")
        let text = Self.expression(Substring(rest), stopsAtNewline: true)
        return text.isEmpty ? nil : text
      }
    }
    return nil
  }

  /// An expression up to the comma, the bracket or the line that ends it, on one line.
  private static func expression(_ text: Substring, stopsAtNewline: Bool) -> String {
    var depth = 0
    var isInString = false
    var result = ""
    var index = text.startIndex
    while index < text.endIndex, result.count < 400 {
      let character = text[index]
      index = text.index(after: index)
      if character == "\"", result.last != "\\" { isInString.toggle() }
      if !isInString {
        if "([{".contains(character) { depth += 1 }
        if ")]}".contains(character) { depth -= 1 }
        if depth < 0 || depth == 0 && character == "," { break }
        if character.isNewline {
          let next = text[index...].drop(while: \.isWhitespace).first
          if stopsAtNewline, depth == 0, next != "." { break }
          let isChained = next == "." || result.last == "("
          if !isChained, result.last != " " { result += " " }
          index = text[index...].firstIndex { !$0.isWhitespace } ?? text.endIndex
          continue
        }
      }
      result.append(character)
    }
    return result.trimmingPrefix { $0.isWhitespace }.description.trimmingEnd()
  }
}
