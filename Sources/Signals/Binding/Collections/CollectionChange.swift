/// What changes in a collection that consists of sections: operations, one after the other.
///
/// Each operation finds what the ones before it have left, so positions need no thought:
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
/// A change is checked as a whole before anything is applied: ``CollectionChangeError`` says which operation is wrong, and why. It is applied to any
/// ``CollectionChangeTarget`` in one batch. Changes can be made of two states, see ``init(from:to:)``, or of a `CollectionDifference`, see
/// ``init(_:inSection:)``.
public struct CollectionChange<Section: CollectionSection>: Sendable {
  /// One thing that changes. Positions are those at the moment when it is this operation's turn.
  public enum Operation: Sendable {
    /// A section comes, in front of the one that has this number.
    case insertSection(Section, at: Int)
    /// A section goes.
    case removeSection(at: Int)
    /// A section moves; it has the second number afterwards.
    case moveSection(from: Int, to: Int)
    /// A section is replaced, with its items.
    case updateSection(Section, at: Int)
    /// An item comes, in front of the one that is there.
    case insertItem(Section.Item, at: CollectionPosition)
    /// An item goes.
    case removeItem(at: CollectionPosition)
    /// An item moves; it is at the second position afterwards.
    case moveItem(from: CollectionPosition, to: CollectionPosition)
    /// An item is replaced.
    case updateItem(Section.Item, at: CollectionPosition)
    /// Everything is replaced.
    case reset([Section])
  }

  /// What is done, in this order.
  public var operations: [Operation]

  /// Makes a change of operations.
  public init(_ operations: [Operation]) {
    self.operations = operations
  }

  /// Makes a change that replaces everything.
  public static func reset(_ sections: [Section]) -> CollectionChange {
    CollectionChange([.reset(sections)])
  }

  /// Makes a change of the items of one section.
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
  ///   - difference: How the items change.
  ///   - section: The number of their section.
  public init(_ difference: CollectionDifference<Section.Item>, inSection section: Int) {
    // It lists removals from the last to the first, then insertions from the first to the last: just as they are done one after the other.
    operations = difference.map { change in
      switch change {
      case .remove(let offset, _, _): .removeItem(at: CollectionPosition(section: section, item: offset))
      case .insert(let offset, let item, _): .insertItem(item, at: CollectionPosition(section: section, item: offset))
      }
    }
  }

  /// Makes a change of the sections as wholes.
  ///
  /// - Parameter difference: How the sections change.
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
  /// Makes the change that leads from one state to another.
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
  /// Sections are the same when their identities are. Of such a section the items that differ change; if anything but items differs, the whole section
  /// is updated. A section that has moved is removed and inserted.
  ///
  /// - Complexity: that of `difference(from:)`, of the sections and of the items of each.
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
    // What stays has the same order on both sides.
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
  /// Makes a change of the operations that are written between brackets.
  public init(arrayLiteral operations: Operation...) {
    self.init(operations)
  }
}

extension CollectionChange.Operation: CustomStringConvertible {
  /// What is done and where, without the items and sections.
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
