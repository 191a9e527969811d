import SignalGraph

extension GraphPicture {
  /// Draws chains that look the same, and hang on the same or equal neighbours, as one chain with "× 1,000".
  ///
  /// Two boxes look the same when definition, name, state and findings are equal, and their neighbours, and so on
  /// through the whole graph (the coarsest equitable partition). Where that needs more than 200 rounds, nothing is
  /// bundled.
  ///
  /// - Parameters:
  ///   - minimum: How many equal chains it takes; fewer are drawn one by one.
  ///   - ignoresNames: Whether chains are equal that only have other names: these are in the tooltip then.
  /// - Complexity: O(rounds * (boxes + links)), where the rounds are about the length of the longest chain.
  public mutating func bundleEqualChains(atLeast minimum: Int = 3, ignoringNames ignoresNames: Bool = false) {
    let classes = equalBoxes(maximumRounds: 200, ignoringNames: ignoresNames)
    let groups = Dictionary(grouping: boxes.indices, by: { classes[$0] }).values
      .filter { $0.count >= max(minimum, 2) }
      .map { indices in (members: indices.map { boxes[$0].id }, box: bundle(indices.map { boxes[$0] })) }
    guard !groups.isEmpty else { return }
    replace(groups)
    notes.append(ignoresNames ? "chains bundled that differ in names" : "equal chains bundled")
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

  /// A class number for each box; boxes of one class look the same, and so do their surroundings.
  private func equalBoxes(maximumRounds: Int, ignoringNames ignoresNames: Bool) -> [Int] {
    let unique = Array(boxes.indices)
    let position = Dictionary(uniqueKeysWithValues: boxes.enumerated().map { ($1.id, $0) })
    var neighbours = [[(box: Int, role: Int)]](repeating: [], count: boxes.count)
    for link in links {
      guard let source = position[link.source], let target = position[link.target] else { continue }
      let kind = Edge.Kind.allCases.firstIndex(of: link.kind) ?? 0
      neighbours[source].append((target, 2 * kind))
      neighbours[target].append((source, 2 * kind + 1))
    }
    let roles = 2 * Edge.Kind.allCases.count
    var looks: [Look: Int] = [:]
    var classes = boxes.map { box in
      let look = Look(box, ignoringNames: ignoresNames)
      return looks[look]
        ?? {
          looks[look] = looks.count; return looks.count - 1
        }()
    }
    var count = looks.count
    for _ in 0..<maximumRounds {
      var numbers: [[Int]: Int] = [:]
      let refined = boxes.indices.map { index in
        let key = [classes[index]] + neighbours[index].map { classes[$0.box] * roles + $0.role }.sorted()
        return numbers[key]
          ?? {
            numbers[key] = numbers.count; return numbers.count - 1
          }()
      }
      classes = refined
      if numbers.count == count { return classes }
      if numbers.count == boxes.count { return unique }
      count = numbers.count
    }
    return unique
  }

  private struct Look: Hashable {
    var definitions: [Int]
    var names: [String?]
    var failures: [String?]
    var state: Node.State
    var findings: Set<Node.Finding>
    var marks: Set<Int>
    var change: PictureChange?

    init(_ box: Box, ignoringNames ignoresNames: Bool) {
      definitions = box.parts.map(\.definition.id)
      names = ignoresNames ? [] : box.parts.map(\.name)
      failures = box.parts.map(\.failure)
      state = box.state
      findings = box.findings
      marks = box.marks
      change = box.change
    }
  }
}

extension UInt64 {
  /// The sum, or the largest number where the sum does not fit.
  func addingSaturated(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
