/// Something that can be ended early.
public protocol Disposable: AnyObject, Sendable {
  /// Ends it. Calling it again does nothing; it may be called from any thread.
  func dispose()
  /// Whether it has ended, by `dispose()` or by itself.
  var isDisposed: Bool { get }
}

extension Disposable {
  /// Keeps this in a bag, which disposes it when the bag is emptied or released.
  public func store(in bag: DisposeBag) {
    bag.insert(self)
  }
}
