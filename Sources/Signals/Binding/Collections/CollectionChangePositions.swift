/// Where a ``CollectionChangeBatch`` changes something, told all at once.
///
/// What goes, moves or is updated is named by where it was before everything; what comes, and where something moves to, by where it is after
/// everything. What is in a section that comes, goes or is updated is not named by itself. That is what `performBatchUpdates` of table and collection
/// views wants.
public struct CollectionChangePositions: Hashable, Sendable {
  /// From where to where something moves.
  public struct Move<Position: Hashable & Sendable>: Hashable, Sendable {
    /// Where it was before everything.
    public let from: Position
    /// Where it is after everything.
    public let to: Position
  }

  /// Sections that go.
  public internal(set) var removedSections: [Int] = []
  /// Sections that come.
  public internal(set) var insertedSections: [Int] = []
  /// Sections that move and do not change otherwise.
  public internal(set) var movedSections: [Move<Int>] = []
  /// Sections that are replaced.
  public internal(set) var updatedSections: [Int] = []
  /// Items that go.
  public internal(set) var removedItems: [CollectionPosition] = []
  /// Items that come.
  public internal(set) var insertedItems: [CollectionPosition] = []
  /// Items that move and do not change otherwise.
  public internal(set) var movedItems: [Move<CollectionPosition>] = []
  /// Items that are replaced.
  public internal(set) var updatedItems: [CollectionPosition] = []
}

/// Where the items of a collection come from, while operations are applied one after the other.
struct CollectionLayout {
  private struct Item {
    /// Where it was before everything, unless it is new.
    var origin: CollectionPosition?
    var isMoved = false
    var isUpdated = false
  }

  private struct Section {
    /// Where it was before everything, unless it is new.
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

  /// Applies an operation that fits.
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

  /// What has become of the whole.
  func positions() -> CollectionChangePositions {
    var result = CollectionChangePositions()
    // Sections whose items are told one by one: those that stay, or only shift.
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
          // A section that moves and changes is another one.
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

  /// Whether a section has the items that it had, in their order.
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
        // What comes out of a section that is not told item by item is new here.
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
