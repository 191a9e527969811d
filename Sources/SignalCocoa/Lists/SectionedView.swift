public import Signals

/// A view that shows sections of items: a table view, a collection view, or a view of yours. ``SectionedContent`` tells it what changes.
@MainActor
public protocol SectionedView: AnyObject {
  /// Asks for everything anew.
  func showAnew()
  /// Runs a closure that changes the content and tells what changes, all at once.
  func showChanges(_ changes: @escaping () -> Void)
  /// Tells what changes. Called inside ``showChanges(_:)``.
  func show(_ positions: CollectionChangePositions)
}

/// The sections that a view shows, and their changes.
///
/// The data source of the view reads ``sections``. The content keeps the view weakly.
///
/// ```swift
/// import SignalCocoa
/// import Signals
///
/// @MainActor func show<View: SectionedView>(_ changes: Signal<CollectionChange<ItemSection<String>>>, in view: View) {
///   let content = SectionedContent<ItemSection<String>>(of: view, showing: [["tea"]])
///   content.follow(changes)
/// }
/// ```
///
/// A change is checked as a whole, and shown in one batch, in which the view sees the old sections before and the new ones after. Where everything is
/// replaced, the view asks for everything anew.
@MainActor
public final class SectionedContent<Section: CollectionSection> {
  /// What the view shows now.
  public private(set) var sections: [Section]
  private weak var view: (any SectionedView)?

  /// Makes the content of a view. The view asks for everything anew.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - sections: What it shows first.
  public init(of view: some SectionedView, showing sections: [Section] = []) {
    self.view = view
    self.sections = sections
    view.showAnew()
  }

  /// Applies each change, for as long as this content lives.
  ///
  /// - **Errors:** a change that does not fit is not applied, and its `CollectionChangeError` goes to `UnhandledFailure.handler`,
  ///   like any failure; it ends the binding.
  /// - **Order and threads:** in the order of the signal, on the main actor.
  /// - Parameter changes: What changes.
  /// - Returns: The binding, to end it earlier.
  @discardableResult
  public func follow(
    _ changes: Signal<CollectionChange<Section>>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Subscription {
    // Above the closure of the main actor, as only operators make failures of errors.
    changes.receive(on: .mainImmediate, fileID: fileID, line: line, function: function)
      .compactMap { [weak self] change in
        try MainActor.assumeIsolated { try self?.apply(change) }
      }
      .subscribe(onMainWith: self, fileID: fileID, line: line, function: function) { _, _ in }
  }

  /// Shows a state: what differs from the present one changes.
  ///
  /// - Parameter sections: The new state.
  public func show(_ sections: [Section]) where Section: Identifiable & Equatable, Section.Item: Equatable {
    do {
      try apply(CollectionChange(from: self.sections, to: sections))
    } catch {
      // Sections that share an identity have no such change.
      self.sections = sections
      view?.showAnew()
    }
  }

  /// Applies a change.
  ///
  /// - Throws: `CollectionChangeError` if it does not fit; then nothing was changed.
  public func apply(_ change: CollectionChange<Section>) throws(CollectionChangeError) {
    let batch = try CollectionChangeBatch(change, itemCounts: sections.itemCounts)
    guard !batch.operations.isEmpty else { return }
    guard let view, !batch.isReset else {
      sections.apply(batch)
      view?.showAnew()
      return
    }
    let positions = batch.positions()
    view.showChanges { [self] in
      sections.apply(batch)
      view.show(positions)
    }
  }
}
