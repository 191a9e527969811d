extension GraphPicture {
  /// How many ranks below their source the heads of wide fans are drawn: a source that feeds hundreds of chains would
  /// otherwise be a strip one rank high. Fans of up to 24 chains are not in the answer.
  ///
  /// - Complexity: O(links).
  var fanRanks: [UInt64: Int] {
    let incoming = Dictionary(links.map { ($0.target, 1) }, uniquingKeysWith: +)
    let heads = links.filter { incoming[$0.target] == 1 }
    var ranks: [UInt64: Int] = [:]
    for fan in Dictionary(grouping: heads, by: \.source).values where fan.count > 24 {
      let rows = min(24, Int(Double(fan.count).squareRoot()))
      for (index, link) in fan.enumerated() { ranks[link.target] = 1 + index % rows }
    }
    return ranks
  }
}
