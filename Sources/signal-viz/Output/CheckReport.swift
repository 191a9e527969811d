import Foundation
import SignalFindings
import SignalGraph
import SignalPicture

/// What was found in a program: what `check` says as text, as JSON, and as SARIF.
struct CheckReport {
  /// The version of the JSON form.
  static let version = 1

  var program: ProcessIdentity
  /// How long the program was watched; 0 for one snapshot.
  var watchedSeconds: Double
  /// How many nodes the graph has.
  var nodes: NodeCounts
  /// The findings that count.
  var findings: [Finding]
  /// Whether the program, built with an older version of the library, does not say what its operators do.
  var hasUnknownBehavior: Bool
  /// How many more were found that the baseline has.
  var knownCount = 0

  /// Asks the rules, and cleans what comes from the program of all that could steer a terminal.
  init(of graphs: GraphPair, where isWanted: (String) -> Bool = { _ in true }) {
    var observation = Observation(graphs.now, since: graphs.before)
    observation.later = graphs.later.map { GraphView($0) }
    program = graphs.now.process.displayable
    watchedSeconds = observation.seconds
    nodes = NodeCounts(of: graphs.now)
    hasUnknownBehavior = observation.now.hasUnknownBehavior
    findings = Rules.findings(in: observation, where: isWanted).map(\.displayable)
  }

  /// Whether something was found that may have been a burst, which is worked off a moment later.
  var needsLaterLook: Bool { findings.contains(where: Rules.mayBeBurst) }

  /// Takes away what a baseline has.
  mutating func leaveOut(_ baseline: Baseline) {
    let all = findings.count
    findings = baseline.newFindings(among: findings)
    knownCount = all - findings.count
  }
}

extension Finding {
  /// The same finding, with texts of one line each that have no control characters.
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
  /// The same place, with texts of one line each that have no control characters.
  fileprivate var displayable: Place {
    Place(fileID: fileID.displayable(limit: 500), line: line, function: function.displayable(limit: 500))
  }
}
