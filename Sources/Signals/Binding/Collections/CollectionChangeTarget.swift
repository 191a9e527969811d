/// Something that a ``CollectionChange`` can be applied to: an array of sections is one, a table view another.
///
/// A target says how many items it has, and applies what was found to fit. This one shows what it is told:
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
  /// How many items each section has now.
  var itemCounts: [Int] { get }
  /// Applies a batch that fits ``itemCounts``, as a whole.
  mutating func apply(_ batch: CollectionChangeBatch<Section>)
}

extension CollectionChangeTarget {
  /// Checks a change, and applies it as a whole if it fits.
  ///
  /// - Parameter change: The change.
  /// - Throws: ``CollectionChangeError`` if it does not fit; then nothing was changed.
  public mutating func apply(_ change: CollectionChange<Section>) throws(CollectionChangeError) {
    apply(try CollectionChangeBatch(change, itemCounts: itemCounts))
  }
}

extension CollectionChangeTarget where Self: AnyObject {
  /// Checks a change, and applies it as a whole if it fits.
  ///
  /// - Parameter change: The change.
  /// - Throws: ``CollectionChangeError`` if it does not fit; then nothing was changed.
  public func apply(_ change: CollectionChange<Section>) throws(CollectionChangeError) {
    var target = self
    target.apply(try CollectionChangeBatch(change, itemCounts: itemCounts))
  }
}

extension Array: CollectionChangeTarget where Element: CollectionSection {
  /// How many items each section has.
  public var itemCounts: [Int] { map(\.items.count) }

  /// Does the operations of a batch, one after the other.
  public mutating func apply(_ batch: CollectionChangeBatch<Element>) {
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
