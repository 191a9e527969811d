import SignalGraph

extension GraphPicture {
  /// Draws all boxes that stand for the same places in the code, in the same state, as one.
  ///
  /// - Complexity: O(boxes log boxes + links).
  public mutating func collapseByDefinition() {
    collapse(note: "drawn by definition") { box in
      "\(box.parts.map { "\($0.definition.id)" }.joined(separator: " ")) \(box.state.rawValue) "
        + box.findings.map(\.rawValue).sorted().joined(separator: " ")
    } combine: { members in
      var box = members[0]
      for member in members.dropFirst() {
        box.copies += member.copies
        box.marks.formUnion(member.marks)
        for index in box.parts.indices {
          box.parts[index].addValues(of: member.parts[index])
          if box.parts[index].name != member.parts[index].name { box.parts[index].name = nil }
        }
      }
      for index in box.parts.indices { box.parts[index].details = ["\(box.copies.grouped) nodes"] }
      return box
    }
  }

  /// Draws all boxes of a file as one.
  ///
  /// - Complexity: O(boxes log boxes + links).
  public mutating func collapseByFile() {
    collapse(note: "drawn by file") {
      $0.fileID
    } combine: { members in
      var box = members[0]
      let parts = members.flatMap(\.parts)
      let nodes = members.reduce(0) { $0 + $1.copies * $1.parts.count }
      box.copies = 1
      box.heading = "\(box.parts[0].definition.baseName): \(nodes.grouped) nodes"
      box.parts = [box.parts[0]]
      for part in parts.dropFirst() { box.parts[0].addValues(of: part) }
      box.findings = members.reduce(into: []) { $0.formUnion($1.findings) }
      box.marks = members.reduce(into: []) { $0.formUnion($1.marks) }
      box.state = [.failed, .live, .finished].first { state in members.contains { $0.state == state } } ?? .disposed
      return box
    }
  }

  private mutating func collapse(note: String, key: (Box) -> String, combine: ([Box]) -> Box) {
    let groups = Dictionary(grouping: boxes, by: key).values.filter { $0.count > 1 }
      .map { (members: $0.map(\.id), box: combine($0)) }
    guard !groups.isEmpty else { return }
    replace(groups)
    notes.append(note)
  }
}

extension GraphPicture {
  /// How many boxes the largest connected part of the picture has.
  ///
  /// - Complexity: O(boxes + links).
  public var largestComponent: Int {
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
