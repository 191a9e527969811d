package import SignalGraph

/// A snapshot with its nodes, definitions and connections indexed by identifier.
package struct GraphView: Sendable {
  /// The snapshot.
  package let snapshot: GraphSnapshot
  /// The nodes by `id`.
  package let nodes: [UInt64: Node]
  /// The nodes by the `id` of their definition, in the order of the snapshot.
  package let nodesByDefinition: [Int: [Node]]
  /// The definitions by `id`.
  package let definitions: [Int: Definition]
  /// The connections to a node, by its `id`, in the order of the snapshot; without the sends of handlers.
  package let inputs: [UInt64: [Edge]]
  /// The connections from a node, by its `id`, in the order of the snapshot; without the sends of handlers.
  package let outputs: [UInt64: [Edge]]
  /// The sends of handlers to a node, by its `id`, in the order of the snapshot: edges that are `Edge.Kind.feedback`.
  package let feedbackInputs: [UInt64: [Edge]]
  /// The sends of a node's handler, by the node's `id`, in the order of the snapshot: edges that are
  /// `Edge.Kind.feedback`.
  package let feedbackOutputs: [UInt64: [Edge]]

  /// The labels of the nodes' schedulers.
  package let schedulers: SchedulerWords
  private let places: PlaceWords

  /// Indexes a snapshot. Implausible counts and times are limited.
  ///
  /// - Parameter snapshot: The snapshot. If several nodes or definitions have one identifier, the first counts.
  /// - Complexity: O(*n*) in nodes, edges and definitions.
  package init(_ snapshot: GraphSnapshot) {
    let snapshot = snapshot.plausible
    self.snapshot = snapshot
    schedulers = SchedulerWords(of: snapshot.nodes.lazy.compactMap(\.scheduler))
    places = PlaceWords(of: snapshot.definitions.lazy.map(\.fileID))
    nodes = Dictionary(snapshot.nodes.map { ($0.id, $0) }) { first, _ in first }
    nodesByDefinition = Dictionary(grouping: snapshot.nodes, by: \.definition)
    definitions = Dictionary(snapshot.definitions.map { ($0.id, $0) }) { first, _ in first }
    let edges = snapshot.edges.filter { $0.kind != .feedback }
    inputs = Dictionary(grouping: edges, by: \.target)
    outputs = Dictionary(grouping: edges, by: \.source)
    let feedback = snapshot.edges.filter { $0.kind == .feedback }
    feedbackInputs = Dictionary(grouping: feedback, by: \.target)
    feedbackOutputs = Dictionary(grouping: feedback, by: \.source)
  }

  /// The definition of a node.
  ///
  /// - Parameter node: A node of the snapshot.
  /// - Returns: Its definition; nil if the snapshot has none.
  package func definition(of node: Node) -> Definition? { definitions[node.definition] }

  /// The behaviour of a node's operator or source; empty if the snapshot has none.
  ///
  /// - Parameter node: A node of the snapshot.
  /// - Returns: The behaviour that its definition declares.
  package func behavior(of node: Node) -> OperatorBehavior { definitions[node.definition]?.behavior ?? [] }

  /// Whether a node is a source that sends with or without a subscriber, and has no value from the beginning.
  func isEmitter(_ node: Node) -> Bool {
    let behavior = behavior(of: node)
    return behavior.contains(.sendsUnasked) && !behavior.contains(.holdsValue)
  }

  /// The time since the subscription of a node was created, in seconds; very large if unknown, so that such a node counts
  /// as old.
  func age(of node: Node) -> Double { snapshot.takenAt - (node.since ?? 0) }

  /// Whether a definition has no behaviour, as in snapshots of older versions. Rules that depend on it report nothing
  /// then.
  package var hasUnknownBehavior: Bool { snapshot.definitions.contains { $0.behavior == nil } }

  /// The title of a node: its name, or the kind of its definition.
  ///
  /// - Parameter node: A node of the snapshot.
  /// - Returns: Such as "`ticks`" or "`map`".
  package func title(of node: Node) -> String {
    "`\(node.name ?? definition(of: node)?.kind ?? "node \(node.id)")`"
  }

  /// The shortest text that identifies a source location in this graph.
  ///
  /// - Parameter place: A source location of the graph.
  /// - Returns: Such as `Feed.swift:42`, or `App/Feed.swift:42` if another module has a file of that name.
  package func words(of place: Place) -> String { places(place.fileID, place.line) }

  /// The node at which the values of a chain originate. The path upstream follows ``mainInput(of:)``.
  ///
  /// - Parameter node: The node to begin at.
  /// - Returns: The uppermost node; the node itself if it has no input.
  package func origin(of node: Node) -> Node {
    var current = node
    var seen: Set<UInt64> = [node.id]
    while let edge = mainInput(of: current.id), let next = nodes[edge.source], seen.insert(next.id).inserted {
      current = next
    }
    return current
  }

  /// Whether a node without inputs, from which values reach another one, has sent any. At most ``longestPath`` nodes are looked at.
  func hasSourceThatSent(above node: Node) -> Bool {
    var (waiting, seen) = ([node.id], Set([node.id]))
    while let next = waiting.popLast(), seen.count <= Self.longestPath {
      let edges = inputs[next] ?? []
      if edges.isEmpty, nodes[next]?.valueCount ?? 0 > 0 { return true }
      for edge in edges where seen.insert(edge.source).inserted { waiting.append(edge.source) }
    }
    return false
  }

  /// The maximum number of nodes on a path upstream, for searches from many nodes: chains may be as deep as the graph
  /// has nodes. Not for ``origin(of:)``, which rules call for few nodes.
  static let longestPath = 1_000

  /// Whether one of the first ``longestPath`` nodes of a path upstream, from a node on, ends by itself.
  func isBounded(above node: Node) -> Bool {
    var (current, seen) = (node, Set([node.id]))
    while seen.count <= Self.longestPath {
      if behavior(of: current).contains(.endsByItself) { return true }
      guard let edge = mainInput(of: current.id), let next = nodes[edge.source], seen.insert(next.id).inserted else {
        return false
      }
      current = next
    }
    return false
  }

  /// The source of a chain in which every operator has one data input; nil if an operator on the path may end by itself or
  /// its behaviour is unknown, or if the source is not live.
  func endlessOrigin(above node: Node) -> Node? {
    var (current, seen) = (node, Set([node.id]))
    while let edges = inputs[current.id] {
      guard Self.isLasting(behavior(of: current)), let edge = mainInput(of: current.id),
        edges.allSatisfy({ $0.source == edge.source || $0.kind != .data }),
        let next = nodes[edge.source], seen.insert(next.id).inserted
      else { return nil }
      current = next
    }
    return current.state == .live ? current : nil
  }

  /// Whether an operator with one input lasts as long as that input.
  private static func isLasting(_ behavior: OperatorBehavior) -> Bool {
    !behavior.contains(.endsByItself) && !behavior.isDisjoint(with: [.atMostOne, .hops, .delays, .settles])
  }

  /// The nodes that the values of some nodes reach through connections, and these nodes; sends of handlers do not
  /// count.
  func reachable(from nodes: [UInt64]) -> Set<UInt64> {
    var (waiting, seen) = (nodes, Set(nodes))
    while let node = waiting.popLast() {
      waiting += (outputs[node] ?? []).map(\.target).filter { seen.insert($0).inserted }
    }
    return seen
  }

  /// The input that carries a node's values: the first plain one, else an inner one, else a sampled one, else a trigger.
  func mainInput(of node: UInt64) -> Edge? {
    guard let edges = inputs[node] else { return nil }
    return edges.first { ![.trigger, .sampled, .inner].contains($0.kind) } ?? edges.first { $0.kind == .inner }
      ?? edges.first { $0.kind == .sampled } ?? edges.first
  }
}
