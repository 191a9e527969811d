/// A diagram's text with its location.
public struct MarbleText: Hashable, Sendable {
  /// The text as written.
  public let string: String
  /// The location of the text, or of the call it is an argument of.
  public let source: MarbleSource?
  /// The argument of the call that the text is, if known.
  package let argument: DiagramArgument?

  /// Creates a text.
  ///
  /// - Parameters:
  ///   - string: The text as written.
  ///   - source: The location of the text, or of the call it is an argument of; nil if there is none.
  public init(_ string: String, source: MarbleSource? = nil) {
    self.init(string, source: source, argument: nil)
  }

  package init(_ string: String, source: MarbleSource?, argument: DiagramArgument?) {
    self.string = string
    self.source = source
    self.argument = argument
  }

  /// Returns the same text as an argument of its call.
  package func passed(as argument: DiagramArgument) -> Self { Self(string, source: source, argument: argument) }

  /// The location of the text and whether its file confirms that; else the location of the call. Nil if it has none.
  package var located: (source: MarbleSource, isConfirmed: Bool)? { source?.located(text: string, argument) }

  /// Whether the text is empty or white space.
  package var isBlank: Bool { string.allSatisfy(\.isWhitespace) }

  /// Returns the lines of the text, with a caret under a location.
  ///
  /// With a readable source file the line is shown as in the file, with its number.
  /// - Parameter place: The offsets in characters (graphemes), possibly at the end of the text.
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
