/// State of one subscription that is touched only while a value or the end is being delivered to it.
///
/// An operator creates one for each subscription and captures it in its closures. Debug builds check that no two
/// accesses overlap, on one thread or on two: so they also find an operator created with ``Signal/unsafeLift(_:_:)``
/// that breaks law 3 above another one.
// Safe: deliveries to one subscription never overlap, and one happens before the next (law 3); nothing else has the state. For the same
// reason a dynamic exclusivity check could not find anything.
@usableFromInline
class SerialState<State>: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline final var stored: State
  @usableFromInline final let access = ExclusiveUse()

  /// Creates the state.
  @inlinable
  init(_ value: State) {
    stored = value
  }

  /// The state.
  @inlinable final var value: State {
    @inline(__always)
    _read {
      beginAccess()
      defer { endAccess() }
      yield stored
    }
    @inline(__always)
    _modify {
      beginAccess()
      defer { endAccess() }
      yield &stored
    }
  }

  @inlinable
  @inline(__always)
  final func beginAccess() { access.begin("deliveries to one subscription do not overlap (law 3)") }

  @inlinable
  @inline(__always)
  final func endAccess() { access.end("deliveries to one subscription do not overlap (law 3)") }
}
