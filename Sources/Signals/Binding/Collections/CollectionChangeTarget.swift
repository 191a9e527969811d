/// A type that a ``CollectionChange`` can be applied to, such as an array of sections or a table view.
///
/// A target returns its numbers of items, and applies validated batches. This one prints them:
///
/// ```swift
/// final class Log: CollectionChangeTarget {
///   var itemCounts = [1, 2]
///
///   func apply(_ batch: CollectionChangeBatch<ItemSection<String>>) {
///     let positions = batch.positions()
///     print("gone: \(positions.removedItems), new: \(positions.insertedItems)")
///     itemCounts = batch.itemCountsAfter
///   }
/// }
/// let log = Log()
/// try log.apply([.removeItem(at: CollectionPosition(section: 1, item: 0))])
/// ```
public protocol CollectionChangeTarget<Section> {
  associatedtype Section: CollectionSection
  /// The current number of items in each section.
  var itemCounts: [Int] { get }
  /// Applies a batch, as a whole.
  ///
  /// The batch was valid for ``itemCounts`` a moment ago. Another thread may have changed the target since; a target
  /// that allows this throws if the batch is no longer valid, as an array does.
  mutating func apply(_ batch: CollectionChangeBatch<Section>) throws(CollectionChangeError)
}

extension CollectionChangeTarget {
  /// Validates a change, and applies it as a whole if it is valid.
  ///
  /// - Parameter change: The change.
  /// - Throws: ``CollectionChangeError`` if it is invalid; then nothing was changed.
  public mutating func apply(_ change: CollectionChange<Section>) throws(CollectionChangeError) {
    try apply(CollectionChangeBatch(change, itemCounts: itemCounts))
  }
}

extension CollectionChangeTarget where Self: AnyObject {
  /// Validates a change, and applies it as a whole if it is valid.
  ///
  /// - Parameter change: The change.
  /// - Throws: ``CollectionChangeError`` if it is invalid; then nothing was changed.
  public func apply(_ change: CollectionChange<Section>) throws(CollectionChangeError) {
    var target = self
    try target.apply(CollectionChangeBatch(change, itemCounts: itemCounts))
  }
}

extension Array: CollectionChangeTarget where Element: CollectionSection {
  /// The number of items in each section.
  public var itemCounts: [Int] { map(\.items.count) }

  /// Applies the operations of a batch, one after the other.
  ///
  /// - Throws: ``CollectionChangeError`` if the batch was made for other sections and is invalid for these; then nothing
  ///   was changed.
  public mutating func apply(_ batch: CollectionChangeBatch<Element>) throws(CollectionChangeError) {
    if batch.itemCountsBefore != itemCounts {
      _ = try CollectionChangeBatch(CollectionChange(batch.operations), itemCounts: itemCounts)
    }
    for operation in batch.operations { apply(operation) }
  }

  private mutating func apply(_ operation: CollectionChange<Element>.Operation) {
    switch operation {
    case .insertSection(let section, let index): insert(section, at: index)
    case .removeSection(let index): remove(at: index)
    case .moveSection(let from, let to): insert(remove(at: from), at: to)
    case .updateSection(let section, let index): self[index] = section
    case .insertItem(let item, let position): self[position.section].items.insert(item, at: position.item)
    case .removeItem(let position): self[position.section].items.remove(at: position.item)
    case .moveItem(let from, let to):
      let item = self[from.section].items.remove(at: from.item)
      self[to.section].items.insert(item, at: to.item)
    case .updateItem(let item, let position): self[position.section].items[position.item] = item
    case .reset(let sections): self = sections
    }
  }
}
