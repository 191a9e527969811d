import SignalGraph

extension GraphPicture {
  /// The maximum number of links with numbers: each number takes space between the boxes, and multiplies the layout
  /// time.
  package static let labelledLinks = 60

  /// The number of hidden links.
  package var hiddenLinkCount: Int { hiddenLinks.count }

  /// Limits the number of drawn links: those that keep boxes connected take precedence, then those that represent the
  /// most connections. ``notes`` has the number of hidden links.
  ///
  /// - Parameter limit: The maximum number of links.
  /// - Complexity: O(links log links).
  package mutating func boundLinks(to limit: Int) {
    showAllLinks()
    guard limit > 0, links.count > limit else { return }
    let strongest = links.sorted { weight($0) > weight($1) }
    // A maximum spanning forest: the strongest links that connect every box that can be connected.
    var forest = ConnectedBoxes()
    let connecting = strongest.filter { forest.connect($0.source, $0.target) }
    let isConnecting = Set(connecting)
    let kept = Set((connecting + strongest.filter { !isConnecting.contains($0) }).prefix(limit))
    let count = links.count
    hide(Set(links).subtracting(kept))
    notes.append("\(Self.linksNote) \(links.count.grouped) of \(count.grouped) links")
  }

  /// Draws the links that ``boundLinks(to:)`` has hidden.
  mutating func showAllLinks() {
    guard !hiddenLinks.isEmpty else { return }
    hide([])
    notes.removeAll { $0.hasPrefix(Self.linksNote) }
  }

  private static var linksNote: String { "the strongest" }

  /// The importance of a link: value flow before sampled values and feedback.
  private func weight(_ link: Link) -> (Int, Int, UInt64, UInt64) {
    let carriesValues = link.kind == .data || link.kind == .hop || link.kind == .inner
    return (link.copies, carriesValues ? 1 : 0, UInt64.max - link.source, UInt64.max - link.target)
  }
}

extension GraphPicture.Link {
  /// The width of a line without a number: it increases with the powers of 4 of the number of connections.
  var strokeWidth: Double {
    let bits = Int.bitWidth - copies.leadingZeroBitCount
    return 1.2 + 0.4 * Double(min(bits / 2, 6))
  }
}

/// Connected components of boxes.
private struct ConnectedBoxes {
  private var parents: [UInt64: UInt64] = [:]

  private mutating func root(_ box: UInt64) -> UInt64 {
    var (box, path) = (box, [UInt64]())
    while let parent = parents[box], parent != box {
      path.append(box)
      box = parent
    }
    for passed in path { parents[passed] = box }
    return box
  }

  /// Connects two boxes.
  ///
  /// - Returns: Whether they were not connected before.
  mutating func connect(_ source: UInt64, _ target: UInt64) -> Bool {
    let (source, target) = (root(source), root(target))
    parents[source] = target
    return source != target
  }
}
