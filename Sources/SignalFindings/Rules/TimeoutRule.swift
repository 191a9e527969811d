import SignalGraph

/// Timeouts that fire nearly every time, and timeouts with a fallback that has ended although the source keeps sending.
///
/// At least 5 subscriptions must have ended with the timeout's failure before a value arrived, and those must be nine
/// in ten of all that ended. Ended nodes in the snapshot count. If the timeout is the lowest operator of its chain,
/// evicted nodes of which only the count is left do too.
///
/// A timeout with a fallback is reported if at least 5 values passed it, the fallback ended the subscription, which was
/// not renewed, and the source has sent at least 5 more values while the graph was watched.
struct TimeoutRule: Rule {
  static let name = "timeout"
  static let summary = "a `timeout` that fires nearly each time"

  /// The minimum number of subscriptions that ended with the timeout's failure.
  var least: UInt64 = 5
  /// The minimum share of all that ended.
  var part = 0.9

  private static let message = "no value came for"

  private static func isTimeout(_ node: Node) -> Bool {
    node.failure.map { $0.hasPrefix(message) || $0.hasPrefix("TimeoutError") } ?? false
  }

  /// Whether the values come from an emitter or a property, which may wait for the user. Then a timeout is a deadline,
  /// not a fault.
  private func awaitsUser(_ node: Node, in graph: GraphView) -> Bool {
    graph.behavior(of: graph.origin(of: node)).contains(.sendsUnasked)
  }

  func findings(in observation: Observation) -> [Finding] {
    (fired(in: observation) + endedByFallback(in: observation)).sorted { $0.place < $1.place }
  }

  private func endedByFallback(in observation: Observation) -> [Finding] {
    EndedStream(in: observation, least: least).findings(
      Self.name, "wait longer; or fail with the timeout, and subscribe again with `retry` above `replaceError`",
      endingAlone: true
    ) { node, definition in
      guard definition.behavior?.contains(.timesOut) == true,
        observation.now.inputs[node.id, default: []].count >= 2
      else { return nil }
      return "this `timeout` has switched to its fallback"
    }
  }

  private func fired(in observation: Observation) -> [Finding] {
    let graph = observation.now
    let timeouts = graph.snapshot.nodes.filter { node in
      node.state != .live && graph.behavior(of: node).contains(.timesOut)
    }
    return Dictionary(grouping: timeouts, by: \.definition).compactMap { number, ended -> Finding? in
      let fired = ended.filter {
        $0.state == .failed && $0.valueCount == 0 && Self.isTimeout($0) && !awaitsUser($0, in: graph)
      }
      guard let definition = graph.definitions[number], let last = fired.last,
        Double(fired.count) >= part * Double(ended.count)
      else { return nil }
      let ends = definition.ends ?? EndCounts()
      let all = max(UInt64(ended.count), ends.failed + ends.finished + ends.disposed)
      let failed = max(UInt64(fired.count), ends.failed)
      guard failed >= least, Double(failed) >= part * Double(all) else { return nil }
      let source = graph.origin(of: last)
      let isAll = failed == all
      // Without `values: .all`, a failure is described by its type only.
      let limit =
        last.interval.map { "no value came for \(TimeText.words($0))" } ?? last.failure.flatMap {
          $0.hasPrefix(Self.message) ? $0 : nil
        } ?? "no value came in time"
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message:
          "\(isAll ? "each" : "\(failed)") of the last \(all) subscriptions ended here without a value: "
          + limit,
        remedy: "wait longer, find out why the upstream sends nothing, or pass a `fallback:`",
        related: source.id == last.id
          ? []
          : graph.definition(of: source).map { [.init("nothing came from \(graph.title(of: source))", at: Place($0))] }
            ?? [],
        nodes: fired.map(\.id))
    }
  }
}
