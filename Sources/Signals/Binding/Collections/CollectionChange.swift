/// A change of a sectioned collection: a sequence of operations.
///
/// Each operation applies to the result of the ones before it:
///
/// ```swift
/// var fruits: [ItemSection<String>] = [["apple", "cherry"]]
/// try fruits.apply([
///   .insertItem("banana", at: CollectionPosition(section: 0, item: 1)),
///   .removeItem(at: CollectionPosition(section: 0, item: 2)),
///   .insertSection(["leek"], at: 1),
/// ])
/// print(fruits.map(\.items))  // [["apple", "banana"], ["leek"]]
/// ```
///
/// A change is validated as a whole before it is applied: ``CollectionChangeError`` describes the invalid operation and
/// the reason. It is applied to any ``CollectionChangeTarget`` in one batch. Changes can be created from two states,
/// see ``init(from:to:)``, or from a `CollectionDifference`, see ``init(_:inSection:)``.
public struct CollectionChange<Section: CollectionSection>: Sendable {
  /// One operation. Its positions refer to the state after the operations before it.
  public enum Operation: Sendable {
    /// Inserts a section in front of the one with this number.
    case insertSection(Section, at: Int)
    /// Removes a section.
    case removeSection(at: Int)
    /// Moves a section; the second number is its new one.
    case moveSection(from: Int, to: Int)
    /// Replaces a section, with its items.
    case updateSection(Section, at: Int)
    /// Inserts an item in front of the one at this position.
    case insertItem(Section.Item, at: CollectionPosition)
    /// Removes an item.
    case removeItem(at: CollectionPosition)
    /// Moves an item; the second position is its new one.
    case moveItem(from: CollectionPosition, to: CollectionPosition)
    /// Replaces an item.
    case updateItem(Section.Item, at: CollectionPosition)
    /// Replaces everything.
    case reset([Section])
  }

  /// The operations, in the order of their application.
  public var operations: [Operation]

  /// Creates a change from operations.
  public init(_ operations: [Operation]) {
    self.operations = operations
  }

  /// Creates a change that replaces everything.
  public static func reset(_ sections: [Section]) -> CollectionChange {
    CollectionChange([.reset(sections)])
  }

  /// Creates a change of the items of one section.
  ///
  /// ```swift
  /// let (old, new) = (["a", "b", "c"], ["a", "c", "d"])
  /// var sections = [ItemSection(old)]
  /// try sections.apply(CollectionChange(new.difference(from: old), inSection: 0))
  /// print(sections[0].items)
  /// ```
  ///
  /// A move that the difference infers becomes a removal and an insertion.
  ///
  /// - Parameters:
  ///   - difference: The difference of the items.
  ///   - section: The number of their section.
  public init(_ difference: CollectionDifference<Section.Item>, inSection section: Int) {
    // It lists removals from the last to the first, then insertions from the first to the last, which is the order of
    // their application.
    operations = difference.map { change in
      switch change {
      case .remove(let offset, _, _): .removeItem(at: CollectionPosition(section: section, item: offset))
      case .insert(let offset, let item, _): .insertItem(item, at: CollectionPosition(section: section, item: offset))
      }
    }
  }

  /// Creates a change of whole sections.
  ///
  /// - Parameter difference: The difference of the sections.
  public init(sections difference: CollectionDifference<Section>) {
    operations = difference.map { change in
      switch change {
      case .remove(let offset, _, _): .removeSection(at: offset)
      case .insert(let offset, let section, _): .insertSection(section, at: offset)
      }
    }
  }
}

extension CollectionChange where Section: Identifiable & Equatable, Section.Item: Equatable {
  /// Creates the change that leads from one state to another.
  ///
  /// ```swift
  /// struct Shelf: CollectionSection, Identifiable, Equatable {
  ///   let id: String
  ///   var items: [String]
  /// }
  /// let old = [Shelf(id: "fruit", items: ["apple"])]
  /// let new = [Shelf(id: "nuts", items: []), Shelf(id: "fruit", items: ["apple", "fig"])]
  /// var shelves = old
  /// try shelves.apply(CollectionChange(from: old, to: new))
  /// print(shelves == new)
  /// ```
  ///
  /// Sections are matched by identity. Of a matched section, the items that differ are changed; if anything but items
  /// differs, the whole section is updated. A section that has moved is removed and inserted.
  ///
  /// - Complexity: that of `difference(from:)`, for the sections and for the items of each.
  public init(from old: [Section], to new: [Section]) {
    let difference = new.difference(from: old) { $0.id == $1.id }
    self.init(sections: difference)
    var (removed, inserted) = (Set<Int>(), Set<Int>())
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    // Matched sections have the same order on both sides.
    let kept = zip(old.indices.filter { !removed.contains($0) }, new.indices.filter { !inserted.contains($0) })
    for (before, after) in kept where old[before] != new[after] {
      var section = old[before]
      section.items = new[after].items
      if section == new[after] {
        let items = new[after].items.difference(from: old[before].items)
        operations += CollectionChange(items, inSection: after).operations
      } else {
        operations.append(.updateSection(new[after], at: after))
      }
    }
  }
}

extension CollectionChange: ExpressibleByArrayLiteral {
  /// Creates a change from an array literal of operations.
  public init(arrayLiteral operations: Operation...) {
    self.init(operations)
  }
}

extension CollectionChange.Operation: CustomStringConvertible {
  /// The operations and their positions, without the items and sections.
  public var description: String {
    switch self {
    case .insertSection(_, let index): "insertSection(at: \(index))"
    case .removeSection(let index): "removeSection(at: \(index))"
    case .moveSection(let from, let to): "moveSection(from: \(from), to: \(to))"
    case .updateSection(_, let index): "updateSection(at: \(index))"
    case .insertItem(_, let position): "insertItem(at: \(position))"
    case .removeItem(let position): "removeItem(at: \(position))"
    case .moveItem(let from, let to): "moveItem(from: \(from), to: \(to))"
    case .updateItem(_, let position): "updateItem(at: \(position))"
    case .reset(let sections): "reset(to \(sections.count) sections)"
    }
  }
}
