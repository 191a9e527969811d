/// A validated ``CollectionChange``, which a ``CollectionChangeTarget`` applies.
///
/// A target that stores sections applies the ``operations`` one after the other. One that displays them, such as a
/// table view, uses ``positions()``, which are reported all at once.
public struct CollectionChangeBatch<Section: CollectionSection>: Sendable {
  /// The operations, in the order of their application.
  public let operations: [CollectionChange<Section>.Operation]
  /// The number of items in each section before the change.
  public let itemCountsBefore: [Int]
  /// The number of items in each section after the change.
  public let itemCountsAfter: [Int]

  /// Validates a change against a collection.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - itemCounts: The number of items in each section; a negative number counts as zero, and one that no collection
  ///     has as half of the largest integer.
  /// - Throws: ``CollectionChangeError`` for the first invalid operation.
  /// - Complexity: O(*n*) in the number of operations, plus the cost of inserted, removed and moved sections.
  public init(_ change: CollectionChange<Section>, itemCounts: [Int]) throws(CollectionChangeError) {
    operations = change.operations
    itemCountsBefore = itemCounts.map { min(max(0, $0), .max / 2) }
    var counts = itemCountsBefore
    for (index, operation) in operations.enumerated() {
      if let reason = Self.reason(against: operation, counts) {
        throw CollectionChangeError(operationIndex: index, operation: "\(operation)", reason: reason)
      }
      Self.count(operation, &counts)
    }
    itemCountsAfter = counts
  }

  /// Whether everything is replaced, so that there are no positions.
  public var isReset: Bool {
    operations.contains { if case .reset = $0 { true } else { false } }
  }

  /// Returns the positions of the changes, in the form that table and collection views expect.
  ///
  /// - Complexity: O(*n*) in the number of items, and for each operation in that of its section.
  public func positions() -> CollectionChangePositions {
    var layout = CollectionLayout(itemCountsBefore)
    for operation in operations { layout.apply(operation) }
    return layout.positions()
  }

  /// Returns the reason why an operation is invalid; nil if it is valid.
  private static func reason(against operation: CollectionChange<Section>.Operation, _ counts: [Int]) -> String? {
    func section(_ index: Int, upTo limit: Int) -> String? {
      if (0..<limit).contains(index) { return nil }
      return
        "there is no place for section \(index): there \(counts.count == 1 ? "is 1 section" : "are \(counts.count) sections")"
    }
    func item(_ position: CollectionPosition, isNew: Bool, without removed: CollectionPosition? = nil) -> String? {
      if let reason = section(position.section, upTo: counts.count) { return reason }
      let count = counts[position.section] - (removed?.section == position.section ? 1 : 0)
      if (0..<count + (isNew ? 1 : 0)).contains(position.item) { return nil }
      return
        "there is no place for item \(position.item): section \(position.section) has \(count) item\(count == 1 ? "" : "s")"
        + (removed?.section == position.section ? " beside the one that moves" : "")
    }
    switch operation {
    case .insertSection(_, let index): return section(index, upTo: counts.count + 1)
    case .removeSection(let index), .updateSection(_, let index): return section(index, upTo: counts.count)
    case .moveSection(let from, let to):
      return section(from, upTo: counts.count) ?? section(to, upTo: counts.count)
    case .insertItem(_, let position): return item(position, isNew: true)
    case .removeItem(let position), .updateItem(_, let position): return item(position, isNew: false)
    case .moveItem(let from, let to): return item(from, isNew: false) ?? item(to, isNew: true, without: from)
    case .reset: return nil
    }
  }

  /// Applies a valid operation to the numbers of items.
  private static func count(_ operation: CollectionChange<Section>.Operation, _ counts: inout [Int]) {
    switch operation {
    case .insertSection(let section, let index): counts.insert(section.items.count, at: index)
    case .removeSection(let index): counts.remove(at: index)
    case .moveSection(let from, let to): counts.insert(counts.remove(at: from), at: to)
    case .updateSection(let section, let index): counts[index] = section.items.count
    case .insertItem(_, let position): counts[position.section] += 1
    case .removeItem(let position): counts[position.section] -= 1
    case .moveItem(let from, let to):
      counts[from.section] -= 1
      counts[to.section] += 1
    case .updateItem: break
    case .reset(let sections): counts = sections.map(\.items.count)
    }
  }
}
