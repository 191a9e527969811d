import SignalGraph

/// Linear chains: boxes that values pass through in sequence, without any other input or output.
private struct LinearRuns {
  private(set) var runs: [[GraphPicture.Box]] = []

  /// Finds the linear chains.
  ///
  /// - Parameters:
  ///   - picture: The drawing to search.
  ///   - mayJoin: Whether a link of this kind joins two boxes of a chain.
  init(in picture: GraphPicture, joinedBy mayJoin: (Edge.Kind) -> Bool) {
    var outgoing: [UInt64: [GraphPicture.Link]] = [:]
    var incoming: [UInt64: Int] = [:]
    for link in picture.links {
      outgoing[link.source, default: []].append(link)
      incoming[link.target, default: 0] += 1
    }
    let byID = Dictionary(uniqueKeysWithValues: picture.boxes.map { ($0.id, $0) })
    func follower(of box: GraphPicture.Box) -> GraphPicture.Box? {
      // More connections than copies join each copy with several others, which is no chain.
      guard let ways = outgoing[box.id], ways.count == 1, mayJoin(ways[0].kind), ways[0].target != box.id,
        ways[0].copies == box.copies, incoming[ways[0].target] == 1, let next = byID[ways[0].target], box.isLike(next)
      else { return nil }
      return next
    }
    let followers = Dictionary(
      uniqueKeysWithValues: picture.boxes.compactMap { box in follower(of: box).map { (box.id, $0) } })
    let isFollower = Set(followers.values.map(\.id))
    for start in picture.boxes where !isFollower.contains(start.id) {
      var run = [start]
      while let next = run.last.flatMap({ followers[$0.id] }) { run.append(next) }
      if run.count > 1 { runs.append(run) }
    }
  }
}

extension GraphPicture {
  /// Draws each linear chain of boxes as a single box that lists them.
  ///
  /// A chain never crosses files, a change of state or findings, or a link that is not plain data.
  ///
  /// - Complexity: O(boxes + links).
  package mutating func foldLinearRuns() {
    fold(LinearRuns(in: self) { $0 == .data }.runs, note: "linear runs folded")
  }

  /// Draws long chains as pieces of about equal length until there are at most `limit` boxes, with the shortest pieces
  /// that suffice. Unlike ``foldLinearRuns()`` it folds scheduler hops as well. If that is not enough, nothing is
  /// folded.
  ///
  /// - Complexity: O(boxes log boxes + links).
  package mutating func foldLongRuns(to limit: Int) {
    let runs = LinearRuns(in: self) { $0 == .data || $0 == .hop }.runs
    let others = boxes.count - runs.reduce(0) { $0 + $1.count }
    guard boxes.count > limit, others + runs.count <= limit, let longest = runs.map(\.count).max() else { return }
    // The number of boxes decreases as pieces become longer.
    var (tooShort, enough) = (1, longest)
    while enough - tooShort > 1 {
      let length = (tooShort + enough) / 2
      let count = others + runs.reduce(0) { $0 + ($1.count + length - 1) / length }
      if count <= limit { enough = length } else { tooShort = length }
    }
    let pieces = runs.flatMap { run in
      stride(from: 0, to: run.count, by: enough).map { Array(run[$0..<min($0 + enough, run.count)]) }
    }
    fold(pieces.filter { $0.count > 1 }, note: "long runs folded")
  }

  private mutating func fold(_ runs: [[Box]], note: String) {
    guard !runs.isEmpty else { return }
    replace(
      runs.map { run in
        var box = run[0]
        box.id = run.map(\.id).min() ?? box.id
        box.parts = run.flatMap(\.parts)
        box.nodeCount = run.reduce(0) { $0 + $1.nodeCount }
        return (run.map(\.id), box)
      })
    if !notes.contains(note) { notes.append(note) }
  }
}

extension GraphPicture.Box {
  fileprivate func isLike(_ other: Self) -> Bool {
    copies == other.copies && state == other.state && findings == other.findings && marks == other.marks
      && channels == other.channels
      && change == other.change
      && fileID == other.fileID
      && heading == nil && other.heading == nil
  }
}
