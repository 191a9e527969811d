/// Observes the deallocation of the object that it is attached to.
final class Farewell: Sendable {
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  deinit { action() }
}

#if canImport(ObjectiveC)
  import ObjectiveC

  extension Farewell {
    /// Attaches this to an object. It is deallocated with the object, unless it has other references.
    func carried(by object: AnyObject) {
      objc_setAssociatedObject(object, key, self, .OBJC_ASSOCIATION_RETAIN)
    }

    /// Detaches this from an object.
    func dropped(by object: AnyObject) {
      objc_setAssociatedObject(object, key, nil, .OBJC_ASSOCIATION_RETAIN)
    }

    /// The address of this, which lives as long as it is attached: it is never dereferenced.
    private var key: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }
  }
#endif
