import SignalGraph

/// A node at which values stop, and what it waits for.
struct Obstacle {
  let node: UInt64
  let words: String

  /// Creates it if values stop at a node that emitted none. Nil if the search must continue upstream.
  init?(at node: Node, in observation: Observation) {
    let graph = observation.now
    let title = graph.title(of: node) + Explanation.place(of: node, in: graph)
    let inputs = (graph.inputs[node.id] ?? []).compactMap { edge in graph.nodes[edge.source].map { (edge, $0) } }
    let isJoin = Self.isJoin(node, in: graph)
    let given = inputs.filter { $0.0.kind != .trigger && !(isJoin && $0.0.kind == .sampled) }.map {
      observation.values(of: $0.1)
    }
    // Values that were stored earlier count too.
    let isSupplied = inputs.allSatisfy {
      !isJoin || $0.0.kind != .sampled || $0.1.valueCount > 0 || Self.hasValue($0.1, in: graph)
    }
    self.node = node.id
    // A node that ended because of its upstream is not the reason.
    let isFollowing = node.state != .disposed && inputs.contains { [.finished, .failed].contains($0.1.state) }
    if let ending = Self.ending(of: node) {
      if isFollowing { return nil }
      let retry = node.state == .failed ? FailedAttempts(below: node, in: observation) : nil
      words = "\(title) \(ending)" + (retry.map { "; " + $0.words } ?? ", so no more values can come")
    } else if let demand = node.demand, !demand.isAsked {
      words = "\(title) received no request for a value: \(demand.words(at: graph.snapshot.takenAt))"
    } else if inputs.isEmpty, let demand = node.demand {
      words = "\(title) has emitted nothing: \(demand.words(at: graph.snapshot.takenAt))"
    } else if let retry = FailedAttempts(at: node, in: observation) {
      words = retry.words
    } else if inputs.isEmpty, let retry = FailedAttempts(below: node, in: observation) {
      words = "\(title) has sent nothing: \(retry.wordsForAttempt)"
    } else if inputs.isEmpty, let connection = Self.missingConnection(of: node, in: observation) {
      words = "\(title) \(connection)"
    } else if inputs.isEmpty, node.valueCount == 0, Self.hasValue(node, in: graph) {
      words = "\(title) still has its initial value, which each subscriber gets at once"
    } else if inputs.isEmpty {
      let ever = node.valueCount == 0 ? "has never sent a value" : "sent none in this time; \(node.valueCount) in all"
      words = "\(title) \(ever)"
    } else if given.contains(where: { $0 > 0 }) {
      guard !isJoin || isSupplied && given.allSatisfy({ $0 > 0 }) else { return nil }
      let count = given.reduce(0, +)
      words =
        "\(title) got \(count) value\(count == 1 ? "" : "s") and gave none: "
        + Self.wait(graph.behavior(of: node), triggers: Self.triggers(inputs, in: observation))
    } else {
      return nil
    }
  }

  /// The description of a `multicast` signal without an input.
  private static func missingConnection(of node: Node, in observation: Observation) -> String? {
    guard observation.now.behavior(of: node).contains(.waitsForConnection) else { return nil }
    return node.valueCount == 0 && observation.before?.inputs[node.id] == nil
      ? "has no connection to its source: `connect()` was not called, or its result was released"
      : "has no connection to its source any more: the result of `connect()` was disposed or released"
  }

  private static func ending(of node: Node) -> String? {
    switch node.state {
    case .live: nil
    case .finished: "has finished"
    case .failed: "has failed" + (node.failure.map { ", with \($0)" } ?? "")
    case .disposed: "was disposed"
    }
  }

  /// Whether a node needs a value from each of its inputs.
  private static func isJoin(_ node: Node, in graph: GraphView) -> Bool {
    graph.behavior(of: node).contains(.needsEachInput)
  }

  /// Whether a source has a value from the beginning.
  static func hasValue(_ node: Node, in graph: GraphView) -> Bool {
    graph.behavior(of: node).contains(.holdsValue)
  }

  private static func triggers(_ inputs: [(Edge, Node)], in observation: Observation) -> UInt64 {
    inputs.filter { $0.0.kind == .trigger }.reduce(0) { $0 + observation.values(of: $1.1) }
  }

  /// Describes what an operator waits for that receives values and emits none, by the first behaviour in this list that
  /// it declares.
  private static func wait(_ behavior: OperatorBehavior, triggers: UInt64) -> String {
    let words: [(OperatorBehavior, String)] = [
      (.waitsForPause, "it waits for a pause between them that is long enough"),
      ([.collects, .emitsAtEnd], "it stores them until there are enough, or the source ends"),
      (
        [.waitsForTime, .waitsForTrigger, .settles],
        "it waits for its time or its trigger, which came \(triggers) times"
      ),
      (.filters, "its closure lets none of them pass"),
      (.dropsRepeats, "each is equal to the one before"),
      (.dropsFirst, "it has not dropped enough values yet"),
      (.changesOnTrigger, "it waits for its trigger, which came \(triggers) times"),
      (.runsTasks, "its closures have not returned"),
      ([.hops, .subscribesElsewhere], "its scheduler has not run them"),
      (.delays, "they are not due yet"),
      (.runsInner, "the signals that it created from them have sent nothing"),
      (.decides, "it decides when it has seen enough, or the source ends"),
    ]
    return words.first { !$0.0.isDisjoint(with: behavior) }?.1 ?? "it let none pass"
  }
}
