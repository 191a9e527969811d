#if canImport(UIKit) && !os(watchOS)
  import Foundation
  public import Signals
  public import UIKit

  extension UITableView: SectionedView {
    /// Reloads everything from the data source.
    public func showAnew() { reloadData() }

    /// Runs a closure as a batch of updates, which the table view animates.
    public func showChanges(_ changes: @escaping () -> Void) { performBatchUpdates(changes, completion: nil) }

    /// Reports changes, with the system's animations.
    public func show(_ positions: CollectionChangePositions) {
      deleteSections(IndexSet(positions.removedSections), with: .automatic)
      insertSections(IndexSet(positions.insertedSections), with: .automatic)
      reloadSections(IndexSet(positions.updatedSections), with: .automatic)
      for move in positions.movedSections { moveSection(move.from, toSection: move.to) }
      deleteRows(at: positions.removedItems.map(IndexPath.init), with: .automatic)
      insertRows(at: positions.insertedItems.map(IndexPath.init), with: .automatic)
      reloadRows(at: positions.updatedItems.map(IndexPath.init), with: .automatic)
      for move in positions.movedItems { moveRow(at: IndexPath(move.from), to: IndexPath(move.to)) }
    }
  }

  extension UICollectionView: SectionedView {
    /// Reloads everything from the data source.
    public func showAnew() { reloadData() }

    /// Runs a closure as a batch of updates, which the collection view animates.
    public func showChanges(_ changes: @escaping () -> Void) { performBatchUpdates(changes, completion: nil) }

    /// Reports changes.
    public func show(_ positions: CollectionChangePositions) {
      deleteSections(IndexSet(positions.removedSections))
      insertSections(IndexSet(positions.insertedSections))
      reloadSections(IndexSet(positions.updatedSections))
      for move in positions.movedSections { moveSection(move.from, toSection: move.to) }
      deleteItems(at: positions.removedItems.map(IndexPath.init))
      insertItems(at: positions.insertedItems.map(IndexPath.init))
      reloadItems(at: positions.updatedItems.map(IndexPath.init))
      for move in positions.movedItems { moveItem(at: IndexPath(move.from), to: IndexPath(move.to)) }
    }
  }

  extension IndexPath {
    fileprivate init(_ position: CollectionPosition) { self.init(item: position.item, section: position.section) }
  }
#endif
