import Foundation
import SignalFindings
import Signals

/// How a finding is told as a failure of a test.
enum HealthReport {
  /// What there is to say of a finding, and where it is said: at its own line, if its file is found; else where the check is.
  ///
  /// - Parameters:
  ///   - check: Where the check is.
  ///   - neighbour: Where the test is written.
  static func failure(
    _ finding: Finding, at check: MarbleSource, near neighbour: MarbleSource
  ) -> (message: String, source: MarbleSource) {
    let source = source(of: finding.place, near: neighbour)
    var lines = ["\(finding.rule): \(finding.message)"]
    if source == nil { lines.append("at \(finding.place.fileID):\(finding.place.line)") }
    if !finding.place.function.isEmpty { lines.append("in \(finding.place.function)") }
    lines += finding.related.map { "\($0.message): \(fileName($0.place)):\($0.place.line)" }
    lines.append("To do: \(finding.remedy).")
    if check.line > 0 { lines.append("found by the check at \(check.fileName):\(check.line)") }
    return (lines.joined(separator: "\n  "), source ?? check)
  }

  /// Of a place only the `#fileID` is known: where the file is, tells the check's own path, or the folders of the package.
  private static func source(of place: Place, near neighbour: MarbleSource) -> MarbleSource? {
    if place.fileID == neighbour.fileID {
      return MarbleSource(fileID: place.fileID, filePath: neighbour.filePath, line: place.line, column: 1)
    }
    let source = MarbleSource(fileID: place.fileID, line: place.line, near: neighbour)
    if source.filePath != place.fileID { return source }
    return path(of: place.fileID).map {
      MarbleSource(fileID: place.fileID, filePath: $0, line: place.line, column: 1)
    }
  }

  /// A file in a folder of its module, where the package manager has that. Two of one name are none.
  private static func path(of fileID: String) -> String? {
    let parts = fileID.split(separator: "/").map(String.init)
    guard parts.count == 2 else { return nil }
    let package = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let paths = ["Sources", "Tests"].flatMap { folder -> [String] in
      let module = package.appendingPathComponent(folder).appendingPathComponent(parts[0])
      let files = FileManager.default.enumerator(at: module, includingPropertiesForKeys: nil)
      return (files?.compactMap { $0 as? URL } ?? []).filter { $0.lastPathComponent == parts[1] }.map(\.path)
    }
    return paths.count == 1 ? paths[0] : nil
  }

  private static func fileName(_ place: Place) -> Substring { place.fileID.split(separator: "/").last ?? "" }
}
