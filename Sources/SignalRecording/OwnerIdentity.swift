import Synchronization

/// An owner of subscriptions: its type, and a number that distinguishes it from others, is never reused, and does not
/// reveal the object's address.
///
/// Each object has one as long as a recorded subscription belongs to it. A later object in the same memory gets
/// another.
// Safe: `object` is written when this is created, before others find it; the run-time library clears weak references
// atomically.
package final class OwnerIdentity: @unchecked Sendable {
  let number: UInt64
  let typeName: String
  private weak var object: AnyObject?
  private let place: ObjectIdentifier

  private struct Entry {
    weak var identity: OwnerIdentity?
    let number: UInt64
  }

  private struct Known {
    var entries: [ObjectIdentifier: Entry] = [:]
    var lastNumber: UInt64 = 0
  }

  private static let known = Mutex(Known())

  private init(_ object: AnyObject, number: UInt64) {
    self.number = number
    typeName = String(describing: type(of: object))
    self.object = object
    place = ObjectIdentifier(object)
  }

  /// The identity of an object, which the caller retains.
  package static func of(_ object: AnyObject) -> OwnerIdentity {
    let place = ObjectIdentifier(object)
    // Released after the lock: the last release removes it from the list.
    var former: OwnerIdentity?
    defer { withExtendedLifetime(former) {} }
    return known.withLock { known in
      former = known.entries[place]?.identity
      // A live object at this address is the object itself, so nothing else is retained here.
      if let former, former.object === object { return former }
      known.lastNumber += 1
      let new = OwnerIdentity(object, number: known.lastNumber)
      known.entries[place] = Entry(identity: new, number: new.number)
      return new
    }
  }

  deinit {
    Self.known.withLock { known in
      // Another one may have replaced it. It is not accessed: this could hold the last reference, under the lock.
      if known.entries[place]?.number == number { known.entries[place] = nil }
    }
  }
}
