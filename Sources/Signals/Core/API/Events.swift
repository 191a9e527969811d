/// An object that offers its signals below `events`.
///
/// Declare the conformance, then add signals in an extension of ``Events``:
///
/// ```swift
/// final class Player: Sendable, EventSource {
///   let position = Property(0)
///   func onEnd(_ action: @escaping @Sendable () -> Void) {}
/// }
///
/// extension Events where Base == Player {
///   /// Whether the player is past its first minute.
///   var isPastFirstMinute: Signal<Bool> { base.position.signal.map { $0 > 60 }.removeDuplicates() }
///
///   /// The end, once.
///   var end: Signal<Void> {
///     let player = base
///     return Signal { producer in
///       player.onEnd {
///         producer.send()
///         producer.finish()
///       }
///     }
///   }
/// }
///
/// let player = Player()
/// let subscription = player.events.isPastFirstMinute.subscribe { print($0) }
/// ```
///
/// This separates the object's own members from its signals, and avoids name conflicts between libraries. The page
/// <doc:EventsOfYourOwn> shows callbacks, delegates, static signals and generic bases.
public protocol EventSource {}

extension EventSource {
  /// The signals of this object.
  public var events: Events<Self> { Events(self) }
  /// The signals of this type.
  public static var events: Events<Self>.Type { Events<Self>.self }
}

/// The signals of an object: extensions of this type add them. See ``EventSource``.
public struct Events<Base> {
  /// The object that is observed.
  public let base: Base

  /// Wraps an object whose type is not an ``EventSource``.
  ///
  /// - Parameter base: The object that is observed.
  public init(_ base: Base) { self.base = base }
}

extension Events: Sendable where Base: Sendable {}
