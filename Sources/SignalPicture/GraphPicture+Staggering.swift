extension GraphPicture {
  /// How many ranks below their source the heads of wide fans are drawn: a source that feeds hundreds of chains would
  /// otherwise be a strip one rank high. Fans of up to 24 chains are not in the answer.
  ///
  /// - Parameter direction: A box is wider than high: so there are more ranks downwards than to the right.
  /// - Complexity: O(links).
  func fanRanks(_ direction: DrawingOptions.Direction) -> [UInt64: Int] {
    let incoming = Dictionary(links.map { ($0.target, 1) }, uniquingKeysWith: +)
    let heads = links.filter { incoming[$0.target] == 1 }
    var ranks: [UInt64: Int] = [:]
    for fan in Dictionary(grouping: heads, by: \.source).values where fan.count > 24 {
      // A box and the gap around it are some 190 by 75 points.
      let rows = (Double(fan.count) * (direction == .right ? 0.3 : 2)).squareRoot()
      let count = max(2, min(24, Int(rows)))
      for (index, link) in fan.enumerated() { ranks[link.target] = 1 + index % count }
    }
    return ranks
  }

  /// How far apart boxes and links of one rank are, in inches. Each link of a staggered fan takes that much on all ranks that it passes, so they are
  /// closer there.
  func nodeGap(_ direction: DrawingOptions.Direction) -> String {
    fanRanks(direction).isEmpty ? "0.3" : "0.12"
  }
}
