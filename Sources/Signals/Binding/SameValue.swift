/// Whether two values are equal, or differ only in parts that do not equal themselves, such as NaN.
func isSame<Value: Equatable>(_ first: Value, _ second: Value) -> Bool {
  if first == second { return true }
  // Nearly all values equal themselves, so the rest is rarely evaluated.
  return first != first && second != second && isSamePart(first, second)
}

/// Like ``isSame(_:_:)`` for parts of two values whose types are not known. Of opaque parts, only the position counts.
private func isSamePart(_ first: Any, _ second: Any) -> Bool {
  if let first = first as? any Equatable {
    if first.equals(second) { return true }
    // It equals itself, so the difference counts.
    if first.equals(first) { return false }
  }
  let (one, other) = (Mirror(reflecting: first), Mirror(reflecting: second))
  guard one.subjectType == other.subjectType, one.children.count == other.children.count else { return false }
  if one.displayStyle == .class { return (first as AnyObject) === (second as AnyObject) }
  return zip(one.children, other.children).allSatisfy { one, other in
    one.label == other.label && isSamePart(one.value, other.value)
  }
}

extension Equatable {
  fileprivate func equals(_ other: Any) -> Bool { (other as? Self).map { $0 == self } ?? false }
}
