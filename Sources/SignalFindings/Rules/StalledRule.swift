import SignalGraph

/// Operators that another signal keeps from emitting: a combining operator with a silent input; an operator that emits
/// at the end of its input, whose source has no end; a `concatMap` or `exhaustMap` with an endless inner signal; a
/// `flatMapLatest` whose inner signals are replaced before they emit; a `prefix(untilOutputFrom:)` or
/// `drop(untilOutputFrom:)` whose trigger has ended.
///
/// The rule needs two snapshots at least a second apart. The operator must be at least 10 seconds old. It must have
/// received 5 values in the interval, unless it waits for an end.
///
/// - A `combineLatest`, `zip` or `withLatest(from:)` must never have emitted, and must have received 10 values, some before the interval.
///   One input must be silent, and must not wait for a deadline.
/// - A `forkJoin` must have an input that begins at an `interval` or a property, with no operator on its path that ends
///   it. A `reduce`, `last` or other operator that emits at the end must be below such an `interval`.
/// - A `concatMap` or `exhaustMap` must have had the same inner signal for 10 seconds. None from that location may have
///   finished; or the others must have taken a tenth of its time on average, and this one must be silent and wait for
///   an emitter. The inner signal of an `exhaustMap` must have been silent in the interval.
/// - A `flatMapLatest` must never have emitted, and 10 of its inner signals must have been replaced, none of which has
///   ended by itself. They must begin at sources of their own. An inner signal that waits for 2 seconds or more may be
///   a watchdog.
/// - Of the subscriptions of one location to a source that starts work, 10 must have been disposed in the interval.
///   None may ever have received a value, or have ended by itself.
/// - The trigger of a `prefix(untilOutputFrom:)` or `drop(untilOutputFrom:)` must have ended without a value.
struct StalledRule: Rule {
  static let name = "stalled"
  static let summary = "an operator that another signal keeps from emitting"

  /// The minimum interval between the snapshots, in seconds.
  var watched = 1.0
  /// The minimum number of values received in the interval.
  var least: UInt64 = 5
  /// The minimum number of values a combining operator has received in all.
  var leastInLife: UInt64 = 10
  /// The minimum age of the operator or its inner signal, in seconds.
  var patience = 10.0
  /// The minimum age of an inner signal that emits and is bounded, such as with `prefix`, or does work.
  var longPatience = 60.0

  /// A stalled operator, and the node that it waits for.
  struct Stall {
    let node: Node
    let message: String
    let remedy: String
    let blocker: Node
    /// The description of ``blocker``.
    let words: String
  }

