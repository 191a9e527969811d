import SignalGraph

/// Timeouts that fire each time.
///
/// Among the subscriptions that are still shown, at least 5 have to have ended with the timeout's failure before a value came, and those have to be
/// nine in ten of all that ended.
struct TimeoutRule: Rule {
  static let name = "timeout"
  static let summary = "a `timeout` that fires nearly each time"

  /// How many have to have ended so.
  var least = 5
  /// What part of all that ended.
  var part = 0.9

  func findings(in observation: Observation) -> [Finding] {
    let graph = observation.now
    let timeouts = graph.snapshot.nodes.filter { node in
      node.state != .live && graph.definition(of: node)?.kind == "timeout"
    }
    return Dictionary(grouping: timeouts, by: \.definition).compactMap { number, ended -> Finding? in
      let fired = ended.filter {
        $0.state == .failed && $0.valueCount == 0 && $0.failure?.hasPrefix("no value came for") == true
      }
      guard let definition = graph.definitions[number], fired.count >= least,
        Double(fired.count) >= part * Double(ended.count), let last = fired.last
      else { return nil }
      let source = graph.origin(of: last)
      let isAll = fired.count == ended.count
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message:
          "\(isAll ? "each" : "\(fired.count)") of the last \(ended.count) subscriptions ended here without a value: "
          + (last.failure ?? ""),
        remedy: "wait longer, find out why nothing comes from above, or give a `fallback:`",
        related: source.id == last.id
          ? []
          : graph.definition(of: source).map { [.init("nothing came from \(graph.title(of: source))", at: Place($0))] }
            ?? [],
        nodes: fired.map(\.id))
    }.sorted { $0.place < $1.place }
  }
}
