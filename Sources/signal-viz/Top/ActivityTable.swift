import Foundation
import SignalAttach
import SignalGraph
import SignalPicture

/// What happens in a graph between two looks at it: the busiest places or nodes first.
struct ActivityTable: Encodable {
  /// By what rows are sorted, the most first.
  enum Order: String, CaseIterable, Encodable {
    case rate, count, waiting, handler
  }

  /// A place in the code, or one node.
  struct Row: Encodable, Equatable {
    /// Its name, or what is written there.
    var title: String
    var kind: String
    /// `Feed.swift:42`, with its module in JSON.
    var place: String
    /// The same as short as it is unambiguous.
    fileprivate(set) var shortPlace = ""
    /// The node, if it is one.
    var node: UInt64?
    /// How many nodes live there.
    var nodes: Int
    /// How many values passed in a second; nil after one look.
    var rate: Double?
    /// How many values passed in all; at a place also through nodes that have ended.
    var count: UInt64
    /// How many values wait.
    var waiting: UInt64
    /// What part of the time its handlers took, 1 for a whole thread; nil if none is traced.
    var handler: Double?
    fileprivate var isEmpty = true

    private enum CodingKeys: String, CodingKey {
      case title, kind, place, node, nodes, rate, count, waiting, handler
    }
  }

  /// The rows in their order.
  private(set) var rows: [Row]
  /// Over how many seconds rates are; 0 after one look.
  let seconds: Double
  /// How many nodes live.
  let nodes: Int
  /// How many have ended and are kept.
  let ended: Int
  /// How many subscribers live.
  let subscriptions: Int
  /// The values per second that subscribers received, see `GraphSummary.Deliveries`; nil without an earlier snapshot.
  let rate: Double?
  let program: ProcessIdentity

  init(_ now: GraphSnapshot, since before: GraphSnapshot?, byNode: Bool, order: Order) {
    let before = before.flatMap { $0.process == now.process && $0.takenAt < now.takenAt ? $0 : nil }
    program = now.process.displayable
    let seconds = before.map { now.takenAt - $0.takenAt } ?? 0
    self.seconds = seconds
    let earlier = Dictionary((before?.nodes ?? []).map { ($0.id, $0) }) { first, _ in first }
    let definitions = Dictionary(now.definitions.map { ($0.id, $0) }) { first, _ in first }
    let places = PlaceWords(of: now.definitions.lazy.map(\.fileID))
    var groups: [Key: Row] = [:]
    var (nodes, subscriptions) = (0, 0)
    // What passed a place before, through nodes that have ended.
    var past = byNode ? [:] : definitions.compactMapValues { $0.gone?.values }
    for node in now.nodes {
      // What is new began to count meanwhile; what has ended may have passed values before.
      let rate = seconds > 0 ? Double(node.passed(since: earlier[node.id])) / seconds : 0
      let isSubscriber = definitions[node.definition]?.isSubscription == true
      if !byNode, node.state != .live { past[node.definition, default: 0] &+= node.valueCount }
      guard node.state == .live || rate > 0 && !byNode else { continue }
      if node.state == .live { (nodes, subscriptions) = (nodes + 1, subscriptions + (isSubscriber ? 1 : 0)) }
      let key = byNode ? Key(node: node.id, definition: 0) : Key(node: nil, definition: node.definition)
      var row = groups[key] ?? Row(of: definitions[node.definition], node: byNode ? node.id : nil, places)
      row.add(node, since: earlier[node.id], rate: rate, seconds: seconds)
      groups[key] = row
    }
    for (key, count) in past.map({ (Key(node: nil, definition: $0), $1) }) { groups[key]?.count &+= count }
    ended = now.nodes.count - nodes
    (self.nodes, self.subscriptions) = (nodes, subscriptions)
    rate = before.flatMap { GraphSummary.Deliveries(in: now).rate(since: GraphSummary.Deliveries(in: $0)) }
    rows = groups.values.sorted { Self.isBefore($0, $1, by: order) }
  }

  private struct Key: Hashable {
    var node: UInt64?
    var definition: Int
  }

  /// What is equal in one figure is told apart by the others, and at last by the place: so that rows stay where they are.
  private static func isBefore(_ first: Row, _ second: Row, by order: Order) -> Bool {
    func figures(_ row: Row) -> [Double] {
      let all = [row.rate ?? 0, Double(row.count), Double(row.waiting), row.handler ?? 0]
      let chosen = Order.allCases.firstIndex(of: order).map { all[$0] } ?? 0
      return [chosen] + all
    }
    for (one, other) in zip(figures(first), figures(second)) where one != other { return one > other }
    return (first.place, first.title, first.node ?? 0) < (second.place, second.title, second.node ?? 0)
  }

  /// The first rows only.
  func prefix(_ count: Int) -> ActivityTable {
    var table = self
    table.rows = Array(rows.prefix(count))
    return table
  }
}

extension ActivityTable.Row {
  fileprivate init(of definition: Definition?, node: UInt64?, _ places: PlaceWords) {
    kind = (definition?.kind ?? "node").displayable(limit: 60)
    title = ""
    place = definition.map { "\($0.fileID):\($0.line)" }?.displayable(limit: 300) ?? ""
    shortPlace = definition.map { places($0.fileID, $0.line).displayable(limit: 300) } ?? ""
    self.node = node
    nodes = 0
    count = 0
    waiting = 0
  }

  fileprivate mutating func add(_ node: Node, since earlier: Node?, rate passed: Double, seconds: Double) {
    // Nodes of one place may have names of their own; then the place has none.
    let name = node.name?.displayable(limit: 60) ?? ""
    title = isEmpty ? name : title == name ? title : ""
    isEmpty = false
    if node.state == .live {
      nodes += 1
      count &+= node.valueCount
      waiting &+= node.waiting ?? 0
    }
    guard seconds > 0 else { return }
    rate = (rate ?? 0) + passed
    guard let times = node.handler else { return }
    handler = (handler ?? 0) + max(0, times.seconds - (earlier?.handler?.seconds ?? 0)) / seconds
  }
}

extension Node {
  /// How many values passed since an earlier look; all of them where there was no such node.
  fileprivate func passed(since earlier: Node?) -> UInt64 {
    let count = earlier?.valueCount ?? 0
    return valueCount > count ? valueCount - count : 0
  }
}
