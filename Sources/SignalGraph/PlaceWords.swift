/// Labels of source locations: as short as they are unambiguous among some files.
package struct PlaceWords: Sendable {
  /// The files whose name also occurs in another module.
  private let ambiguous: Set<String>

  /// - Parameter files: Each `#fileID`, possibly repeated.
  package init(of files: some Sequence<String>) {
    ambiguous = Set(Dictionary(grouping: Set(files), by: Self.name).values.filter { $0.count > 1 }.joined())
  }

  /// A label such as `Feed.swift:42`, or `App/Feed.swift:42` if another module has such a file.
  package func callAsFunction(_ fileID: String, _ line: Int) -> String {
    "\(ambiguous.contains(fileID) ? fileID : Self.name(of: fileID)):\(line)"
  }

  private static func name(of file: String) -> String { file.split(separator: "/").last.map(String.init) ?? file }
}
