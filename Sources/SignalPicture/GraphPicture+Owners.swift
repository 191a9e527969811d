import SignalGraph

extension GraphPicture {
  /// Draws the boxes that belong to the owners of one type as one, except those with a callout or an end of a channel;
  /// new and gone ones separately.
  ///
  /// An owner's boxes are its subscriptions, and what is upstream of them and serves no other owner.
  ///
  /// - Complexity: O(boxes log boxes + links).
  package mutating func collapseByOwner() {
    let owners = ownersOfBoxes
    collapse(note: "drawn by owner") { box in
      guard let owner = owners[box.id], box.isCollapsible else { return "\(box.id)" }
      return "\(box.change?.rawValue ?? "")/\(owner)"
    } combine: { members in
      let owner = owners[members[0].id] ?? ""
      return members[0].standingIn(for: members, of: owner, as: owner)
    }
  }

  /// The type of the only owner that each box serves, by the boxes' ids; absent for boxes that serve several or none.
  private var ownersOfBoxes: [UInt64: String] {
    var targets: [UInt64: [UInt64]] = [:]
    var sources: [UInt64: [UInt64]] = [:]
    for link in links where link.kind != .feedback && link.source != link.target {
      targets[link.source, default: []].append(link.target)
      sources[link.target, default: []].append(link.source)
    }
    var owners: [UInt64: String] = [:]
    // The remaining unresolved targets of each box; in a cycle they are never resolved.
    var missing = targets.mapValues(\.count)
    var ready = boxes.filter { missing[$0.id] == nil }.map(\.id)
    let own = Dictionary(uniqueKeysWithValues: boxes.map { ($0.id, $0.owner) })
    while let id = ready.popLast() {
      if let owner = own[id] ?? nil {
        owners[id] = owner
      } else if let first = targets[id]?.first, let owner = owners[first],
        targets[id, default: []].allSatisfy({ owners[$0] == owner })
      {
        owners[id] = owner
      }
      for source in sources[id] ?? [] {
        missing[source, default: 0] -= 1
        if missing[source] == 0 { ready.append(source) }
      }
    }
    return owners
  }
}

extension GraphPicture.Box {
  /// The type of the owner of all parts that have one. A bound source is no owner: it does not tell whose the binding
  /// is.
  fileprivate var owner: String? {
    let owners = Set(parts.compactMap(\.owner).filter { !$0.hasPrefix("Property<") && !$0.hasPrefix("Emitter<") })
    return owners.count == 1 ? owners.first : nil
  }
}
