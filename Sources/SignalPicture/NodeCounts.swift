package import SignalGraph

/// The numbers of live nodes in a graph and of ended nodes retained, with a uniform description.
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

  /// A description such as "22 live nodes, 147 ended"; "22 nodes" if none has ended.
  package var words: String { liveWords + endedWords }

  /// The same, with the number of boxes in which they are drawn.
  ///
  /// - Parameter drawn: The number of nodes drawn: if it excludes those that have ended, the boxes refer to the live
  ///   ones.
  func words(drawn: Int, boxes: Int) -> String {
    let place = boxes == drawn ? "" : " in \(boxes.grouped) box\(boxes == 1 ? "" : "es")"
    return drawn == live ? liveWords + place + endedWords : words + place
  }

  private var liveWords: String { "\(live.grouped)\(ended > 0 ? " live" : "") node\(live == 1 ? "" : "s")" }
  private var endedWords: String { ended > 0 ? ", \(ended.grouped) ended" : "" }
}
