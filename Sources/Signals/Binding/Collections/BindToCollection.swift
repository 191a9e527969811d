extension Signal {
  /// Applies each change to an object, as long as the object lives.
  ///
  /// ```swift
  /// import Synchronization
  ///
  /// final class List: CollectionChangeTarget, Sendable {
  ///   private let sections = Mutex<[ItemSection<String>]>([[]])
  ///   var itemCounts: [Int] { sections.withLock { $0.itemCounts } }
  ///   func apply(_ batch: CollectionChangeBatch<ItemSection<String>>) throws(CollectionChangeError) {
  ///     try sections.withLock { sections throws(CollectionChangeError) in try sections.apply(batch) }
  ///   }
  /// }
  /// let list = List()
  /// let changes = Emitter<CollectionChange<ItemSection<String>>>()
  /// changes.signal.bind(to: list)
  /// changes.send([.insertItem("tea", at: CollectionPosition(section: 0, item: 0))])
  /// print(list.itemCounts)  // [1]
  /// ```
  ///
  /// The object is referenced weakly: the binding ends with it, as ``subscribe(with:fileID:line:function:_:)-67s1a``
  /// does with its owner. So the result need not be stored.
  ///
  /// - **Errors:** an invalid change ends the binding: its ``CollectionChangeError``, like any failure, goes to
  ///   ``UnhandledFailure/handler``. No part of that change is applied.
  /// - **Ends:** with this signal, or with the object.
  /// - **Order and threads:** changes are applied in the order of this signal, on the thread that delivers them.
  /// - Parameter target: The object to apply the changes to.
  /// - Returns: The binding, to end it earlier.
  @discardableResult
  public func bind<Target: CollectionChangeTarget & AnyObject & Sendable>(
    to target: Target,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Subscription where Value == CollectionChange<Target.Section> {
    start(SubscriptionSite(fileID, line, function), boundTo: target) { target, change in try target.apply(change) }
      .retained()
  }

  /// Applies each change, on the main queue, to a main actor object, as long as the object lives.
  ///
  /// ```swift
  /// @MainActor final class Table: @MainActor CollectionChangeTarget {
  ///   private var sections: [ItemSection<String>] = [[]]
  ///   var itemCounts: [Int] { sections.itemCounts }
  ///   func apply(_ batch: CollectionChangeBatch<ItemSection<String>>) throws(CollectionChangeError) {
  ///     try sections.apply(batch)
  ///   }
  /// }
  ///
  /// @MainActor func show(_ changes: Signal<CollectionChange<ItemSection<String>>>, in table: Table) {
  ///   changes.bind(onMainTo: table)
  /// }
  /// ```
  ///
  /// The object is referenced weakly. It need not be `Sendable`, and its conformance may be isolated to the main actor.
  /// The binding ends once the object is deallocated, with the next change at the latest, so the result need not be
  /// stored.
  ///
  /// - **Errors:** an invalid change ends the binding: its ``CollectionChangeError``, like any failure, goes to
  ///   ``UnhandledFailure/handler``. No part of that change is applied.
  /// - **Ends:** with this signal, or with the object.
  /// - **Order and threads:** changes are applied in the order of this signal: at once if they come on the main queue
  ///   and no earlier one is waiting for it, else through the main queue, see ``Scheduler/mainImmediate``.
  /// - Parameter target: The object to apply the changes to.
  /// - Returns: The binding, to end it earlier.
  @MainActor
  @discardableResult
  public func bind<Target: CollectionChangeTarget & AnyObject>(
    onMainTo target: Target,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Subscription where Value == CollectionChange<Target.Section> {
    receive(on: .mainImmediate, fileID: fileID, line: line, function: function)
      .start(onMainWith: target, SubscriptionSite(fileID, line, function)) { target, change in
        try target.apply(change)
      }
  }
}
