package import SignalGraph

/// How many nodes of a graph live, and how many have ended and are still kept: in the same words wherever a graph is counted.
package struct NodeCounts: Hashable, Sendable {
  package var live: Int
  package var ended: Int

  package init(live: Int = 0, ended: Int = 0) { (self.live, self.ended) = (live, ended) }

  package init(of graph: GraphSnapshot) {
    live = graph.nodes.count { $0.state == .live }
    ended = graph.nodes.count - live
  }

  package static func + (one: NodeCounts, other: NodeCounts) -> NodeCounts {
    NodeCounts(live: one.live + other.live, ended: one.ended + other.ended)
  }

  /// Such as "22 live nodes, 147 ended"; "22 nodes" where none has.
  package var words: String { liveWords + endedWords }

  /// The same, with the number of boxes in which they are drawn.
  ///
  /// - Parameter drawn: How many nodes are drawn: without those that have ended, the boxes are told of those that live.
  func words(drawn: Int, boxes: Int) -> String {
    let place = boxes == drawn ? "" : " in \(boxes.grouped) box\(boxes == 1 ? "" : "es")"
    return drawn == live ? liveWords + place + endedWords : words + place
  }

  private var liveWords: String { "\(live.grouped)\(ended > 0 ? " live" : "") node\(live == 1 ? "" : "s")" }
  private var endedWords: String { ended > 0 ? ", \(ended.grouped) ended" : "" }
}
