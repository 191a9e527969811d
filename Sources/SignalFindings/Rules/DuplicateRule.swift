import SignalGraph

/// Repeated subscriptions of one owner that do the same while the earlier ones are still alive, so that each value is
/// handled several times.
///
/// An owner is the object given to `subscribe(with:)` or `DisposeBag(owner:)`. It must have at least 2 live
/// subscriptions of one location. Each must have been created at least a second after the previous one, or the owner
/// must have created another subscription between them, once and in another function. The same definitions must lead
/// upstream to the same shared sources (emitters, properties, shared signals). All must have received the same number
/// of values while the graph was watched, and must send to the same sources, as far as known. Subscriptions that are created together, as in a loop, count once. The
/// function must have no parameters, which could select what each call handles, and its name must not say that each
/// call creates something or is for another person or thing, such as `addRow` or `hire`. With parameters, only functions that rebind an object are checked:
/// `bind(to:)`, `configure(with:)`, `viewDidAppear(_:)`.
struct DuplicateRule: Rule {
  static let name = "duplicate"
  static let summary = "an owner that subscribes to the same again, and keeps the earlier subscription"

  /// The minimum number of different times at which subscriptions were created.
  var least = 2
  /// The minimum time between these, in seconds.
  var apart = 1.0

  /// The beginnings of words which say that each call of a function creates something.
  static let creating = [
    "add", "append", "begin", "build", "clone", "creat", "duplicat", "insert", "instantiat", "launch", "make", "new",
    "next",
    "open", "push", "run", "spawn", "start",
  ]
  /// The first words which say that each call of a function is for another person or thing.
  static let receiving: Set = [
    "accept", "admit", "adopt", "board", "book", "buy", "checkin", "employ", "enrol", "enroll", "enter", "hire",
    "invite", "join", "lend", "order", "park", "plant", "recruit", "register", "rent", "reserve", "seat", "welcome",
  ]
  /// The beginnings of words which say that a function is called again for the same object, even if another word says
  /// that something is created.
  static let again = [
    "background", "callback", "foreground", "handler", "listen", "notification", "observ", "refresh", "reload",
    "subscrib", "updat",
  ]
  /// The beginnings of words which say that a function with parameters rebinds its object.
  static let rebinding = ["bind", "configur"]

  /// The key of subscriptions that do the same.
  private struct Chain: Hashable {
    let owner: UInt64
    let parts: [Part]
    /// The sources that the handler or the binding sends to, as far as known.
    let targets: Set<UInt64>
  }

  /// One element of a chain.
  private enum Part: Hashable {
    case operation(Int, Edge.Kind)
    case source(UInt64, Edge.Kind)
    case end
  }

