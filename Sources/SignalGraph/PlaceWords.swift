/// Places in the source code in words: as short as they are unambiguous among some.
package struct PlaceWords: Sendable {
  /// The files whose name a file of another module has too.
  private let ambiguous: Set<String>

  /// - Parameter files: Each `#fileID`, also several times.
  package init(of files: some Sequence<String>) {
    ambiguous = Set(Dictionary(grouping: Set(files), by: Self.name).values.filter { $0.count > 1 }.joined())
  }

  /// Such as `Feed.swift:42`, or `App/Feed.swift:42` where another module has such a file.
  package func callAsFunction(_ fileID: String, _ line: Int) -> String {
    "\(ambiguous.contains(fileID) ? fileID : Self.name(of: fileID)):\(line)"
  }

  private static func name(of file: String) -> String { file.split(separator: "/").last.map(String.init) ?? file }
}
