package import SignalGraph

/// A snapshot with its nodes, definitions and connections at hand by identifier.
package struct GraphView: Sendable {
  /// The snapshot.
  package let snapshot: GraphSnapshot
  /// The nodes by `id`.
  package let nodes: [UInt64: Node]
  /// The nodes by the `id` of their definition, in the order of the snapshot.
  package let nodesByDefinition: [Int: [Node]]
  /// The definitions by `id`.
  package let definitions: [Int: Definition]
  /// The connections that lead to a node, by its `id`, in the order of the snapshot; without what handlers send.
  package let inputs: [UInt64: [Edge]]
  /// The connections that lead from a node, by its `id`, in the order of the snapshot; without what handlers send.
  package let outputs: [UInt64: [Edge]]
  /// What handlers send to a node, by its `id`, in the order of the snapshot: edges that are `Edge.Kind.feedback`.
  package let feedbackInputs: [UInt64: [Edge]]
  /// What a node's handler sends, by the node's `id`, in the order of the snapshot: edges that are `Edge.Kind.feedback`.
  package let feedbackOutputs: [UInt64: [Edge]]

  /// What nodes work on, in words.
  package let schedulers: SchedulerWords
  private let places: PlaceWords

  /// Indexes a snapshot. Counts and times that nobody can compute with are cut off.
  ///
  /// - Parameter snapshot: The snapshot. Of nodes or definitions with one identifier, the first counts.
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
  /// - Returns: Where it is written; nil in a snapshot that does not say.
  package func definition(of node: Node) -> Definition? { definitions[node.definition] }

  /// What a node's operator or source does; nothing where a snapshot does not say.
  ///
  /// - Parameter node: A node of the snapshot.
  /// - Returns: What is declared at its definition.
  package func behavior(of node: Node) -> OperatorBehavior { definitions[node.definition]?.behavior ?? [] }

  /// Whether a node is a source that sends whether or not somebody subscribes, and that holds no value from the beginning.
  func isEmitter(_ node: Node) -> Bool {
    let behavior = behavior(of: node)
    return behavior.contains(.sendsUnasked) && !behavior.contains(.holdsValue)
  }

  /// Whether a definition does not say what it does, as in snapshots of older versions: no rule judges what depends on that.
  package var hasUnknownBehavior: Bool { snapshot.definitions.contains { $0.behavior == nil } }

  /// What a node is called: its own name, or what is written there.
  ///
  /// - Parameter node: A node of the snapshot.
  /// - Returns: Such as "`ticks`" or "`map`".
  package func title(of node: Node) -> String {
    "`\(node.name ?? definition(of: node)?.kind ?? "node \(node.id)")`"
  }

  /// A place in the source code, as short as it is unambiguous in this graph.
  ///
  /// - Parameter place: A place of the graph.
  /// - Returns: Such as `Feed.swift:42`, or `App/Feed.swift:42` where another module has such a file.
  package func words(of place: Place) -> String { places(place.fileID, place.line) }

  /// The node in which the values of a chain begin: the one that is reached by going up the first connection each time that
  /// carries values, and no sampled ones where there are others.
  ///
  /// - Parameter node: Where to begin.
  /// - Returns: The uppermost node; the node itself if nothing leads to it.
  package func origin(of node: Node) -> Node {
    var current = node
    var seen: Set<UInt64> = [node.id]
    while let edge = mainInput(of: current.id), let next = nodes[edge.source], seen.insert(next.id).inserted {
      current = next
    }
    return current
  }

  /// How many nodes above one are looked at where many nodes are asked: chains may be as deep as there are nodes.
  static let largestWay = 1_000

  /// Whether a node or one of those above it, one after the other, ends by itself.
  func isBounded(above node: Node) -> Bool {
    var (current, seen) = (node, Set([node.id]))
    while seen.count < Self.largestWay {
      if behavior(of: current).contains(.endsByItself) { return true }
      guard let edge = mainInput(of: current.id), let next = nodes[edge.source], seen.insert(next.id).inserted else {
        return false
      }
      current = next
    }
    return false
  }

  /// The source in which a chain of one input each begins, unless an operator on the path may end by itself.
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

  /// Whether an operator of one input lasts as long as that.
  private static func isLasting(_ behavior: OperatorBehavior) -> Bool {
    !behavior.contains(.endsByItself) && !behavior.isDisjoint(with: [.atMostOne, .hops, .delays, .settles])
  }

  /// The nodes that values of some nodes come to by connections, and these nodes; what handlers send does not count.
  func reachable(from nodes: [UInt64]) -> Set<UInt64> {
    var (waiting, seen) = (nodes, Set(nodes))
    while let node = waiting.popLast() {
      waiting += (outputs[node] ?? []).map(\.target).filter { seen.insert($0).inserted }
    }
    return seen
  }

  /// The connection by which the values come that a node gives: of several the first, and of inner signals none while there is another.
  func mainInput(of node: UInt64) -> Edge? {
    guard let edges = inputs[node] else { return nil }
    return edges.first { ![.trigger, .sampled, .inner].contains($0.kind) } ?? edges.first { $0.kind == .inner }
      ?? edges.first { $0.kind == .sampled } ?? edges.first
  }
}