  func findings(in observation: Observation) -> [Finding] {
    // In a test, everything is created at nearly the same time.
    guard observation.time == .real else { return [] }
    let graph = observation.now
    var chains: [Chain: [Node]] = [:]
    for node in graph.snapshot.nodes where node.state == .live && !node.findings.contains(.leaked) {
      guard let owner = node.ownerID, let definition = graph.definition(of: node), definition.isSubscription,
        Self.isCalledAgain(definition.function), graph.outputs[node.id] == nil,
        let parts = parts(above: node, in: graph)
      else { continue }
      let targets = Set((graph.feedbackOutputs[node.id] ?? []).map(\.target))
      chains[Chain(owner: owner, parts: parts, targets: targets), default: []].append(node)
    }
    let candidates = chains.values.map { sameRate($0, in: observation) }.filter { $0.count >= least }
    let single = candidates.isEmpty ? [:] : Self.singleSubscriptions(in: graph)
    let repeated = candidates.filter { occasions(of: $0, beside: single, in: graph) >= least }
    return Dictionary(grouping: repeated) { $0[0].definition }.compactMap { number, groups -> Finding? in
      guard let definition = graph.definitions[number], let most = groups.max(by: { $0.count < $1.count }) else {
        return nil
      }
      let owner = most[0].owner.map { "one `\($0)`" } ?? "one object"
      let others =
        groups.count > 1
        ? ", and \(groups.count - 1) more of its kind \(groups.count > 2 ? "have" : "has") several" : ""
      let source = graph.origin(of: most[0])
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message:
          "\(owner) has subscribed \(most.count) times here to the same source, and each subscription is alive: "
          + "each value is handled \(most.count) times\(others)",
        remedy:
          "subscribe once, where the owner is created; or dispose the earlier subscription first, such as with `disposeAll()` of a bag that contains only this one",
        related: graph.definition(of: source).map {
          [.init("the values come from \(graph.title(of: source))", at: Place($0))]
        } ?? [],
        nodes: groups.flatMap { $0 }.map(\.id).sorted())
    }.sorted { $0.place < $1.place }
  }

  /// Whether a second call of a function repeats the first one.
  static func isCalledAgain(_ function: String) -> Bool {
    var words = [""]
    for character in function.prefix(while: { $0 != "(" }) {
      if character.isUppercase { words.append("") }
      words[words.count - 1] += character.lowercased()
    }
    func contains(_ beginnings: [String]) -> Bool {
      words.contains { word in beginnings.contains { word.hasPrefix($0) } }
    }
    let parameters = function.count { $0 == ":" }
    if parameters > 0 { return contains(rebinding) || parameters == 1 && contains(["appear"]) }
    // An accessor, an initializer and top-level code run once for each thing that they create.
    guard function.hasSuffix("()"), words != ["init"], words != ["main"] else { return false }
    let isForAnother = receiving.contains(words[0]) || words.starts(with: ["check", "in"])
    // Each `startSession` may start another session.
    return !contains(creating) && !isForAnother || contains(again) || words == ["start"]
  }

  /// The part of the graph above a subscriber, in the order of a traversal; nil unless all values originate at shared
  /// sources.
  private func parts(above node: Node, in graph: GraphView) -> [Part]? {
    var parts: [Part] = [.operation(node.definition, .data)]
    // A part that a chain reaches by two paths is visited twice.
    var waiting = Self.steps(above: node, in: graph)
    guard !waiting.isEmpty else { return nil }
    while let next = waiting.popLast() {
      guard let edge = next else {
        parts.append(.end)
        continue
      }
      guard parts.count < 1_000, let above = graph.nodes[edge.source] else { return nil }
      if above.since == nil {
        parts.append(.source(above.id, edge.kind))
        continue
      }
      let steps = Self.steps(above: above, in: graph)
      guard !steps.isEmpty else { return nil }
      parts.append(.operation(above.definition, edge.kind))
      waiting.append(nil)
      waiting += steps
    }
    return parts
  }

  /// The connections to a node, the first one last; without inner signals, which come and go.
  private static func steps(above node: Node, in graph: GraphView) -> [Edge?] {
    (graph.inputs[node.id] ?? []).filter { $0.kind != .inner }.reversed()
  }

  /// The largest group of subscriptions that received the same number of values while the graph was watched, with those
  /// created during the watch; in the order of their creation.
  private func sameRate(_ nodes: [Node], in observation: Observation) -> [Node] {
    guard observation.before != nil else { return nodes.sorted { $0.id < $1.id } }
    var staying = nodes.filter { observation.hasStayed($0) }.map { (node: $0, values: observation.values(of: $0)) }
    staying.sort { ($0.values, $0.node.id) < ($1.values, $1.node.id) }
    var most: ArraySlice<(node: Node, values: UInt64)> = []
    var end = 0
    for (index, first) in staying.enumerated() {
      // The counts are read one after the other.
      let limit = first.values + first.values / 50 + (first.values > 10 ? 1 : 0)
      while end < staying.count, staying[end].values <= limit { end += 1 }
      if end - index > most.count { most = staying[index..<end] }
    }
    let newcomers = nodes.filter { node in
      observation.before?.nodes[node.id] == nil && (most.isEmpty || node.valueCount <= most[most.endIndex - 1].values)
    }
    return (most.map(\.node) + newcomers).sorted { $0.id < $1.id }
  }

  /// The number of different occasions on which subscriptions were created. A loop creates its subscriptions at the
  /// same time, and everything between them too.
  ///
  /// - Parameters:
  ///   - nodes: The subscribers, in the order of their creation.
  ///   - single: The subscriptions that each owner has created once.
  private func occasions(of nodes: [Node], beside single: [UInt64: [Node]], in graph: GraphView) -> Int {
    let function = nodes.first.flatMap(graph.definition)?.function
    let between = (nodes.first?.ownerID).flatMap { single[$0] } ?? []
    var count = 0
    var last: Node?
    for node in nodes {
      guard let since = node.since else { continue }
      let isAnother =
        last.map { last in
          since - (last.since ?? since) >= apart
            || between.contains {
              last.id < $0.id && $0.id < node.id && graph.definition(of: $0)?.function != function
            }
        } ?? true
      if isAnother { count += 1 }
      last = node
    }
    return count
  }

  /// The subscribers of each owner that are the only ones of their definition there.
  private static func singleSubscriptions(in graph: GraphView) -> [UInt64: [Node]] {
    let owned = graph.snapshot.nodes.filter {
      $0.ownerID != nil && graph.definition(of: $0)?.isSubscription == true
    }
    return Dictionary(grouping: owned) { $0.ownerID ?? 0 }.mapValues { nodes in
      Dictionary(grouping: nodes, by: \.definition).values.filter { $0.count == 1 }.flatMap { $0 }
    }
  }
}
