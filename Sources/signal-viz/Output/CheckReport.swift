import Foundation
import SignalFindings
import SignalGraph
import SignalPicture

/// The findings in a program, which `check` prints as text, as JSON (`CheckReport+JSON`) or as SARIF (`CheckReport+SARIF`).
struct CheckReport {
  /// The version of the JSON form.
  static let version = 1

  var program: ProcessIdentity
  /// The time for which the program was watched, in seconds; 0 for one snapshot.
  var watchedSeconds: Double
  /// The number of nodes in the graph.
  var nodes: NodeCounts
  /// The findings that count.
  var findings: [Finding]
  /// Whether the program was built with an older version of the library, which does not describe its operators'
  /// behaviour.
  var hasUnknownBehavior: Bool
  /// The number of further findings that the baseline covers.
  var knownCount = 0

  /// Runs the rules, and removes everything that could control a terminal from the program's texts.
  init(of graphs: GraphPair, where isWanted: (String) -> Bool = { _ in true }) {
    var observation = Observation(graphs.now, since: graphs.before)
    observation.later = graphs.later.map { GraphView($0) }
    program = graphs.now.process.displayable
    watchedSeconds = observation.seconds
    nodes = NodeCounts(of: graphs.now)
    hasUnknownBehavior = observation.now.hasUnknownBehavior
    findings = Rules.findings(in: observation, where: isWanted).map(\.displayable)
  }

  /// Whether a finding may have been a burst that is handled shortly afterwards.
  var needsLaterSnapshots: Bool { findings.contains(where: Rules.mayBeBurst) }

  /// Removes the findings that a baseline covers.
  mutating func leaveOut(_ baseline: Baseline) {
    let all = findings.count
    findings = baseline.newFindings(among: findings)
    knownCount = all - findings.count
  }
}

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

  /// The number of findings and the size of the graph, with a hint if there is one.
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

extension Finding {
  /// The same finding, its texts on one line each and without control characters.
  var displayable: Finding {
    var clean = self
    clean.place = place.displayable
    clean.message = message.displayable(limit: 1_000)
    clean.remedy = remedy.displayable(limit: 1_000)
    clean.related = related.map { Related($0.message.displayable(limit: 1_000), at: $0.place.displayable) }
    return clean
  }
}

extension Place {
  /// The same location, its texts on one line each and without control characters.
  fileprivate var displayable: Place {
    Place(fileID: fileID.displayable(limit: 500), line: line, function: function.displayable(limit: 500))
  }
}

extension SourceFolder {
  /// A location in the format of compilers, with the path of the file if it was found.
  func words(_ place: Place) -> String { "\(path(of: place.fileID) ?? place.fileID):\(place.line)" }
}
