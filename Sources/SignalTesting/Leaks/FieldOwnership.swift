import CTaskHooks

/// Which stored properties hold what they refer to. Those that do not must not be read: an unowned reference to an object that is gone ends the process.
enum FieldOwnership {
  /// Whether the runtime tells.
  static let isKnown = count(of: FieldOwnershipSample.self) == 1

  /// Whether a child of a mirror may be followed.
  ///
  /// - Parameter mirror: A mirror of an object, of one of its superclasses, or of a structure, that the type has not made itself.
  static func isStrong(_ index: Int, of mirror: Mirror) -> Bool {
    let count = count(of: mirror.subjectType)
    // A mirror of a class has the properties of that class alone; they come last.
    let position = count - mirror.children.count + index
    guard position >= 0, position < count else { return true }
    return task_hooks_field_is_strong(address(of: mirror.subjectType), position)
  }

  private static func count(of type: Any.Type) -> Int { task_hooks_field_count(address(of: type)) }

  // A metatype is the address of what the runtime knows of the type.
  private static func address(of type: Any.Type) -> UnsafeRawPointer { unsafeBitCast(type, to: UnsafeRawPointer.self) }
}

private struct FieldOwnershipSample {
  var one = 1
}
