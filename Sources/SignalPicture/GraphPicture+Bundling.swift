import SignalGraph

extension GraphPicture {
  /// Draws chains that look the same, and are linked to the same or equal neighbours, as one chain with "× 1,000".
  ///
  /// Two boxes look the same when definition, name, state and findings are equal, and their neighbours, and so on
  /// through the whole graph (the coarsest equitable partition).
  ///
  /// - Parameters:
  ///   - minimum: The minimum number of equal chains; fewer are drawn individually.
  ///   - ignoresNames: Whether chains that differ only in names are equal; the names are then in the tooltip.
  /// - Complexity: O((boxes + links) log boxes) on average.
  package mutating func bundleEqualChains(atLeast minimum: Int = 3, ignoringNames ignoresNames: Bool = false) {
    let groups = equalBoxes(ignoringNames: ignoresNames)
      .filter { $0.count >= max(minimum, 2) }
      .map { indices in (members: indices.map { boxes[$0].id }, box: bundle(indices.map { boxes[$0] })) }
    guard !groups.isEmpty else { return }
    replace(groups)
    let note = ignoresNames ? "chains bundled that differ in names" : "equal chains bundled"
    if !notes.contains(note) { notes.append(note) }
  }

  private func bundle(_ members: [Box]) -> Box {
    var box = members[0]
    for member in members.dropFirst() {
      box.copies += member.copies
      box.nodeCount += member.nodeCount
      for index in box.parts.indices {
        box.parts[index].addValues(of: member.parts[index])
      }
    }
    for index in box.parts.indices {
      let names = members.compactMap { $0.parts[index].name }
      if Set(names).count > 1 || names.count < members.count { box.parts[index].name = nil }
      box.parts[index].details = ["\(box.copies.grouped) nodes"] + Self.words(for: names)
    }
    return box
  }

  /// The first names, if there are several.
  private static func words(for names: [String]) -> [String] {
    let names = Set(names).sorted()
    guard names.count > 1 else { return [] }
    let more = names.count > 8 ? " and \((names.count - 8).grouped) more" : ""
    return [names.prefix(8).map { "“\($0)”" }.joined(separator: ", ") + more]
  }
}
