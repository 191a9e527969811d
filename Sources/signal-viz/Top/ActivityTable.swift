import Foundation
import SignalAttach
import SignalGraph
import SignalPicture

/// The activity in a graph between two snapshots: the busiest locations or nodes first.
struct ActivityTable: Encodable {
  /// The figure by which rows are sorted, in descending order.
  enum Order: String, CaseIterable, Encodable {
    case rate, count, waiting, handler
  }

  /// A location in the code, or a single node.
  struct Row: Encodable, Equatable {
    /// Its name, or the kind of operator.
    var title: String
    var kind: String
    /// The location as `Feed.swift:42`, with its module in JSON.
    var place: String
    /// The shortest unambiguous form of the location.
    fileprivate(set) var shortPlace = ""
    /// The node, if the row is a single one.
    var node: UInt64?
    /// The number of live nodes.
    var nodes: Int
    /// The number of values per second; nil after one snapshot.
    var rate: Double?
    /// The total number of values; at a location including those of ended nodes.
    var count: UInt64
    /// The number of waiting values.
    var waiting: UInt64
    /// The part of the time spent in its handlers, 1 for a whole thread; nil if none is profiled.
    var handler: Double?
    fileprivate var isEmpty = true

    private enum CodingKeys: String, CodingKey {
      case title, kind, place, node, nodes, rate, count, waiting, handler
    }
  }

  /// The sorted rows.
  private(set) var rows: [Row]
  /// The number of seconds over which rates are measured; 0 after one snapshot.
  let seconds: Double
  /// The number of live nodes.
  let nodes: Int
  /// The number of ended nodes retained.
  let ended: Int
  /// The number of live subscribers.
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
    // The values of each location's ended nodes.
    var past = byNode ? [:] : definitions.compactMapValues { $0.gone?.values }
    for node in now.nodes {
      // A new node's count began in between; an ended one may have passed values before it did.
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
    // Values of nodes that were evicted in the meantime have no node any more.
    if !byNode, let before, seconds > 0 {
      let earlierTotals = Self.totals(before)
      for (definition, total) in Self.totals(now) {
        let (passed, isLess) = total.subtractingReportingOverflow(earlierTotals[definition] ?? 0)
        guard passed > 0, !isLess else { continue }
        let key = Key(node: nil, definition: definition)
        var row = groups[key] ?? Row(of: definitions[definition], node: nil, places)
        row.rate = max(row.rate ?? 0, Double(passed) / seconds)
        groups[key] = row
      }
    }
    for (key, count) in past.map({ (Key(node: nil, definition: $0), $1) }) { groups[key]?.count &+= count }
    ended = now.nodes.count - nodes
    (self.nodes, self.subscriptions) = (nodes, subscriptions)
    rate = before.flatMap { GraphSummary.Deliveries(in: now).rate(since: GraphSummary.Deliveries(in: $0)) }
    rows = groups.values.sorted { Self.isBefore($0, $1, by: order) }
  }

  /// The values that have passed the nodes of each location, evicted ones included.
  private static func totals(_ graph: GraphSnapshot) -> [Int: UInt64] {
    var totals: [Int: UInt64] = [:]
    for definition in graph.definitions { totals[definition.id] = definition.gone?.values }
    for node in graph.nodes { totals[node.definition, default: 0] &+= node.valueCount }
    return totals
  }

  private struct Key: Hashable {
    var node: UInt64?
    var definition: Int
  }

  /// Rows with equal figures are ordered by the other figures, and finally by location, so that they stay in place.
  private static func isBefore(_ first: Row, _ second: Row, by order: Order) -> Bool {
    func figures(_ row: Row) -> [Double] {
      let all = [row.rate ?? 0, Double(row.count), Double(row.waiting), row.handler ?? 0]
      let chosen = Order.allCases.firstIndex(of: order).map { all[$0] } ?? 0
      return [chosen] + all
    }
    for (one, other) in zip(figures(first), figures(second)) where one != other { return one > other }
    return (first.place, first.title, first.node ?? 0) < (second.place, second.title, second.node ?? 0)
  }

  /// The first rows.
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
    // Nodes at one location may have names of their own; the location then has none.
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
  /// The number of values since an earlier snapshot; all of them if the node did not exist.
  fileprivate func passed(since earlier: Node?) -> UInt64 {
    let count = earlier?.valueCount ?? 0
    return valueCount > count ? valueCount - count : 0
  }
}
