import SignalGraph

extension GraphPicture {
  /// Draws boxes with a fault separately for as long as possible: leaked ones first, then failed ones, then those with
  /// the most waiting values.
  ///
  /// - Parameter limit: The maximum number of these boxes.
  /// - Complexity: O(boxes log boxes).
  mutating func keepFaultsApart(upTo limit: Int) {
    let faulty = boxes.filter { $0.heading == nil && $0.faultRank > 0 }
    let urgent = faulty.sorted { ($0.faultRank, $0.waiting, $1.id) > ($1.faultRank, $1.waiting, $0.id) }
    keepApart(Set(urgent.prefix(limit).map(\.id)))
  }
}

extension GraphPicture.Box {
  /// The urgency of its fault; 0 for none.
  fileprivate var faultRank: Int {
    if findings.contains(.leaked) { return 3 }
    if state == .failed { return 2 }
    return waiting > 0 ? 1 : 0
  }
}
