import Foundation
import SignalFindings
import Signals

/// How a finding is told as a failure of a test.
enum HealthReport {
  /// What there is to say of a finding, and where it is said: at its own line, if its file is found; else where the check is.
  static func failure(_ finding: Finding, at check: MarbleSource) -> (message: String, source: MarbleSource) {
    let source = source(of: finding.place, near: check)
    var lines = ["\(finding.rule): \(finding.message)"]
    if source == nil { lines.append("at \(finding.place.fileID):\(finding.place.line)") }
    if !finding.place.function.isEmpty { lines.append("in \(finding.place.function)") }
    lines += finding.related.map { "\($0.message): \(fileName($0.place)):\($0.place.line)" }
    lines.append("To do: \(finding.remedy).")
    if check.line > 0 { lines.append("found by the check at \(check.fileName):\(check.line)") }
    return (lines.joined(separator: "\n  "), source ?? check)
  }

  /// Of a place only the `#fileID` is known: where the file is, tells the check's own path, or the folders of the package.
  private static func source(of place: Place, near check: MarbleSource) -> MarbleSource? {
    if place.fileID == check.fileID {
      return MarbleSource(fileID: place.fileID, filePath: check.filePath, line: place.line, column: 1)
    }
    let source = MarbleSource(fileID: place.fileID, line: place.line, near: check)
    return source.filePath == place.fileID ? nil : source
  }

  private static func fileName(_ place: Place) -> Substring { place.fileID.split(separator: "/").last ?? "" }
}