  func findings(in observation: Observation) -> [Finding] {
    guard observation.seconds >= watched else { return [] }
    let graph = observation.now
    let stalls = graph.snapshot.nodes.compactMap { stall(of: $0, in: observation) } + restarts(in: observation)
    // An operator that waits for another reported one is a consequence.
    let reported = Set(stalls.map(\.node.id))
    let causes = stalls.filter { $0.blocker.id == $0.node.id || !reported.contains($0.blocker.id) }
    return Dictionary(grouping: causes, by: \.node.definition).compactMap { number, stalls -> Finding? in
      guard let definition = graph.definitions[number], let first = stalls.min(by: { $0.node.id < $1.node.id }) else {
        return nil
      }
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition), message: first.message, remedy: first.remedy,
        related: first.blocker.id == first.node.id
          ? []
          : graph.definition(of: first.blocker).map { [.init(first.words, at: Place($0))] } ?? [],
        nodes: stalls.map(\.node.id))
    }.sorted { $0.place < $1.place }
  }

  private func stall(of node: Node, in observation: Observation) -> Stall? {
    let graph = observation.now
    guard observation.hasStayed(node), isOld(node, in: graph), let definition = graph.definition(of: node) else {
      return nil
    }
    let (behavior, kind) = (definition.behavior ?? [], definition.kind)
    if behavior.contains(.emitsAtEnd) {
      // The last value of a property may be wanted by itself.
      return waitingForEnd(
        node, kind, of: behavior.contains(.needsEachInput) ? [.isPeriodic, .holdsValue] : .isPeriodic, in: observation)
    } else if behavior.contains(.needsEachInput) {
      return join(node, definition, in: observation)
    } else if !behavior.isDisjoint(with: [.queuesInner, .ignoresDuringInner]) {
      return flattening(node, definition, in: observation)
    } else if behavior.contains(.replacesInner) {
      return replacing(node, kind, in: observation)
    } else if behavior.contains(.changesOnTrigger) {
      return gate(node, definition, in: observation)
    }
    return nil
  }

  func isOld(_ node: Node, in graph: GraphView) -> Bool {
    node.since.map { graph.snapshot.takenAt - $0 >= patience } ?? false
  }

  // MARK: Joins

  private func join(_ node: Node, _ definition: Definition, in observation: Observation) -> Stall? {
    let graph = observation.now
    guard node.valueCount == 0 else { return nil }
    let edges = graph.inputs[node.id] ?? []
    // Sampled values alone cause no output.
    let flowing = edges.filter { $0.kind != .sampled }.max {
      observation.values(by: $0) < observation.values(by: $1)
    }
    guard let flowing, let source = graph.nodes[flowing.source], observation.values(by: flowing) >= least,
      let got = observation.valuesInLife(by: flowing), got >= leastInLife,
      // The values of a single burst may wait for their counterparts.
      got > observation.values(by: flowing), let silent = silentInput(of: edges, in: observation),
      let blocker = blocker(above: silent, in: observation)
    else { return nil }
    let title = graph.title(of: blocker.node)
    // The locations distinguish two nodes with the same title.
    let isAmbiguous = title == graph.title(of: source) && source.id != blocker.node.id
    let place = { (node: Node) in isAmbiguous ? Explanation.place(of: node, in: graph) : "" }
    return Stall(
      node: node,
      message:
        "this `\(definition.kind)` received \(got) values from \(graph.title(of: source))\(place(source)) and emitted none: "
        + "\(title)\(place(blocker.node)) \(blocker.words)",
      remedy: Self.remedy(definition, blocker: blocker.node, title, in: graph), blocker: blocker.node,
      words: "\(title) is here")
  }

  /// The input that has emitted nothing since the subscription; preferably one that has never emitted.
  private func silentInput(of edges: [Edge], in observation: Observation) -> Node? {
    let graph = observation.now
    let silent = edges.compactMap { edge -> Node? in
      guard let source = graph.nodes[edge.source], !Obstacle.hasValue(source, in: graph),
        observation.valuesInLife(by: edge) == 0
      else { return nil }
      return source
    }
    return silent.first { $0.valueCount == 0 } ?? silent.first
  }

  /// The node at which values stop above a silent input: the first that receives some, or the source. Nil if a node on the path waits for a
  /// deadline.
  private func blocker(above silent: Node, in observation: Observation) -> (node: Node, words: String)? {
    let graph = observation.now
    var (node, seen) = (silent, Set([silent.id]))
    while true {
      guard node.interval == nil, node.leadTime == nil, node.scheduler == nil else { return nil }
      guard node.valueCount == 0, let edges = graph.inputs[node.id] else { break }
      let above = edges.filter { $0.kind != .trigger }
      let got = above.compactMap { observation.valuesInLife(by: $0) }.max() ?? 0
      if got > 0 { return (node, "received \(got) value\(got == 1 ? "" : "s") and emitted none") }
      guard let next = silentInput(of: above, in: observation), seen.insert(next.id).inserted else { break }
      node = next
    }
    return (
      node,
      node.valueCount == 0
        ? "has never \(graph.inputs[node.id] == nil ? "sent" : "emitted") one" : "has sent none since this subscribed"
    )
  }

  private static func remedy(
    _ definition: Definition, blocker: Node, _ title: String, in graph: GraphView
  ) -> String {
    if graph.inputs[blocker.id] != nil { return "check why \(title) lets nothing pass" }
    let first =
      graph.isEmitter(blocker)
      ? "make \(title) a `Property`, which has a value from the beginning" : "begin \(title) with a value, by `prepend`"
    return definition.behavior?.contains(.pairs) == true
      ? "check that \(title) sends; or combine latest values with `combineLatest` or `withLatest(from:)`"
      : "check that \(title) sends\(blocker.valueCount > 0 ? " after this has subscribed" : ""); or \(first)"
  }

  // MARK: Ends

  /// An operator that emits at the end of its inputs, one of which begins at a source of the given kinds that never
  /// ends.
  private func waitingForEnd(_ node: Node, _ kind: String, of sources: OperatorBehavior, in observation: Observation)
    -> Stall?
  {
    let graph = observation.now
    guard node.valueCount == 0 else { return nil }
    let endless = (graph.inputs[node.id] ?? []).lazy.compactMap { edge -> Node? in
      guard let input = graph.nodes[edge.source], let origin = graph.endlessOrigin(above: input),
        !sources.isDisjoint(with: graph.behavior(of: origin))
      else { return nil }
      return origin
    }
    guard let source = endless.first else { return nil }
    let title = graph.title(of: source)
    let isJoin = sources.contains(.holdsValue)
    return Stall(
      node: node,
      message: "this `\(kind)` emits when \(isJoin ? "each input" : "its source") has ended, and \(title) does not end",
      remedy: isJoin
        ? "take the values to combine from \(title), with `first()` or `prefix(_:)`; or combine latest values with `combineLatest`"
        : "end it, such as with `prefix(_:)` or `prefix(untilOutputFrom:)`; or emit for each value, with `scan`",
      blocker: source, words: "\(title) is here")
  }

  // MARK: Triggers

  private func gate(_ node: Node, _ definition: Definition, in observation: Observation) -> Stall? {
    let graph = observation.now
    let isPrefix = definition.behavior?.contains(.endsByItself) == true
    let edges = graph.inputs[node.id] ?? []
    let came = edges.filter { $0.kind != .trigger }.reduce(UInt64(0)) { $0 + observation.values(by: $1) }
    guard came >= least else { return nil }
    let trigger = edges.lazy.filter { $0.kind == .trigger }.compactMap { graph.nodes[$0.source] }.first
    // The snapshot no longer contains a trigger that ended long ago. A trigger that fired has ended the `prefix`, or
    // opened the `drop`.
    guard trigger.map({ $0.state != .live && $0.valueCount == 0 }) ?? (isPrefix || node.valueCount == 0)
    else { return nil }
    let origin = trigger.map(graph.origin)
    let title = origin.map { "\(graph.title(of: $0)) " } ?? ""
    let isReleased = origin?.isReleased == true
    return Stall(
      node: node,
      message:
        "this `\(definition.kind)` \(isPrefix ? "will never end" : "lets nothing pass, and never will"): its trigger \(title)"
        + (isReleased ? "was released, so it has ended" : "has ended") + " without a value",
      remedy: isReleased
        ? "retain the source of the trigger while it must send: a signal does not retain its emitter"
        : "let the trigger give a value before it ends: `append` one, or `materialize` it",
      blocker: trigger ?? node, words: "the trigger is here")
  }
}
