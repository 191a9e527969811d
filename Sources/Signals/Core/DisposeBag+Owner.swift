#if canImport(ObjectiveC)
  import ObjectiveC
  import Synchronization
#endif

/// An object that keeps a bag for the subscriptions that end with it.
///
/// What is bound to it with `subscribe(with:)` is in that bag, so it is freed as soon as the object goes, on every platform:
///
/// ```swift
/// final class SearchModel: DisposeBagOwner {
///   let disposeBag = DisposeBag()
///
///   init(_ keys: Signal<String>) {
///     keys.subscribe(with: self) { model, text in model.search(text) }
///   }
/// }
/// ```
///
/// The object should be the only one to keep its bag: what others keep too ends later, as without a bag.
public protocol DisposeBagOwner: AnyObject, Sendable {
  /// The bag, always the same one.
  var disposeBag: DisposeBag { get }
}

extension DisposeBag {
  /// Makes an empty bag that is closed when an object goes, whoever keeps the bag.
  ///
  /// Like any bag it has to be kept, and disposes everything when it is released: if the owner is who keeps it, that is at once. Kept by
  /// somebody else, it is closed at once on Apple platforms; elsewhere when a count of subscribers, a snapshot or a check for leaks is asked
  /// for, and as more subscriptions and bags are bound to owners.
  ///
  /// - Parameter owner: The object, which is held weakly.
  public convenience init(owner: some AnyObject & Sendable) {
    self.init()
    OwnerBond(owner).end(self)
  }
}

#if canImport(ObjectiveC)
  extension DisposeBag {
    // Safe: a constant address, which nobody reads or writes through.
    nonisolated(unsafe) private static let key = UnsafeRawPointer(
      UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
    private static let lock = Mutex(())

    /// The bag that an object carries with it, and that goes when the object goes.
    static func carried(by owner: AnyObject) -> DisposeBag {
      lock.withLock { _ in
        if let bag = objc_getAssociatedObject(owner, key) as? DisposeBag { return bag }
        let bag = DisposeBag()
        objc_setAssociatedObject(owner, key, bag, .OBJC_ASSOCIATION_RETAIN)
        return bag
      }
    }
  }
#endif
