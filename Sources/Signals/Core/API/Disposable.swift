/// Something that can be ended early: a subscription, scheduled work, or something of your own.
///
/// A ``DisposeBag`` takes anything that conforms. For an action that has no object of its own, use
/// ``Subscription/init(_:)``.
///
/// ```swift
/// import Synchronization
///
/// final class Lamp: Disposable {
///   private let isOut = Atomic(false)
///   func dispose() {
///     if !isOut.exchange(true, ordering: .relaxed) { print("the lamp goes out") }
///   }
///   var isDisposed: Bool { isOut.load(ordering: .relaxed) }
/// }
/// let bag = DisposeBag()
/// Lamp().store(in: bag)
/// ```
public protocol Disposable: AnyObject, Sendable {
  /// Ends it. Calling it again does nothing. Thread-safe.
  func dispose()
  /// Whether it has ended, by `dispose()` or by itself.
  var isDisposed: Bool { get }
}

extension Disposable {
  /// Stores this in a bag, which disposes it when the bag is emptied, closed or released.
  ///
  /// If the bag is closed already, this is disposed at once.
  ///
  /// - Parameter bag: The bag that retains this.
  /// - Complexity: O(1) amortised.
  public func store(in bag: DisposeBag) {
    bag.insert(self)
  }
}
