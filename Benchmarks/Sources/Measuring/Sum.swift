/// Where results end up, so that no work can be optimised away.
public final class Sum: @unchecked Sendable {
  // Safe: each benchmark delivers on one thread at a time, and one delivery happens before the next. For the same reason a dynamic
  // exclusivity check could not find anything.
  @exclusivity(unchecked) @usableFromInline var stored = 0

  /// Makes an empty sum.
  @inlinable
  public init() {}

  /// The sum of now.
  @inlinable
  public var value: Int {
    get { stored }
    set { stored = newValue }
  }
}
