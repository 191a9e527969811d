import SignalGraph

/// A graph like that of a large program: a store that feeds every screen, combining operators, deep chains, rows of equal chains, owners, inner
/// subscriptions, bindings and feedback, and a few nodes that leaked, failed or have values waiting.
struct MixedGraph {
  /// A subscription deserves attention.
  private enum Fault: CaseIterable {
    case leaked, failed, waiting
  }

  private var builder = SampleBuilder(name: "Generated", pid: 7)
  private var random = SplitMix(seed: 23)
  private let count: Int
  /// The number of source files with screens.
  private let files: Int
  private let store: UInt64
  private var properties: [UInt64] = []
  /// The ends of chains that other screens combine.
  private var ends: [UInt64] = []
  private var faults: [(at: Int, fault: Fault)] = []

  /// - Parameter count: The number of nodes.
  init(count: Int) {
    self.count = count
    files = max(3, min(150, count / 150))
    store = builder.add("emitter", "store", file: "App/Store.swift", line: 12, function: "init()", values: 90_000)
    for (line, name) in ["session", "settings", "theme", "cart", "locale", "clock"].enumerated() {
      properties.append(
        builder.add("property", name, file: "App/Model.swift", line: 20 + line, function: "init()", values: 40))
    }
    for (number, fault) in (Fault.allCases + Fault.allCases).enumerated() {
      faults.append((at: count * (number + 1) / 8, fault: fault))
    }
    ends = properties
  }

  /// The graph.
  var snapshot: GraphSnapshot {
    var mixed = self
    mixed.addScreens()
    var snapshot = mixed.builder.snapshot
    snapshot.nodes.removeLast(snapshot.nodes.count - count)
    snapshot.edges.removeAll { $0.source > UInt64(count) || $0.target > UInt64(count) }
    return snapshot
  }

  private mutating func addScreens() {
    var screen = 0
    while builder.count < count {
      addChains(of: screen)
      addRows(of: screen)
      addRequests(of: screen)
      if screen.isMultiple(of: 9) { addPipeline(screen / 9) }
      while let next = faults.first, builder.count >= next.at {
        add(next.fault, at: screen)
        faults.removeFirst()
      }
      screen += 1
    }
  }

  private func file(_ screen: Int) -> String { "App/Screen\(screen % files).swift" }
  private func owner(_ screen: Int) -> String { "Screen\(screen % files)View" }

  private mutating func pick(_ nodes: [UInt64]) -> UInt64 { nodes[Int(random.next() % UInt64(nodes.count))] }

  /// One of the latest ends, now and then of all.
  private mutating func pickEnd() -> UInt64 {
    pick(random.next().isMultiple(of: 4) ? ends : Array(ends.suffix(40)))
  }

  private mutating func add(
    _ kind: String, _ name: String? = nil, of screen: Int, line: Int, function: String, owner: String? = nil
  ) -> UInt64 {
    builder.add(
      kind, name, file: file(screen), line: line, function: function, values: random.next() % 5_000, owner: owner)
  }

  /// Chains that combine the store with properties and with chains of other screens.
  private mutating func addChains(of screen: Int) {
    for chain in 0..<(2 + screen % 3) {
      let (line, function) = (20 + 40 * chain, "show\(chain)()")
      func made(_ kind: String, _ offset: Int, _ name: String? = nil) -> UInt64 {
        add(kind, name, of: screen, line: line + offset, function: function, owner: owner(screen))
      }
      let map = made("map", 0, "screen \(screen)")
      let distinct = made("removeDuplicates", 1)
      let combine = made("combineLatest", 2)
      let withLatest = made("withLatest(from:)", 3)
      let zip = made("zip", 4)
      let receive = made("receive(on:)", 5)
      let subscribe = made("subscribe", 6)
      builder.chain([store, map, distinct, combine, withLatest, zip])
      builder.connect(pick(properties), combine)
      builder.connect(pickEnd(), withLatest, .sampled)
      builder.connect(pickEnd(), zip)
      builder.connect(zip, receive, .hop)
      builder.connect(receive, subscribe)
      if random.next().isMultiple(of: 3) { builder.connect(subscribe, pick(properties), .feedback) }
      ends.append(chain.isMultiple(of: 2) ? zip : combine)
    }
  }

  /// Rows that look the same.
  private mutating func addRows(of screen: Int) {
    let source = add("share", "rows", of: screen, line: 200, function: "rows()", owner: owner(screen))
    builder.connect(pickEnd(), source)
    for _ in 0..<(4 + screen % 9) {
      let map = add("map", of: screen, line: 210, function: "row()", owner: "RowView")
      let subscribe = add("subscribe", of: screen, line: 211, function: "row()", owner: "RowView")
      builder.chain([source, map, subscribe])
    }
  }

  /// Inner subscriptions, whose values are bound to a property.
  private mutating func addRequests(of screen: Int) {
    let debounce = add("debounce", of: screen, line: 300, function: "load()", owner: "Property<Int>")
    let latest = add("flatMapLatest", "requests", of: screen, line: 301, function: "load()", owner: "Property<Int>")
    let bind = add("bind(to:)", of: screen, line: 302, function: "load()", owner: "Property<Int>")
    builder.chain([pickEnd(), debounce, latest, bind])
    builder.connect(bind, pick(properties), .feedback)
    for _ in 0..<(screen % 4) {
      let task = add("fromTask", "page", of: screen, line: 310, function: "page()")
      let retry = add("retry", of: screen, line: 311, function: "page()")
      builder.connect(task, retry)
      builder.connect(retry, latest, .inner)
    }
    ends.append(latest)
  }

  /// A deep chain with hops.
  private mutating func addPipeline(_ number: Int) {
    let kinds = ["map", "filter", "scan", "map", "buffer", "receive(on:)"]
    let file = "App/Pipeline\(number % max(1, files / 10)).swift"
    var last = pickEnd()
    for position in 0..<(60 + number % 60) {
      let kind = kinds[position % kinds.count]
      let node = builder.add(
        kind, file: file, line: 10 + position, function: "pipeline()", values: random.next() % 5_000, owner: "Pipeline")
      builder.connect(last, node, kind == "receive(on:)" ? .hop : .data)
      last = node
    }
    ends.append(last)
  }

  private mutating func add(_ fault: Fault, at screen: Int) {
    func made(_ kind: String, _ name: String, _ line: Int) -> UInt64 {
      builder.add(
        kind, name, file: file(screen), line: line, function: "close()", state: fault == .failed ? .failed : .live,
        values: 3, waiting: fault == .waiting ? 512 : 0, owner: owner(screen),
        failure: fault == .failed ? "timed out after 5 s" : nil, findings: fault == .leaked ? [.leaked] : [])
    }
    let map = made("map", "\(fault) values", 400)
    builder.chain([pickEnd(), map, made("subscribe", "\(fault) sheet", 401)])
  }
}
