import SignalGraph

extension GraphPicture {
  /// Draws all boxes with the same source locations and the same state as one.
  ///
  /// - Complexity: O(boxes log boxes + links).
  package mutating func collapseByDefinition() {
    collapse(note: "drawn by definition") { box in
      "\(box.parts.map { "\($0.definition.id)" }.joined(separator: " ")) \(box.state.rawValue) "
        + (box.findings.map(\.rawValue).sorted() + [box.change?.rawValue ?? ""]).joined(separator: " ")
    } combine: { members in
      var box = members[0]
      for member in members.dropFirst() {
        box.copies += member.copies
        box.nodeCount += member.nodeCount
        box.marks.formUnion(member.marks)
        box.channels.formUnion(member.channels)
        for index in box.parts.indices {
          box.parts[index].addValues(of: member.parts[index])
          if box.parts[index].name != member.parts[index].name { box.parts[index].name = nil }
        }
      }
      for index in box.parts.indices { box.parts[index].details = ["\(box.copies.grouped) nodes"] }
      return box
    }
  }

  /// Draws all boxes of a function as one, except those with a callout or a channel; new and gone ones separately.
  ///
  /// - Complexity: O(boxes log boxes + links).
  package mutating func collapseByFunction() {
    collapse(note: "drawn by function") {
      $0.isCollapsible
        ? "\($0.fileID) \($0.parts[0].definition.function) \($0.change?.rawValue ?? "")" : "\($0.fileID) \($0.id)"
    } combine: { members in
      let place = members[0].parts[0].definition
      return members[0].standingIn(
        for: members, of: "\(members[0].fileID) \(place.function)", as: "\(place.function) in \(place.baseName)")
    }
  }

  /// Draws all boxes of a file as one, except those with a callout or a channel; new and gone ones separately.
  ///
  /// - Complexity: O(boxes log boxes + links).
  package mutating func collapseByFile() {
    collapse(note: "drawn by file") {
      $0.isCollapsible ? "\($0.fileID) \($0.change?.rawValue ?? "")" : "\($0.fileID) \($0.id)"
    } combine: { members in
      members[0].standingIn(for: members, of: members[0].fileID, as: members[0].parts[0].definition.baseName)
    }
  }

  /// Draws all boxes of a module as one, except those with a callout or a channel; new and gone ones separately.
  ///
  /// - Complexity: O(boxes log boxes + links).
  package mutating func collapseByModule() {
    collapse(note: "drawn by module") {
      $0.isCollapsible ? "\($0.module)/\($0.change?.rawValue ?? "")" : "\($0.module)/\($0.id)"
    } combine: { members in
      members[0].standingIn(for: members, of: members[0].module, as: members[0].module)
    }
  }

  /// Draws the boxes with the fewest links and values as one, so that at most `limit` are left; those with a callout, a
  /// channel, a failure or a finding last.
  ///
  /// - Complexity: O(boxes log boxes + links).
  package mutating func collapseLeastBusy(to limit: Int) {
    guard limit > 0, boxes.count > limit else { return }
    showAllLinks()
    var linkCounts: [UInt64: Int] = [:]
    for link in links {
      linkCounts[link.source, default: 0] += 1
      linkCounts[link.target, default: 0] += 1
    }
    func weight(_ box: Box) -> (Int, Int, UInt64, UInt64) {
      let isRemarkable = !box.isCollapsible || !box.findings.isEmpty || box.change != nil || box.state == .failed
      return (isRemarkable ? 1 : 0, linkCounts[box.id] ?? 0, box.parts[0].valueCount, box.id)
    }
    let rest = Set(boxes.sorted { weight($0) > weight($1) }.dropFirst(limit - 1).map(\.id))
    collapse(note: "the least busy drawn as one") {
      rest.contains($0.id) ? "" : "\($0.id)"
    } combine: { members in
      members[0].standingIn(for: members, of: "", as: limit == 1 ? "everything" : "\(members.count.grouped) more boxes")
    }
  }

  /// Draws the boxes of each key as one.
  mutating func collapse(note: String, key: (Box) -> String, combine: ([Box]) -> Box) {
    let groups = Dictionary(grouping: boxes, by: key).values.filter { $0.count > 1 }
      .map { (members: $0.map(\.id), box: combine($0)) }
    guard !groups.isEmpty else { return }
    replace(groups)
    if !notes.contains(note) { notes.append(note) }
  }
}

extension GraphPicture.Box {
  /// The module of its source location.
  fileprivate var module: String { String(fileID.prefix { $0 != "/" }) }

  /// Whether the box may be drawn with unrelated ones: not if it has a callout or a fault, or is an end of a channel.
  var isCollapsible: Bool { marks.isEmpty && channels.isEmpty && !isApart }

  /// Returns a box with a heading that represents several.
  func standingIn(for members: [GraphPicture.Box], of group: String, as words: String) -> GraphPicture.Box {
    var box = self
    let parts = members.flatMap(\.parts)
    box.nodeCount = members.reduce(0) { $0 + $1.nodeCount }
    box.copies = 1
    box.isApart = false
    box.group = group
    box.heading = "\(words): \(box.nodeCount.grouped) node\(box.nodeCount == 1 ? "" : "s")"
    box.parts = [box.parts[0]]
    for part in parts.dropFirst() { box.parts[0].addValues(of: part) }
    box.parts[0].details = []
    box.findings = members.reduce(into: []) { $0.formUnion($1.findings) }
    box.marks = members.reduce(into: []) { $0.formUnion($1.marks) }
    box.channels = members.reduce(into: []) { $0.formUnion($1.channels) }
    if members.contains(where: { $0.change != change }) { box.change = nil }
    box.state = [.failed, .live, .finished].first { state in members.contains { $0.state == state } } ?? .disposed
    return box
  }
}

extension GraphPicture {
  /// The number of boxes in the largest connected component.
  ///
  /// - Complexity: O(boxes + links).
  package var largestComponent: Int {
    var neighbours: [UInt64: [UInt64]] = [:]
    for link in links {
      neighbours[link.source, default: []].append(link.target)
      neighbours[link.target, default: []].append(link.source)
    }
    var seen = Set<UInt64>()
    var largest = 0
    for box in boxes where seen.insert(box.id).inserted {
      var waiting = [box.id]
      var size = 0
      while let id = waiting.popLast() {
        size += 1
        for neighbour in neighbours[id] ?? [] where seen.insert(neighbour).inserted { waiting.append(neighbour) }
      }
      largest = max(largest, size)
    }
    return largest
  }
}
