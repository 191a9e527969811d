/// The positions of a ``CollectionChangeBatch``, all at once.
///
/// Removals, moves and updates refer to the state before the change; insertions and the destinations of moves, to the
/// state after it. Items in an inserted, removed or updated section are not listed. This is the form that
/// `performBatchUpdates` of table and collection views expects.
public struct CollectionChangePositions: Hashable, Sendable {
  /// The source and the destination of a move.
  public struct Move<Position: Hashable & Sendable>: Hashable, Sendable {
    /// The position before the change.
    public let from: Position
    /// The position after the change.
    public let to: Position
  }

  /// Removed sections.
  public internal(set) var removedSections: [Int] = []
  /// Inserted sections.
  public internal(set) var insertedSections: [Int] = []
  /// Moved sections without other changes.
  public internal(set) var movedSections: [Move<Int>] = []
  /// Replaced sections.
  public internal(set) var updatedSections: [Int] = []
  /// Removed items.
  public internal(set) var removedItems: [CollectionPosition] = []
  /// Inserted items.
  public internal(set) var insertedItems: [CollectionPosition] = []
  /// Moved items without other changes.
  public internal(set) var movedItems: [Move<CollectionPosition>] = []
  /// Replaced items.
  public internal(set) var updatedItems: [CollectionPosition] = []
}

/// The origins of a collection's items, while operations are applied one after the other.
struct CollectionLayout {
  private struct Item {
    /// The position before the change, unless it is new.
    var origin: CollectionPosition?
    var isMoved = false
    var isUpdated = false
  }

  private struct Section {
    /// The position before the change, unless it is new.
    var origin: Int?
    var isMoved = false
    var isUpdated = false
    var items: [Item]
  }

  private let oldCounts: [Int]
  private var sections: [Section]

  init(_ itemCounts: [Int]) {
    oldCounts = itemCounts
    sections = itemCounts.enumerated().map { index, count in
      Section(origin: index, items: (0..<count).map { Item(origin: CollectionPosition(section: index, item: $0)) })
    }
  }

  /// Applies a valid operation.
  mutating func apply<Content>(_ operation: CollectionChange<Content>.Operation) {
    switch operation {
    case .insertSection(let section, let index): sections.insert(.init(items: Self.new(section)), at: index)
    case .removeSection(let index): sections.remove(at: index)
    case .moveSection(let from, let to):
      var section = sections.remove(at: from)
      section.isMoved = true
      sections.insert(section, at: to)
    case .updateSection(let section, let index):
      sections[index].isUpdated = true
      sections[index].items = Self.new(section)
    case .insertItem(_, let position): sections[position.section].items.insert(Item(), at: position.item)
    case .removeItem(let position): sections[position.section].items.remove(at: position.item)
    case .moveItem(let from, let to):
      var item = sections[from.section].items.remove(at: from.item)
      item.isMoved = true
      sections[to.section].items.insert(item, at: to.item)
    case .updateItem(_, let position): sections[position.section].items[position.item].isUpdated = true
    case .reset(let content): sections = content.map { Section(items: Self.new($0)) }
    }
  }

  private static func new<Content: CollectionSection>(_ section: Content) -> [Item] {
    section.items.map { _ in Item() }
  }

  /// Returns the positions of the whole change.
  func positions() -> CollectionChangePositions {
    var result = CollectionChangePositions()
    // Sections whose items are listed: those that stay, or only shift.
    var open = Set<Int>()
    var gone = Set(oldCounts.indices)
    for (index, section) in sections.enumerated() {
      guard let origin = section.origin else {
        result.insertedSections.append(index)
        continue
      }
      gone.remove(origin)
      if section.isMoved {
        if isUntouched(section) {
          result.movedSections.append(.init(from: origin, to: index))
        } else {
          // A section that moves and changes counts as a new one.
          gone.insert(origin)
          result.insertedSections.append(index)
        }
      } else if section.isUpdated {
        result.updatedSections.append(origin)
      } else {
        open.insert(origin)
      }
    }
    result.removedSections = gone.sorted()
    addItems(of: open, to: &result)
    return result
  }

  /// Whether a section has its original items, in their order.
  private func isUntouched(_ section: Section) -> Bool {
    guard !section.isUpdated, let origin = section.origin, section.items.count == oldCounts[origin] else {
      return false
    }
    return section.items.enumerated().allSatisfy { index, item in
      !item.isUpdated && item.origin == CollectionPosition(section: origin, item: index)
    }
  }

  private func addItems(of open: Set<Int>, to result: inout CollectionChangePositions) {
    var gone = Set<CollectionPosition>()
    for section in open { gone.formUnion((0..<oldCounts[section]).map { .init(section: section, item: $0) }) }
    for (sectionIndex, section) in sections.enumerated() {
      guard let origin = section.origin, open.contains(origin) else { continue }
      for (itemIndex, item) in section.items.enumerated() {
        let position = CollectionPosition(section: sectionIndex, item: itemIndex)
        // An item from a section whose items are not listed is new here.
        guard let old = item.origin, open.contains(old.section), !(item.isMoved && item.isUpdated) else {
          result.insertedItems.append(position)
          continue
        }
        gone.remove(old)
        if item.isMoved {
          result.movedItems.append(.init(from: old, to: position))
        } else if item.isUpdated {
          result.updatedItems.append(old)
        }
      }
    }
    result.removedItems = gone.sorted()
  }
}
