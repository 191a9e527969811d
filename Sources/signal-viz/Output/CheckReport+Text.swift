import SignalFindings
import SignalPicture

extension CheckReport {
  /// The report in the format of compilers, which terminals, editors and CI understand:
  /// `file:line: warning: message (rule)`.
  ///
  /// - Parameter sources: The directory of the source code.
  func text(sources: SourceFolder) -> String {
    var lines: [String] = []
    for finding in findings {
      lines.append(
        "\(sources.words(finding.place)): \(finding.severity.rawValue): \(finding.message) (\(finding.rule))")
      lines += finding.related.map { "  \(sources.words($0.place)): note: \($0.message)" }
      lines.append("  note: \(finding.remedy)")
    }
    return (lines + [summary]).map { $0 + "\n" }.joined()
  }

  /// One sentence with the number of findings and the size of the graph.
  var summary: String {
    let errors = findings.count { $0.severity == .error }
    let counts = [(errors, "error"), (findings.count - errors, "warning")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    let found = counts.isEmpty ? knownCount > 0 ? "Nothing new found" : "Nothing found" : counts.joined(separator: ", ")
    let watched = watchedSeconds > 0 ? "watched for \(WatchTime(seconds: watchedSeconds).words)" : "one snapshot"
    let known = knownCount > 0 ? ", \(knownCount) known" : ""
    // Growth and backlogs show only after some time.
    let isSoon = findings.isEmpty && knownCount == 0 && watchedSeconds > 0 && watchedSeconds < 5
    let hint = isSoon ? " Some faults show later: try --for 10s." : ""
    let unknown =
      hasUnknownBehavior
      ? " Its version of the library does not describe operators, so rules that need this reported nothing." : ""
    return "\(found) in \(program.words), \(watched), \(nodes.words)\(known).\(hint)\(unknown)"
  }
}

extension SourceFolder {
  /// A location in the format of compilers, with the path of the file if it was found.
  func words(_ place: Place) -> String { "\(path(of: place.fileID) ?? place.fileID):\(place.line)" }
}
