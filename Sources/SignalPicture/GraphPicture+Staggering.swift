extension GraphPicture {
  /// The number of ranks by which the targets of a wide fan-out are drawn below their source: a source with hundreds of
  /// chains would otherwise be a strip one rank high. Fan-outs of up to 24 chains are not included.
  ///
  /// - Parameter direction: Boxes are wider than high, so there are more ranks downwards than to the right.
  /// - Complexity: O(links).
  func fanRanks(_ direction: DrawingOptions.Direction) -> [UInt64: Int] {
    let incoming = Dictionary(links.map { ($0.target, 1) }, uniquingKeysWith: +)
    let heads = links.filter { incoming[$0.target] == 1 }
    var ranks: [UInt64: Int] = [:]
    for fan in Dictionary(grouping: heads, by: \.source).values where fan.count > 24 {
      // A box with the gap around it is about 190 by 75 points.
      let rows = (Double(fan.count) * (direction == .right ? 0.3 : 2)).squareRoot()
      let count = max(2, min(24, Int(rows)))
      for (index, link) in fan.enumerated() { ranks[link.target] = 1 + index % count }
    }
    return ranks
  }

  /// The distance of boxes and links within a rank, in inches. Each link of a staggered fan-out takes that much on all
  /// ranks that it passes, so the distance is smaller there.
  func nodeGap(_ direction: DrawingOptions.Direction) -> String {
    fanRanks(direction).isEmpty ? "0.3" : "0.12"
  }
}
