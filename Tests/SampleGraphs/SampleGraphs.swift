public import SignalGraph

/// Snapshots for tests and for looking at: one like a real program, and large ones of several shapes.
public enum SampleGraphs {
  /// The shape of a large graph.
  public enum Shape: String, CaseIterable, Sendable {
    /// Many separate chains with a few joins each.
    case many
    /// One source that feeds many chains.
    case hub
    /// One component with many joins.
    case one
    /// Chains that all look the same.
    case equal
    /// Chains that differ in the names of their sources only.
    case named
    /// Chains of a thousand operators.
    case deep
    /// A hub, combining operators, deep chains, groups, owners, feedback and faults together.
    case mixed
  }

  /// A graph of exactly `count` nodes; the same arguments give the same graph.
  public static func large(_ shape: Shape, count: Int) -> GraphSnapshot {
    if shape == .mixed { return MixedGraph(count: count).snapshot }
    var builder = SampleBuilder(name: "Generated", pid: 7)
    var random = SplitMix(seed: 42)
    let kinds = ["map", "filter", "debounce", "removeDuplicates", "scan", "receive", "flatMapLatest"]
    let length = shape == .hub ? 11 : shape == .deep ? 1_000 : 33
    let isOnePlace = shape == .equal || shape == .named
    let hasJoins = shape == .many || shape == .one
    let hub = shape == .hub ? builder.add("emitter", "hub", file: "App/Hub.swift", line: 1) : nil
    var previousEnd: UInt64?
    var chain = 0
    while builder.count < count {
      let place = isOnePlace ? 0 : chain
      let file = "App/Feature\(place / 8).swift"
      var members: [UInt64] = []
      for position in 0..<min(length, count - builder.count) {
        let kind = position == 0 ? (hub == nil ? "emitter" : "map") : kinds[(position + place) % kinds.count]
        let node = builder.add(
          kind, shape == .equal || position > 0 ? nil : "chain \(chain)", file: file,
          line: 10 + (place % 8) * 100 + position, function: "show\(place % 8)()", values: random.next() % 5_000)
        if let last = members.last {
          builder.connect(last, node, kind == "receive" ? .hop : .data)
        } else if let hub {
          builder.connect(hub, node)
        }
        // Joins, so that not everything is a linear run.
        if hasJoins && position > 6 && position.isMultiple(of: 5) {
          builder.connect(members[Int(random.next() % UInt64(position - 2))], node, .trigger)
        }
        members.append(node)
      }
      if shape == .one, let previousEnd { builder.connect(previousEnd, members[members.count / 2]) }
      previousEnd = members.last
      chain += 1
    }
    return builder.snapshot
  }

  /// A search box: typing through `debounce` and `flatMapLatest`, a settings property combined in, a timer that
  /// triggers, work that hops to a queue and back, a failed request, and a subscription that leaked.
  public static var searchBox: GraphSnapshot {
    var graph = SampleBuilder(name: "SearchBox", pid: 4242)
    let file = "SearchBox/SearchBox.swift"
    let feed = "SearchBox/Results.swift"
    let typing = graph.add("emitter", "keystrokes", file: file, line: 18, values: 1_204)
    let debounce = graph.add("debounce", nil, file: file, line: 24, values: 96)
    let distinct = graph.add("removeDuplicates", "search text", file: file, line: 25, values: 81)
    let settings = graph.add("property", "settings", file: file, line: 19, values: 3)
    let combine = graph.add("combineLatest", nil, file: file, line: 28, values: 83)
    let latest = graph.add("flatMapLatest", "requests", file: file, line: 31, values: 79)
    let inner = graph.add("fromTask", "fetch page", file: feed, line: 12, values: 1)
    let failed = graph.add(
      "fromTask", "fetch page", file: feed, line: 12, state: .failed, failure: "timed out after 5 s")
    let background = graph.add("receive", "parser queue", file: feed, line: 20, values: 79)
    let parse = graph.add("map", "parse <json>", file: feed, line: 21, values: 79)
    let main = graph.add("receive", "main", file: feed, line: 22, values: 79)
    let until = graph.add("prefix(untilOutputFrom:)", nil, file: feed, line: 23, values: 79)
    let list = graph.add("subscribe", "result list", file: feed, line: 30, values: 79, owner: "ResultsView")
    let timer = graph.add("interval", "status ticks", file: file, line: 40, values: 3_600, findings: [.hot])
    let status = graph.add("subscribe", "status line", file: file, line: 44, values: 3_600, owner: "StatusView")
    let closing = graph.add("filter", "window closes", file: file, line: 47)
    let leakMap = graph.add("map", nil, file: file, line: 52, values: 3, findings: [.leaked])
    let leak = graph.add("subscribe", "old settings sheet", file: file, line: 53, values: 3, findings: [.leaked])
    let done = graph.add("subscribe", "intro", file: file, line: 60, state: .finished, values: 1)
    let gone = graph.add("subscribe", "preview", file: file, line: 61, state: .disposed, values: 12)
    graph.chain([typing, debounce, distinct, combine, latest])
    graph.connect(settings, combine)
    graph.connect(inner, latest, .inner)
    graph.connect(failed, latest, .inner)
    graph.connect(latest, background, .hop)
    graph.connect(background, parse)
    graph.connect(parse, main, .hop)
    graph.chain([main, until, list])
    graph.chain([timer, status])
    graph.connect(timer, closing)
    graph.connect(closing, until, .trigger)
    graph.chain([settings, leakMap, leak])
    graph.connect(settings, done)
    graph.connect(distinct, gone)
    return graph.snapshot
  }

  /// The same graph with its definitions, nodes and edges in another order.
  public static func shuffled(_ snapshot: GraphSnapshot, seed: UInt64) -> GraphSnapshot {
    var random = SplitMix(seed: seed)
    var result = snapshot
    result.definitions.shuffle(using: &random)
    result.nodes.shuffle(using: &random)
    result.edges.shuffle(using: &random)
    return result
  }
}
