import Foundation
import SignalFindings
import SignalGraph
import SignalPicture

/// The findings in a program, which `check` prints as text, JSON or SARIF: see the extensions of that name.
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

  /// Whether a finding may have been a burst that is worked off shortly afterwards.
  var needsLaterLook: Bool { findings.contains(where: Rules.mayBeBurst) }

  /// Removes the findings that a baseline covers.
  mutating func leaveOut(_ baseline: Baseline) {
    let all = findings.count
    findings = baseline.newFindings(among: findings)
    knownCount = all - findings.count
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
