/// A value that changes, and that can be read and watched: a ``Property`` or a ``ReadOnlyProperty``.
///
/// What is derived of one is a property again, read-only, with the same law (law 12): ``map(fileID:line:function:_:)``,
/// ``combined(with:fileID:line:function:)`` and ``removingDuplicates(fileID:line:function:)``.
///
/// ```swift
/// let bag = DisposeBag()
/// let price = Property(3)
/// let count = Property(2)
/// let sum = price.combined(with: count).map { price, count in price * count }
/// print(sum.value)  // 6
/// sum.signal.subscribe { print("\($0) €") }.store(in: bag)  // Prints 6 € at once.
/// count.value = 3  // Prints 9 €.
/// ```
///
/// Write a parameter as `some ReadableProperty<Int>` where either kind will do.
public protocol ReadableProperty<Value>: Sendable {
  associatedtype Value: Sendable
  /// The current value.
  var value: Value { get }
  /// The current value first, then every change.
  var signal: Signal<Value> { get }
  /// Every change from now on, without the current value.
  var changes: Signal<Value> { get }
  /// A view that can be read and subscribed to, but not written.
  var readOnly: ReadOnlyProperty<Value> { get }
}

extension Property: ReadableProperty {}
