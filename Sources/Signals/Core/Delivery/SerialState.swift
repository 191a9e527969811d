/// State that belongs to one subscription and is touched only while a value or the end is being delivered to it.
///
/// An operator makes one for each subscription and captures it in its closures.
@usableFromInline
final class SerialState<State>: @unchecked Sendable {
  // Safe: deliveries to one subscription never overlap, and one happens before the next (law 3); nothing else has the state. For the same
  // reason a dynamic exclusivity check could not find anything.

  /// The state.
  @exclusivity(unchecked) @usableFromInline var value: State

  /// Makes the state.
  @inlinable
  init(_ value: State) {
    self.value = value
  }
}
