import SignalGraph

extension GraphPicture {
  /// Draws each run of boxes that values pass through one after the other as a single box that lists them.
  ///
  /// A run never crosses a file, a change of state or findings, or a link that is not plain data.
  ///
  /// - Complexity: O(boxes + links).
  public mutating func foldLinearRuns() {
    var outgoing: [UInt64: [Link]] = [:]
    var incoming: [UInt64: [Link]] = [:]
    for link in links {
      outgoing[link.source, default: []].append(link)
      incoming[link.target, default: []].append(link)
    }
    let byID = Dictionary(uniqueKeysWithValues: boxes.map { ($0.id, $0) })
    func follower(of box: Box) -> Box? {
      guard let ways = outgoing[box.id], ways.count == 1, ways[0].kind == .data, ways[0].target != box.id,
        incoming[ways[0].target]?.count == 1, let next = byID[ways[0].target], box.isLike(next)
      else { return nil }
      return next
    }
    var isFollower = Set<UInt64>()
    for box in boxes {
      if let next = follower(of: box) { isFollower.insert(next.id) }
    }
    var groups: [(members: [UInt64], box: Box)] = []
    for start in boxes where !isFollower.contains(start.id) {
      var run = [start]
      while let next = run.last.flatMap(follower(of:)) { run.append(next) }
      guard run.count > 1 else { continue }
      var box = start
      box.id = run.map(\.id).min() ?? start.id
      box.parts = run.flatMap(\.parts)
      box.nodeCount = run.reduce(0) { $0 + $1.nodeCount }
      groups.append((run.map(\.id), box))
    }
    guard !groups.isEmpty else { return }
    replace(groups)
    notes.append("linear runs folded")
  }
}

extension GraphPicture.Box {
  fileprivate func isLike(_ other: Self) -> Bool {
    copies == other.copies && state == other.state && findings == other.findings && marks == other.marks
      && change == other.change
      && fileID == other.fileID
      && heading == nil && other.heading == nil
  }
}
