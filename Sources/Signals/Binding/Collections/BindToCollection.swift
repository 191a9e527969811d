extension Signal {
  /// Applies each change to an object, for as long as the object lives.
  ///
  /// ```swift
  /// import Synchronization
  ///
  /// final class List: CollectionChangeTarget, Sendable {
  ///   private let sections = Mutex<[ItemSection<String>]>([[]])
  ///   var itemCounts: [Int] { sections.withLock { $0.itemCounts } }
  ///   func apply(_ batch: CollectionChangeBatch<ItemSection<String>>) { sections.withLock { $0.apply(batch) } }
  /// }
  /// let list = List()
  /// let changes = Emitter<CollectionChange<ItemSection<String>>>()
  /// changes.signal.bind(to: list)
  /// changes.send([.insertItem("tea", at: CollectionPosition(section: 0, item: 0))])
  /// print(list.itemCounts)  // [1]
  /// ```
  ///
  /// The object is held weakly: the binding ends with it, as ``subscribe(with:fileID:line:function:_:)-67s1a`` does with its owner. So the result
  /// need not be kept.
  ///
  /// - **Errors:** a change that does not fit ends the binding: its ``CollectionChangeError``, like any failure, goes to
  ///   ``UnhandledFailure/handler``. Nothing of that change is applied.
  /// - **Ends:** with this signal, or with the object.
  /// - **Order and threads:** changes are applied in the order of this signal, on the thread that delivers them.
  /// - Parameter target: What the changes are applied to.
  /// - Returns: The binding, to end it earlier.
  @discardableResult
  public func bind<Target: CollectionChangeTarget & AnyObject & Sendable>(
    to target: Target,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Subscription where Value == CollectionChange<Target.Section> {
    start(SubscriptionSite(fileID, line, function), boundTo: target) { target, change in try target.apply(change) }
      .retained()
  }
}
