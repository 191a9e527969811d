import SignalGraph

/// Handlers that send to the source which calls them, round and round.
///
/// It takes two snapshots between which handlers were traced. A loop is reported when each of its sources gave at least 20 values a second, and at
/// least nine of ten came from the handlers of the loop: nobody else drives it. A binding in two directions that settles is none; nor is a pump, in
/// whose loop an operator of time such as `delay` holds each value for at least ten milliseconds.
struct FeedbackLoopRule: Rule {
  static let name = "feedback-loop"
  static let summary = "handlers that send to the source which calls them, round and round"

  /// How many values a second each source has to give.
  var leastRate = 20.0
  /// What part of a source's values has to come from the loop.
  var part = 0.9
  /// For how long an operator of time has to hold a value, in seconds, for a loop to be a pump.
  var pace = 0.01

  /// Operators that let values pass only so often, by their kind.
  static let pacing: Set = ["audit", "debounce", "delay", "delayValues", "sample(every:on:)", "throttle"]

  func findings(in observation: Observation) -> [Finding] {
    guard observation.before != nil, observation.seconds > 0 else { return [] }
    let graph = observation.now
    let hot = graph.snapshot.edges.filter { $0.kind == .feedback && isHot($0, in: observation) }
    let byHandler = Dictionary(grouping: hot, by: \.source)
    var reported: Set<UInt64> = []
    return hot.compactMap { edge -> Finding? in
      guard !reported.contains(edge.target), let loop = loop(from: edge, byHandler, in: graph) else { return nil }
      reported.formUnion(loop.map(\.target))
      guard let handler = graph.nodes[edge.source], let definition = graph.definition(of: handler),
        let source = graph.nodes[edge.target]
      else { return nil }
      let rate = Int((Double(observation.values(of: source)) / observation.seconds).rounded())
      let names = loop.compactMap { graph.nodes[$0.target] }.map {
        graph.title(of: $0) + Explanation.place(of: $0, in: graph)
      }
      return Finding(
        rule: Self.name, severity: .error, place: Place(definition),
        message: loop.count == 1
          ? "this handler sends to \(names[0]), which calls it: \(rate) values a second, and nobody else sends any"
          : "this handler sends to \(names[0]), which leads back to it by way of \(names.dropFirst().joined(separator: ", ")): "
            + "\(rate) values a second, and nobody else sends any",
        remedy:
          "let one be the truth and make the others of it with `map`; where it would settle, `removeDuplicates()` above one of the handlers stops what has not changed",
        related: loop.dropFirst().compactMap { other in
          graph.nodes[other.source].flatMap(graph.definition(of:)).map {
            .init("this handler sends on", at: Place($0))
          }
        },
        nodes: loop.map(\.source))
    }.sorted { $0.place < $1.place }
  }

  private func isHot(_ edge: Edge, in observation: Observation) -> Bool {
    guard let source = observation.now.nodes[edge.target], source.state == .live else { return false }
    let values = Double(observation.values(of: source))
    let sent = observation.now.feedbackInputs[edge.target, default: []]
      .reduce(0.0) { $0 + Double(sends($1, in: observation)) }
    return values >= leastRate * observation.seconds && sent >= part * values && sends(edge, in: observation) > 0
  }

  /// How many values a handler sent to a source while the graph was watched.
  private func sends(_ edge: Edge, in observation: Observation) -> UInt64 {
    let now = edge.count ?? 0
    let earlier =
      observation.before?.feedbackOutputs[edge.source]?.first { $0.target == edge.target }?.count ?? 0
    return now >= earlier ? now - earlier : now
  }

  /// The way from a handler's source back to the handler; each step is what a handler sends to a source.
  private func loop(from edge: Edge, _ byHandler: [UInt64: [Edge]], in graph: GraphView) -> [Edge]? {
    var ways = [[edge]]
    var seen: Set<UInt64> = [edge.target]
    while !ways.isEmpty {
      let way = ways.removeFirst()
      guard let last = way.last else { continue }
      for handler in handlers(below: last.target, in: graph) {
        if handler == edge.source { return way }
        for next in byHandler[handler] ?? [] where seen.insert(next.target).inserted { ways.append(way + [next]) }
      }
    }
    return nil
  }

  /// The handlers that the values of a source come to, by a way that nothing paces.
  private func handlers(below source: UInt64, in graph: GraphView) -> [UInt64] {
    var found: [UInt64] = []
    var queue = [source]
    var seen: Set<UInt64> = [source]
    while let node = queue.popLast() {
      let edges = graph.outputs[node] ?? []
      if edges.isEmpty { found.append(node) }
      for edge in edges where !isPaced(edge.target, in: graph) && seen.insert(edge.target).inserted {
        queue.append(edge.target)
      }
    }
    return found
  }

  private func isPaced(_ identifier: UInt64, in graph: GraphView) -> Bool {
    guard let node = graph.nodes[identifier], node.interval ?? 0 >= pace else { return false }
    return graph.definition(of: node).map { Self.pacing.contains($0.kind) } ?? false
  }
}
