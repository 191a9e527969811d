extension GraphPicture.Box {
  /// An element in the list of a folded chain.
  enum ListedPart {
    case part(GraphPicture.Part)
    /// The number of operators omitted here.
    case gap(Int)
  }

  /// The maximum number of listed operators of a folded chain.
  private static let largestList = 6

  /// The parts to list, with the numbers of those omitted in between. The first, the last and those with a name take
  /// precedence.
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
