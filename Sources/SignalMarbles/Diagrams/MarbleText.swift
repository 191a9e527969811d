/// A diagram's text together with the place where it was written.
public struct MarbleText: Hashable, Sendable {
  /// The text as written.
  public let string: String
  /// Where the text, or the call it is an argument of, is written.
  public let source: MarbleSource?
  /// Which argument of the call the text is, where that is known.
  package let argument: DiagramArgument?

  /// Makes a text.
  ///
  /// - Parameters:
  ///   - string: The text as written.
  ///   - source: Where the text, or the call it is an argument of, is written; nil if nowhere.
  public init(_ string: String, source: MarbleSource? = nil) {
    self.init(string, source: source, argument: nil)
  }

  package init(_ string: String, source: MarbleSource?, argument: DiagramArgument?) {
    self.string = string
    self.source = source
    self.argument = argument
  }

  /// The same text as an argument of its call.
  package func passed(as argument: DiagramArgument) -> Self { Self(string, source: source, argument: argument) }

  /// Where the text starts, and whether its file confirms that; else the place of the call. Nil if it is written nowhere.
  package var located: (source: MarbleSource, isConfirmed: Bool)? { source?.located(text: string, argument) }

  /// Whether nothing is written.
  package var isBlank: Bool { string.allSatisfy(\.isWhitespace) }

  /// The text's own lines under each other, with a caret under a place.
  ///
  /// With a readable source file the line is shown as it stands there, with its number.
  /// - Parameter place: Offsets in characters (graphemes), possibly at the end of the text.
  package func excerpt(marking place: Range<Int>) -> (heading: String?, lines: [String]) {
    let lines = string.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var row = 0
    var offset = place.lowerBound
    while row < lines.count - 1, offset > lines[row].count {
      offset -= lines[row].count + 1
      row += 1
    }
    let shown = Array(lines[row])
    let column = min(offset, shown.count)
    let width = max(1, DisplayWidth.of(String(shown[column..<min(shown.count, column + place.count)])))
    let marks = "^" + String(repeating: "~", count: width - 1)
    guard let (start, isConfirmed) = located else {
      return (nil, ["  " + String(shown), "  " + Self.blank(as: String(shown[..<column])) + marks])
    }
    guard isConfirmed, let fileLine = Self.line(start.line + row, ofFile: start.filePath) else {
      let heading = "\(start.fileName):\(start.line)"
      return (heading, ["  " + String(shown), "  " + Self.blank(as: String(shown[..<column])) + marks])
    }
    let fileColumn = (row == 0 || lines.count > 1 ? start.column - 1 : 0) + column
    let number = "\(start.line + row)"
    let gutter = String(repeating: " ", count: number.count)
    return (
      "\(start.fileName):\(start.line + row):\(fileColumn + 1)",
      [
        "  \(number) | \(fileLine)",
        "  \(gutter) | \(Self.blank(as: String(fileLine.prefix(fileColumn))))\(marks)",
      ]
    )
  }

  private static func line(_ number: Int, ofFile path: String) -> String? {
    MarbleSource(fileID: path, filePath: path, line: number, column: 1).text
  }

  private static func blank(as prefix: String) -> String {
    prefix.map { $0 == "\t" ? "\t" : String(repeating: " ", count: DisplayWidth.of($0)) }.joined()
  }
}
