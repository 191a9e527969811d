import SignalFindings
import Signals

/// Reports a finding as a failure of a test, or as a warning.
enum HealthReport {
  /// The rules whose findings are warnings: they cost time, and change no result.
  static let warnedRules: Set<String> = ["repeated-source"]

  /// The message of a finding and its location: its own line, if its file is found; else that of the check.
  ///
  /// - Parameters:
  ///   - check: The location of the check.
  ///   - neighbour: The location of the test.
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

  /// A description of the check; nil if its line is not known.
  static func words(for check: MarbleSource) -> String? {
    check.line > 0 ? "found by the check at \(check.fileName):\(check.line)" : nil
  }

  /// Only the `#fileID` of a location is known: the file is found from the check's own path, or in the directories of
  /// the package.
  private static func source(of place: Place, near neighbour: MarbleSource) -> MarbleSource? {
    if place.fileID == neighbour.fileID {
      return MarbleSource(fileID: place.fileID, filePath: neighbour.filePath, line: place.line, column: 1)
    }
    let source = MarbleSource(fileID: place.fileID, line: place.line, near: neighbour)
    return source.filePath == place.fileID ? nil : source
  }

  private static func fileName(_ place: Place) -> Substring { place.fileID.split(separator: "/").last ?? "" }
}
