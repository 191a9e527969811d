import SignalGraph

/// A small graph for a rule: definitions by name, nodes that are instances of them, and what is connected.
struct SampleGraph {
  private(set) var snapshot: GraphSnapshot
  private var numbers: [String: Int] = [:]

  /// - Parameter takenAt: When the snapshot is taken, in seconds.
  init(takenAt: Double = 0) {
    snapshot = GraphSnapshot(process: ProcessIdentity(name: "App", pid: 1, startedAt: 0), takenAt: takenAt)
  }

  /// Adds a definition of a kind, at a line of `App/App.swift` that is its number.
  mutating func define(_ kind: String, line: Int, function: String = "main()", ends: EndCounts? = nil) {
    numbers["\(kind):\(line)"] = line
    snapshot.definitions.append(
      Definition(
        id: line, kind: kind, behavior: LibraryBehavior[kind], fileID: "App/App.swift", line: line, function: function,
        ends: ends))
  }

  /// Adds a node of the definition at a line, fed by others.
  mutating func add(
    _ id: UInt64, line: Int, values: UInt64 = 0, from sources: [UInt64] = [], kind: Edge.Kind = .data,
    state: Node.State = .live, owner: String? = nil, findings: [Node.Finding] = [], waiting: UInt64? = nil,
    failure: String? = nil, since: Double? = 0, ownerID: UInt64? = nil
  ) {
    snapshot.nodes.append(
      Node(
        id: id, definition: line, state: state, valueCount: values, waiting: waiting, owner: owner, failure: failure,
        findings: findings, since: since, ownerID: ownerID))
    for source in sources { snapshot.edges.append(Edge(source: source, target: id, kind: kind)) }
  }

  /// Changes what is in it.
  mutating func change(_ body: (inout GraphSnapshot) -> Void) { body(&snapshot) }
}
