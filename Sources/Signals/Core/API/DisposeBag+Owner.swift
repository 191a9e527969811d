#if canImport(ObjectiveC)
  import ObjectiveC
  import Synchronization
#endif

/// An object with a bag for the subscriptions that end with it.
///
/// `subscribe(with:)` stores its subscriptions in that bag, so they are freed as soon as the object is deallocated, on
/// every platform:
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
/// Only the object should retain its bag. If something else retains it too, the closures are still not called after the
/// object is deallocated, but each subscription is freed, and leaves the count of subscribers, only with the next value
/// that reaches it, or with the bag.
public protocol DisposeBagOwner: AnyObject, Sendable {
  /// The bag, always the same one.
  var disposeBag: DisposeBag { get }
}

extension DisposeBag {
  /// Creates an empty bag that is closed after an object is deallocated, even if the bag is still retained.
  ///
  /// Like any bag it has to be retained, and disposes everything when it is released. If only the owner retains it,
  /// that happens as soon as the owner is deallocated. If something else retains it, it is closed as soon as the owner
  /// is deallocated on Apple platforms. Elsewhere it is closed when the `subscriberCount` of any emitter or property, a
  /// snapshot or a leak check is requested, or as more subscriptions and bags are bound to owners. Until it is closed,
  /// the subscriptions in it continue to receive values, and ``isDisposed`` is false. For subscriptions that must not
  /// be called after the owner's end, use `subscribe(with:)`.
  ///
  /// - Parameter owner: The object, referenced weakly.
  public convenience init(owner: some AnyObject & Sendable) {
    self.init()
    OwnerBond(owner, isOfBag: true).end(self)
  }
}

#if canImport(ObjectiveC)
  extension DisposeBag {
    // Safe: a constant address that is never dereferenced.
    nonisolated(unsafe) private static let key = UnsafeRawPointer(
      UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
    private static let lock = Mutex(())

    /// The bag attached to an object and released with it.
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
