import SignalGraph

/// Handlers that send to the source that calls them, in an endless loop.
///
/// Two snapshots are needed, and profiled handlers between them. A loop is reported if each of its sources emitted at
/// least 20 values a second, and at least nine of ten came from handlers that receive its values: nothing else drives
/// it. A two-way binding that settles is no loop. A pump is no loop either: in it, an operator of time such as `delay`
/// holds each value for at least ten milliseconds. Inputs that an operator only samples close no loop.
struct FeedbackLoopRule: Rule {
  static let name = "feedback-loop"
  static let summary = "handlers that endlessly send to the source that calls them"

  /// The minimum rate of each source, in values a second.
  var leastRate = 20.0
  /// The minimum share of a source's values that come from the loop.
  var part = 0.9
  /// The minimum time for which an operator of time holds each value of a pump, in seconds.
  var pace = 0.01

  func findings(in observation: Observation) -> [Finding] {
    guard observation.before != nil, observation.seconds > 0 else { return [] }
    let graph = observation.now
    let sends = HandlerSends(in: observation)
    let inRings = ringEdges(in: observation, sends)
    let byHandler = Dictionary(grouping: inRings, by: \.source)
    // One loop is reported for each location, with all handlers there that are in any loop.
    let places = Dictionary(grouping: inRings) { Ways($0, in: graph) }
    var reported: Set<UInt64> = []
    var told: Set<Ways> = []
    return inRings.compactMap { edge -> Finding? in
      let ways = Ways(edge, in: graph)
      guard !told.contains(ways), !reported.contains(edge.target), let loop = loop(from: edge, byHandler, in: graph)
      else { return nil }
      reported.formUnion(loop.map(\.target))
      told.insert(ways)
      guard let handler = graph.nodes[edge.source], let definition = graph.definition(of: handler),
        let source = graph.nodes[edge.target]
      else { return nil }
      let rate = Int((Double(observation.values(of: source)) / observation.seconds).rounded())
      let sources = loop.compactMap { graph.nodes[$0.target] }
      let names = sources.enumerated().map { number, node in
        // Several instances of one class have one name and location.
        sources[..<number].contains { $0.definition == node.definition }
          ? "another \(graph.title(of: node)) of that location"
          : graph.title(of: node) + Explanation.place(of: node, in: graph)
      }
      let others = (places[ways] ?? []).filter { !reported.contains($0.target) }
      reported.formUnion(others.map(\.target))
      let known = loop.map(\.source)
      return Finding(
        rule: Self.name, severity: .error, place: Place(definition),
        message: loop.count == 1
          ? "this handler sends to \(names[0]), which calls it: \(rate) values a second, and the loop itself sends them"
          : "this handler sends to \(names[0]), which leads back to it by way of \(names.dropFirst().joined(separator: ", ")): "
            + "\(rate) values a second, and the loop itself sends them",
        remedy: loop.count == 1
          ? "do not send a source values that derive from its own: derive them with `map` or `scan` below it, or send them to another source; if the loop would "
            + "settle, `removeDuplicates()` above the handler stops unchanged values"
          : "derive the others from one source of truth with `map`; if the loop would settle, `removeDuplicates()` above one of the handlers stops unchanged values",
        related: loop.dropFirst().compactMap { other in
          graph.nodes[other.source].flatMap(graph.definition(of:)).map {
            .init("this handler sends to the next source", at: Place($0))
          }
        },
        nodes: known + Set(others.map(\.source)).subtracting(known).sorted())
    }.sorted { $0.place < $1.place }
  }

  /// The location of a handler, and that of the source to which it sends.
  private struct Ways: Hashable {
    let handler: Int?
    let source: Int?

    init(_ edge: Edge, in graph: GraphView) {
      handler = graph.nodes[edge.source]?.definition
      source = graph.nodes[edge.target]?.definition
    }
  }

  /// The sends of handlers within cycles, to sources that only these sends drive.
  private func ringEdges(in observation: Observation, _ sends: HandlerSends) -> [Edge] {
    let graph = observation.now
    var edges = graph.snapshot.edges.filter { edge in
      edge.kind == .feedback && sends.by(edge) > 0 && isFast(edge.target, in: observation)
    }
    // Without a source that something else drives, a cycle may no longer be one.
    while !edges.isEmpty {
      let byHandler = Dictionary(grouping: edges, by: \.source)
      let rings = Rings(from: edges.map(\.target)) { node in
        let outputs = graph.outputs[node] ?? []
        return outputs.isEmpty
          ? (byHandler[node] ?? []).map(\.target)
          : outputs.filter { isDriving($0, in: graph) && !isPaced($0, in: graph) }.map(\.target)
      }
      let inRings = edges.filter { rings.contain($0.source, $0.target) }
      let sent = Dictionary(grouping: inRings, by: \.target).mapValues { $0.reduce(0) { $0 + Double(sends.by($1)) } }
      let driven = inRings.filter { edge in
        graph.nodes[edge.target].map { sent[edge.target] ?? 0 >= part * Double(observation.values(of: $0)) } ?? false
      }
      if driven.count == edges.count { break }
      edges = driven
    }
    return edges
  }

