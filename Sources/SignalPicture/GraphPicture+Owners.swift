import SignalGraph

extension GraphPicture {
  /// Draws what belongs to the owners of one type as one box, but for what has a mark or is an end of a channel; what is new and what has gone by itself.
  ///
  /// To an owner belong its subscriptions, and what is above them and serves no other.
  ///
  /// - Complexity: O(boxes log boxes + links).
  public mutating func collapseByOwner() {
    let owners = ownersOfBoxes
    collapse(note: "drawn by owner") { box in
      guard let owner = owners[box.id], box.isCollapsible else { return "\(box.id)" }
      return "\(box.change?.rawValue ?? "")/\(owner)"
    } combine: { members in
      members[0].standingIn(for: members, as: owners[members[0].id] ?? "")
    }
  }

  /// The type of the only owner that each box serves, by the boxes' ids; none for those that serve several or none.
  private var ownersOfBoxes: [UInt64: String] {
    var targets: [UInt64: [UInt64]] = [:]
    var sources: [UInt64: [UInt64]] = [:]
    for link in links where link.kind != .feedback && link.source != link.target {
      targets[link.source, default: []].append(link.target)
      sources[link.target, default: []].append(link.source)
    }
    var owners: [UInt64: String] = [:]
    // Boxes whose targets are all known; what is on a ring never is.
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
  /// The type of the owner of all parts that have one. A source that values are bound to is none: it says nothing of whose the binding is.
  fileprivate var owner: String? {
    let owners = Set(parts.compactMap(\.owner).filter { !$0.hasPrefix("Property<") && !$0.hasPrefix("Emitter<") })
    return owners.count == 1 ? owners.first : nil
  }
}
