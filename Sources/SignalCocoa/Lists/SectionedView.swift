public import Signals

/// A view that shows sections of items: a table view, a collection view, or a custom view. ``SectionedContent`` reports
/// changes to it.
@MainActor
public protocol SectionedView: AnyObject {
  /// Reloads everything.
  func showAnew()
  /// Runs a closure that changes the content and reports the changes, as one batch.
  func showChanges(_ changes: @escaping () -> Void)
  /// Reports changes. Called inside ``showChanges(_:)``.
  func show(_ positions: CollectionChangePositions)
}

/// The sections that a view shows, and their changes.
///
/// The data source of the view reads ``sections``. The content references the view weakly.
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
/// A change is validated as a whole, and shown in one batch, in which the view sees the old sections before and the new
/// ones after. If everything is replaced, the view reloads everything.
@MainActor
public final class SectionedContent<Section: CollectionSection> {
  /// The current sections of the view.
  public private(set) var sections: [Section]
  private weak var view: (any SectionedView)?

  /// Creates the content of a view. The view reloads everything.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - sections: The first sections.
  public init(of view: some SectionedView, showing sections: [Section] = []) {
    self.view = view
    self.sections = sections
    view.showAnew()
  }

  /// Applies each change, as long as this content lives.
  ///
  /// - **Errors:** an invalid change is not applied, and its `CollectionChangeError` goes to
  ///   `UnhandledFailure.handler`, like any failure; it ends the binding.
  /// - **Order and threads:** in the order of the signal, on the main actor.
  /// - Parameter changes: The changes.
  /// - Returns: The binding, to end it earlier.
  @discardableResult
  public func follow(
    _ changes: Signal<CollectionChange<Section>>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Subscription {
    // Above the main actor closure, as only operators turn errors into failures.
    changes.receive(on: .mainImmediate, fileID: fileID, line: line, function: function)
      .compactMap { [weak self] change in
        try MainActor.assumeIsolated { try self?.apply(change) }
      }
      .subscribe(onMainWith: self, fileID: fileID, line: line, function: function) { _, _ in }
  }

  /// Shows a state: the differences from the current one are applied.
  ///
  /// - Parameter sections: The new state.
  public func show(_ sections: [Section]) where Section: Identifiable & Equatable, Section.Item: Equatable {
    do {
      try apply(CollectionChange(from: self.sections, to: sections))
    } catch {
      // Sections with duplicate identities have no such change.
      self.sections = sections
      view?.showAnew()
    }
  }

  /// Applies a change.
  ///
  /// - Throws: `CollectionChangeError` if it is invalid; then nothing was changed.
  public func apply(_ change: CollectionChange<Section>) throws(CollectionChangeError) {
    let batch = try CollectionChangeBatch(change, itemCounts: sections.itemCounts)
    guard !batch.operations.isEmpty else { return }
    guard let view, !batch.isReset else {
      try sections.apply(batch)
      view?.showAnew()
      return
    }
    let positions = batch.positions()
    var failure: CollectionChangeError?
    view.showChanges { [self] in
      do throws(CollectionChangeError) {
        // It is invalid if the view applied another change first.
        try sections.apply(batch)
        view.show(positions)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
