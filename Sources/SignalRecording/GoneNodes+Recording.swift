import SignalGraph

extension GoneNodes {
  private static var largestNames: Int { 8 }

  /// Counts a node that is no longer retained.
  ///
  /// - Parameter isSourceLive: Whether the source above it is live.
  mutating func add(values: UInt64, name: String?, isSourceLive: Bool = false) {
    nodes += 1
    withLiveSource = (withLiveSource ?? 0) + (isSourceLive ? 1 : 0)
    self.values &+= values
    guard let name, names.count < Self.largestNames, !names.contains(name) else { return }
    names.append(name)
  }

  mutating func noteLiveSource() { withLiveSource = (withLiveSource ?? 0) + 1 }

  /// Uncounts a node that is shown after all, as something is still connected to it.
  mutating func leaveOut(values: UInt64) {
    nodes -= min(nodes, 1)
    self.values -= min(self.values, values)
  }
}

extension EndedMembers {
  /// Counts its evicted nodes by location. Under the recorder's lock.
  func countGone(in gone: inout SiteTable<GoneNodes>) {
    switch self {
    case .chain(let record, _): record.countGone(in: &gone)
    case .chains(let records, _): for record in records { record.countGone(in: &gone) }
    case .source(let source):
      let count = source.noteGone()
      gone[source.site, default: GoneNodes()].add(values: count, name: source.name)
    case .reported(let node):
      gone[node.site, default: GoneNodes()].add(values: node.valueCount, name: node.name)
    }
  }
}

extension ChainRecord {
  /// Counts its nodes by location.
  fileprivate func countGone(in gone: inout SiteTable<GoneNodes>) {
    let names = knownNames
    let isSourceLive = source.map { !$0.isOver } ?? false
    // An operator with a delivery queue is in the chain below the one that its source delivers to.
    if isSourceLive, let site = siteDirectlyBelow { gone[site, default: GoneNodes()].noteLiveSource() }
    forEachGroup { group, identifier in
      let count = group.pointee.nodeCount
      for position in 0..<count {
        let name = names?[identifier + UInt64(count - 1 - position)]
        gone[NodeGroup.site(group, position), default: GoneNodes()].add(
          values: NodeGroup.valueCount(group, position), name: name, isSourceLive: isSourceLive)
      }
    }
  }
}
