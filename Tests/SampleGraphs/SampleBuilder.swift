public import SignalGraph

/// Builds a snapshot node by node.
public struct SampleBuilder {
  /// What was built so far.
  public private(set) var snapshot: GraphSnapshot
  private var definitions: [Definition: Int] = [:]

  /// How many nodes there are.
  public var count: Int { snapshot.nodes.count }

  /// Starts an empty graph.
  public init(name: String, pid: Int32) {
    snapshot = GraphSnapshot(
      process: ProcessIdentity(name: name, pid: pid, startedAt: 1_700_000_000), takenAt: 1_700_000_100)
  }

  /// What sources and subscriptions of the library declare, by their kind.
  private static let ofSources: [String: OperatorBehavior] = [
    "emitter": [.passesOn, .sendsUnasked], "property": [.passesOn, .sendsUnasked, .holdsValue],
    "subscribe": .subscribes,
  ]

  /// Adds a node; nodes of the same kind and place share a definition.
  @discardableResult
  public mutating func add(
    _ kind: String, _ name: String? = nil, behavior: OperatorBehavior? = nil, file: String = "App/Feed.swift",
    line: Int, function: String = "start()",
    state: Node.State = .live,
    values: UInt64 = 0, waiting: UInt64 = 0, dropped: UInt64 = 0, owner: String? = nil, failure: String? = nil,
    findings: [Node.Finding] = []
  ) -> UInt64 {
    let place = Definition(
      id: 0, kind: kind, behavior: behavior ?? Self.ofSources[kind] ?? [], fileID: file, line: line, function: function)
    let definition =
      definitions[place]
      ?? {
        var new = place
        new.id = definitions.count + 1
        definitions[place] = new.id
        snapshot.definitions.append(new)
        return new.id
      }()
    let id = UInt64(snapshot.nodes.count + 1)
    snapshot.nodes.append(
      Node(
        id: id, definition: definition, name: name, state: state, valueCount: values, waiting: waiting,
        dropped: dropped,
        owner: owner, failure: failure, findings: findings))
    return id
  }

  /// Joins two nodes.
  public mutating func connect(_ source: UInt64, _ target: UInt64, _ kind: Edge.Kind = .data) {
    snapshot.edges.append(Edge(source: source, target: target, kind: kind))
  }

  /// Joins nodes one after the other.
  public mutating func chain(_ nodes: [UInt64]) {
    for (source, target) in zip(nodes, nodes.dropFirst()) { connect(source, target) }
  }
}