  private func isFast(_ source: UInt64, in observation: Observation) -> Bool {
    guard let node = observation.now.nodes[source], node.state == .live else { return false }
    return Double(observation.values(of: node)) >= leastRate * observation.seconds
  }

  /// The path from a handler's source back to the handler; each step is a send of a handler to a source.
  private func loop(from edge: Edge, _ byHandler: [UInt64: [Edge]], in graph: GraphView) -> [Edge]? {
    var ways: [(edge: Edge, before: Int?)] = [(edge, nil)]
    var seen: Set<UInt64> = [edge.target]
    var nodes: Set<UInt64> = []
    var number = 0
    while number < ways.count {
      for handler in handlers(below: ways[number].edge.target, &nodes, in: graph) {
        if handler == edge.source {
          var way: [Edge] = []
          var step: Int? = number
          while let at = step {
            way.append(ways[at].edge)
            step = ways[at].before
          }
          return way.reversed()
        }
        for next in byHandler[handler] ?? [] where seen.insert(next.target).inserted { ways.append((next, number)) }
      }
      number += 1
    }
    return nil
  }

  /// The handlers that receive a source's values by a path without a delay; without those that were found already.
  private func handlers(below source: UInt64, _ seen: inout Set<UInt64>, in graph: GraphView) -> [UInt64] {
    guard seen.insert(source).inserted else { return [] }
    var found: [UInt64] = []
    var queue = [source]
    while let node = queue.popLast() {
      let edges = graph.outputs[node] ?? []
      if edges.isEmpty { found.append(node) }
      for edge in edges
      where isDriving(edge, in: graph) && !isPaced(edge, in: graph) && seen.insert(edge.target).inserted {
        queue.append(edge.target)
      }
    }
    return found
  }

  /// Whether a value of the connection makes its target emit at once. It does not if the target only samples it,
  /// collects values until its trigger fires, or pairs it with a value that no handler sends.
  private func isDriving(_ edge: Edge, in graph: GraphView) -> Bool {
    guard edge.kind != .sampled, let target = graph.nodes[edge.target] else { return false }
    let behavior = graph.behavior(of: target)
    if behavior.contains(.emitsOnTrigger) { return edge.kind == .trigger }
    guard behavior.contains(.pairs) else { return true }
    return (graph.inputs[target.id] ?? []).lazy.filter { $0.source != edge.source }
      .compactMap { graph.nodes[$0.source] }.allSatisfy { graph.feedbackInputs[graph.origin(of: $0).id] != nil }
  }

  /// Whether the target of a connection lets time pass for each of its values: an operator of time, or one that starts a
  /// task for each, itself or with all its inner signals.
  private func isPaced(_ edge: Edge, in graph: GraphView) -> Bool {
    guard let node = graph.nodes[edge.target] else { return false }
    let behavior = graph.behavior(of: node)
    if behavior.contains(.runsTasks) { return true }
    if behavior.contains(.runsInner), edge.kind == .data {
      let inner = (graph.inputs[node.id] ?? []).lazy.filter { $0.kind == .inner }.compactMap { graph.nodes[$0.source] }
      return !inner.isEmpty && inner.allSatisfy { graph.behavior(of: graph.origin(of: $0)).contains(.runsTasks) }
    }
    return node.interval ?? 0 >= pace && !behavior.isDisjoint(with: [.delays, .limitsRate])
  }
}

/// The number of values that handlers sent to sources while a graph was watched.
private struct HandlerSends {
  private struct Way: Hashable {
    let source: UInt64
    let target: UInt64
  }

  private var earlier: [Way: UInt64] = [:]

  init(in observation: Observation) {
    for edge in observation.before?.snapshot.edges ?? [] where edge.kind == .feedback {
      let way = Way(source: edge.source, target: edge.target)
      if earlier[way] == nil { earlier[way] = edge.count ?? 0 }
    }
  }

  /// The number of values that a handler sent.
  func by(_ edge: Edge) -> UInt64 {
    let (now, before) = (edge.count ?? 0, earlier[Way(source: edge.source, target: edge.target)] ?? 0)
    return now >= before ? now - before : now
  }
}
