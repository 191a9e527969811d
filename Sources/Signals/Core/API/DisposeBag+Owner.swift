#if canImport(ObjectiveC)
  import ObjectiveC
  import Synchronization
#endif

/// An object that keeps a bag for the subscriptions that end with it.
///
/// Subscriptions made with `subscribe(with:)` are kept in that bag, so they are freed as soon as the object goes, on every platform:
///
/// ```swift
/// final class SearchModel: DisposeBagOwner {
///   let disposeBag = DisposeBag()
///
///   init(_ keys: Signal<String>) {
///     keys.subscribe(with: self) { model, text in model.search(for: text) }
///   }
///
///   func search(for text: String) { print("searching for \(text)") }
/// }
/// ```
///
/// The object should be the only one to keep its bag. If something else keeps it too, the closures are still not called after the object's
/// end, but each subscription is freed, and leaves the count of subscribers, only with the next value that reaches it, or with the bag.
public protocol DisposeBagOwner: AnyObject, Sendable {
  /// The bag, always the same one.
  var disposeBag: DisposeBag { get }
}

extension DisposeBag {
  /// Makes an empty bag that is closed after an object has gone, whoever keeps the bag.
  ///
  /// Like any bag it has to be kept, and disposes everything when it is released. If only the owner keeps it, that happens as soon as the owner
  /// goes. If something else keeps it, it is closed as soon as the owner goes on Apple platforms; elsewhere it is closed when the
  /// `subscriberCount` of any emitter or property, a snapshot or a leak check is asked for, or as more subscriptions and bags are bound to
  /// owners. Until it is closed, the subscriptions in it go on receiving values, and ``isDisposed`` is false. For subscriptions that must not
  /// be called after the owner's end, use `subscribe(with:)`.
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
