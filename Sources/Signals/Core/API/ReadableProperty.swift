/// A value that changes, with read and subscribe access: a ``Property`` or a ``ReadOnlyProperty``.
///
/// A property derived from it is read-only and obeys the same law (law 12): ``map(fileID:line:function:_:)``,
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
/// Write a parameter as `some ReadableProperty<Int>` to accept both.
public protocol ReadableProperty<Value>: Sendable {
  associatedtype Value: Sendable
  /// The current value.
  var value: Value { get }
  /// The current value first, then every change.
  var signal: Signal<Value> { get }
  /// Every change from now on, without the current value.
  var changes: Signal<Value> { get }
  /// A read-only view, which can be read and subscribed to.
  var readOnly: ReadOnlyProperty<Value> { get }
}

extension Property: ReadableProperty {}
