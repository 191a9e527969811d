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
    if let words = words(for: check) { lines.append(words) }
    return (lines.joined(separator: "\n  "), source ?? check)
  }

  /// Which check has found something; nil for one whose line is not known.
  static func words(for check: MarbleSource) -> String? {
    check.line > 0 ? "found by the check at \(check.fileName):\(check.line)" : nil
  }

  /// Of a place only the `#fileID` is known: where the file is, tells the check's own path, or the folders of the package.
  private static func source(of place: Place, near neighbour: MarbleSource) -> MarbleSource? {
    if place.fileID == neighbour.fileID {
      return MarbleSource(fileID: place.fileID, filePath: neighbour.filePath, line: place.line, column: 1)
    }
    let source = MarbleSource(fileID: place.fileID, line: place.line, near: neighbour)
    return source.filePath == place.fileID ? nil : source
  }

  private static func fileName(_ place: Place) -> Substring { place.fileID.split(separator: "/").last ?? "" }
}
