/// Compares values of a type that has no `==`, part by part: parts with `==`, objects by identity, cases by name, and types.
///
/// Parts that cannot be compared, such as closures, count as different: descriptions may be equal for values that are
/// not.
enum PartEquality {
  /// - Parameter depth: The depth within the value.
  static func areEqual(_ left: Any, _ right: Any, depth: Int = 0) -> Bool {
    guard type(of: left) == type(of: right), depth < 16 else { return false }
    if let left = left as? any Equatable { return equals(left, right) }
    if let left = left as? Any.Type, let right = right as? Any.Type { return left == right }
    let (one, other) = (Mirror(reflecting: left), Mirror(reflecting: right))
    switch one.displayStyle {
    case .class: return left as AnyObject === right as AnyObject
    case .dictionary: return haveEqualEntries(left, right, depth: depth)
    case .set: return false
    case .enum where left is any CustomReflectable: return false
    case .enum where caseName(left) != caseName(right): return false
    case .enum where one.children.isEmpty: return true
    case .struct where one.children.isEmpty: return haveEqualBytes(left, right)
    case .struct where left is any CustomReflectable: return false
    case .struct, .enum, .tuple, .optional, .collection:
      let parts = zip(one.children, other.children)
      return one.children.count == other.children.count
        && parts.allSatisfy { $0.label == $1.label && areEqual($0.value, $1.value, depth: depth + 1) }
    default: return false
    }
  }

  /// The types of the first parts of two values whose types differ; nil if none do.
  static func differingTypes(_ left: Any, _ right: Any, depth: Int = 0) -> (left: Any.Type, right: Any.Type)? {
    guard type(of: left) == type(of: right) else { return (type(of: left), type(of: right)) }
    guard depth < 16 else { return nil }
    return zip(Mirror(reflecting: left).children, Mirror(reflecting: right).children).lazy
      .compactMap { differingTypes($0.value, $1.value, depth: depth + 1) }.first
  }

  /// Whether a value is one that ``areEqual(_:_:depth:)`` compares part by part.
  static func isNeeded(for value: Any) -> Bool { !(value is any Equatable) }

  private static func equals<Value: Equatable>(_ left: Value, _ right: Any) -> Bool { (right as? Value) == left }

  private static func caseName(_ value: Any) -> String? {
    func name<Value>(_ value: Value) -> String? { enumCaseName(value).map { String(cString: $0) } }
    return _openExistential(value, do: name)
  }

  /// Whether two dictionaries have equal values for the same keys, in any order.
  private static func haveEqualEntries(_ left: Any, _ right: Any, depth: Int) -> Bool {
    guard let left = left as? [AnyHashable: Any], let right = right as? [AnyHashable: Any], left.count == right.count
    else {
      return false
    }
    return left.allSatisfy { key, value in right[key].map { areEqual(value, $0, depth: depth + 1) } ?? false }
  }

  /// Whether two structures without visible parts are equal: they are empty, or all of their bytes are equal.
  private static func haveEqualBytes(_ left: Any, _ right: Any) -> Bool {
    func bytes<Value>(_ value: Value) -> [UInt8]? {
      _isPOD(Value.self) ? withUnsafeBytes(of: value) { Array($0) } : nil
    }
    guard let one = _openExistential(left, do: bytes) else { return false }
    return _openExistential(right, do: bytes) == one
  }
}

// Safe: as in the standard library's ReflectionMirror.swift, which finds the names of cases in the same way.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
