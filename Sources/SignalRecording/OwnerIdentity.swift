import Synchronization

/// An owner of subscriptions: its type, and a number that tells it from others, is given once, and says nothing about where the object is.
///
/// Each object has one for as long as anything that is recorded belongs to it. A later object in the same memory gets another.
// Safe: `object` is written when this is made, before others find it; the run-time library clears weak references atomically.
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

  /// That of an object, which the caller keeps.
  package static func of(_ object: AnyObject) -> OwnerIdentity {
    let place = ObjectIdentifier(object)
    // Let go of after the lock: with the last reference it takes itself out of the list.
    var former: OwnerIdentity?
    defer { withExtendedLifetime(former) {} }
    return known.withLock { known in
      former = known.entries[place]?.identity
      // What is in this memory and alive is the object itself, so nothing else is kept here.
      if let former, former.object === object { return former }
      known.lastNumber += 1
      let new = OwnerIdentity(object, number: known.lastNumber)
      known.entries[place] = Entry(identity: new, number: new.number)
      return new
    }
  }

  deinit {
    Self.known.withLock { known in
      // Another one may have taken the place. It is not looked at: this could be the last to let go of it, under the lock.
      if known.entries[place]?.number == number { known.entries[place] = nil }
    }
  }
}
