/// The identity of a subscriber, in addition to its location.
// Safe: this class has no state; each subclass argues for its own.
@usableFromInline
class SubscriberTag: @unchecked Sendable {
  /// The name given with ``Signal/named(_:)``.
  var name: String? { nil }
  /// The type of the object that it ends with, while that is alive.
  var ownerName: String? { nil }

  /// The tag without the name.
  var unnamed: SubscriberTag? { self }

  /// Ends the subscription if it was made for an object.
  ///
  /// - Parameter owner: The object, which its caller retains.
  func end(ifOwnedBy owner: AnyObject) {}

  /// Notes that a subscription with this tag was ended without an event. Called without a lock.
  func inputHasLeft() {}

  /// Notes that one of an operator's inputs has ended: its last values may still wait below. Called without a lock.
  func inputHasEnded() {}
}

/// The tag of a named subscriber.
// Safe: everything is constant.
final class NamedTag: SubscriberTag, @unchecked Sendable {
  private let givenName: String
  private let tag: SubscriberTag?

  /// Adds a name to a subscriber's tag.
  init(_ name: String, _ tag: SubscriberTag?) {
    givenName = name
    self.tag = tag
  }

  override var name: String? { givenName }
  override var ownerName: String? { tag?.ownerName }
  override var unnamed: SubscriberTag? { tag?.unnamed }
  override func end(ifOwnedBy owner: AnyObject) { tag?.end(ifOwnedBy: owner) }
  override func inputHasLeft() { tag?.inputHasLeft() }
  override func inputHasEnded() { tag?.inputHasEnded() }
}
