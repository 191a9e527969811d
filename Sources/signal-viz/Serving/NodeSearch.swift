import SignalFindings
import SignalGraph

/// Finds nodes by words that all occur in a node's name, kind, location, owner, queue or number, or in the names of its
/// findings; case is ignored.
struct NodeSearch {
  /// The matching nodes, in the order of the graph.
  let nodes: [Node]

  /// - Complexity: O(*n*) in nodes.
  init(_ words: String, in graph: GraphSnapshot, findings: [Finding]) {
    let wanted = words.lowercased().split(separator: " ").map(String.init).prefix(8)
    let definitions = Dictionary(graph.definitions.map { ($0.id, $0) }) { first, _ in first }
    let texts = definitions.mapValues { "\($0.kind) \($0.fileID):\($0.line) \($0.function)".lowercased() }
    let schedulers = SchedulerWords(of: graph.nodes.lazy.compactMap(\.scheduler))
    var found: [UInt64: String] = [:]
    for finding in findings { for node in finding.nodes { found[node, default: "finding"] += " \(finding.rule)" } }
    nodes = graph.nodes.filter { node in
      let scheduler = node.scheduler.map { "\($0) \(schedulers[$0])" } ?? ""
      let own = "#\(node.id) \(node.name ?? "") \(node.owner ?? "") \(scheduler) \(found[node.id] ?? "")".lowercased()
      let place = texts[node.definition] ?? ""
      return !wanted.isEmpty && wanted.allSatisfy { own.contains($0) || place.contains($0) }
    }
  }
}
