import SignalAttach
import SignalGraph
import SignalPicture

/// The figures in the boxes of a drawing that change from snapshot to snapshot.
struct LiveCounts {
  /// For each box: values, values per second, waiting, dropped, the number of nodes with a busy consumer, and for a box
  /// of several parts the values of each.
  var boxes: [[Double]]
  var nodes: NodeCounts
  /// The values per second that subscribers received since an earlier snapshot, see `GraphSummary.Deliveries`.
  var rate: Double

  /// The number of figures that each box has.
  private static let fixed = 5

  init(of graph: GraphSnapshot, since before: GraphSnapshot?, in live: LivePicture) {
    boxes = live.picture.boxes.map {
      [Double](repeating: 0, count: Self.fixed + ($0.parts.count > 1 ? $0.parts.count : 0))
    }
    let busy = graph.nodesWithBusyConsumers
    nodes = NodeCounts(of: graph)
    let deliveries = GraphSummary.Deliveries(in: graph)
    let rate = before.flatMap { deliveries.rate(since: GraphSummary.Deliveries(in: $0)) } ?? 0
    self.rate = (rate * 10).rounded() / 10
    for node in graph.nodes {
      guard let place = live.places[node.id] else { continue }
      let count = Double(node.valueCount)
      // The count of a chain is that of its last operator; those of several chains are added up.
      let isLast = boxes[place.box].count == Self.fixed || place.part == live.picture.boxes[place.box].parts.count - 1
      if isLast {
        boxes[place.box][0] += count
        boxes[place.box][1] += node.rate ?? 0
      }
      boxes[place.box][2] += Double(node.waiting ?? 0)
      boxes[place.box][3] += Double(node.dropped ?? 0)
      if busy.contains(node.id) { boxes[place.box][4] += 1 }
      if boxes[place.box].count > Self.fixed { boxes[place.box][Self.fixed + place.part] += count }
    }
    for index in boxes.indices { boxes[index][1] = (boxes[index][1] * 10).rounded() / 10 }
  }
}
