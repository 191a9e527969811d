/// Tells when the object goes that carries it.
final class Farewell: Sendable {
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  deinit { action() }
}

#if canImport(ObjectiveC)
  import ObjectiveC

  extension Farewell {
    /// Lets an object keep this. When the object goes, so does this, unless somebody else keeps it.
    func carried(by object: AnyObject) {
      objc_setAssociatedObject(object, key, self, .OBJC_ASSOCIATION_RETAIN)
    }

    /// Lets an object go of this.
    func dropped(by object: AnyObject) {
      objc_setAssociatedObject(object, key, nil, .OBJC_ASSOCIATION_RETAIN)
    }

    /// The address of this, which lives as long as it is carried: nobody reads or writes through it.
    private var key: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }
  }
#endif
