extension GraphPicture.Box {
  /// What is listed of a folded run.
  enum ListedPart {
    case part(GraphPicture.Part)
    /// How many are left out there.
    case gap(Int)
  }

  /// At most this many operators of a folded run are listed.
  private static let largestList = 6

  /// The parts to list, and how many are left out between them. The first, the last and those with a name come before others.
  var listedParts: [ListedPart] {
    guard parts.count > Self.largestList else { return parts.map(ListedPart.part) }
    let wanted = [0, parts.count - 1] + parts.indices.filter { parts[$0].name != nil } + Array(parts.indices)
    var shown: Set<Int> = []
    for index in wanted where shown.count < Self.largestList - 1 { shown.insert(index) }
    var entries: [ListedPart] = []
    var missing = 0
    for (index, part) in parts.enumerated() {
      guard shown.contains(index) else {
        missing += 1
        continue
      }
      if missing > 0 { entries.append(.gap(missing)) }
      missing = 0
      entries.append(.part(part))
    }
    return entries
  }
}
