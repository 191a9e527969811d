import CustomDump
import SignalMarbles

/// The difference of two values, in a few lines.
enum ValueDifference {
  /// The maximum number of lines of a difference.
  static let lineLimit = 12
  /// A value with more parts is not compared as text.
  private static let sizeLimit = 400

  /// The lines; empty if they add nothing to the values on one line.
  static func lines(_ expected: Any, _ actual: Any) -> [String] {
    if expected is any StandIn { return [] }
    if let expected = expected as? String, let actual = actual as? String { return texts(expected, actual) }
    let wholes = [ShownValue.whole(expected), ShownValue.whole(actual)]
    let isSmall = size(of: expected) + size(of: actual) <= sizeLimit
    if isSmall, wholes[0] == wholes[1] { return alike(expected, actual) }
    if wholes.allSatisfy({ $0.count <= 24 }) { return [] }
    let hasParts = [expected, actual].contains { !Mirror(reflecting: $0).children.isEmpty }
    if !hasParts, wholes.allSatisfy({ $0.count <= ShownValue.limit }) { return [] }
    if isSmall, let difference = diff(expected, actual) {
      return cut(difference.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }
    return PartDifferences(expected, actual).lines
  }

  private static func alike(_ expected: Any, _ actual: Any) -> [String] {
    if let difference = diff(expected, actual), !difference.contains("Not equal but no difference") {
      return cut(difference.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }
    return ["both have the same description, but == returns false"]
  }

  private static func cut(_ lines: [String]) -> [String] {
    guard lines.count > lineLimit else { return lines }
    return lines.prefix(lineLimit - 1) + ["… and \(lines.count - lineLimit + 1) more lines"]
  }

  // MARK: Texts

  /// Two strings around their first difference.
  private static func texts(_ expected: String, _ actual: String) -> [String] {
    let left = Array(expected)
    let right = Array(actual)
    let head = zip(left, right).prefix { $0 == $1 }.count
    let tail = zip(left[head...].reversed(), right[head...].reversed()).prefix { $0 == $1 }.count
    var lines: [String] = []
    if ShownValue.whole(expected).count > ShownValue.limit || ShownValue.whole(actual).count > ShownValue.limit {
      let lengths = left.count == right.count ? "of \(left.count)" : "of \(left.count), got \(right.count)"
      lines.append("from character \(head + 1) on (\(lengths)):")
      lines.append("− " + window(left, head, tail))
      lines.append("+ " + window(right, head, tail))
    }
    return lines + lookAlikes(expected, actual)
  }

  /// A string from a little before a difference to a little after it.
  private static func window(_ text: [Character], _ head: Int, _ tail: Int) -> String {
    let start = max(0, head - 20)
    let end = min(text.count, max(head, min(text.count - tail, head + 40)) + 10)
    let shown = ShownValue.quoted(String(text[start..<end])).dropFirst().dropLast()
    return (start > 0 ? "…" : "\"") + shown + (end < text.count ? "…" : "\"")
  }

  /// The differing characters of two strings that are confusable.
  static func lookAlikes(_ expected: String, _ actual: String) -> [String] {
    guard expected != actual, LookAlikes.skeleton(expected) == LookAlikes.skeleton(actual) else { return [] }
    func others(_ text: String) -> String {
      let scalars = text.unicodeScalars.filter { scalar in
        !scalar.isASCII
          && (LookAlikes.match(Character(scalar)) != nil || LookAlikes.letter(Character(scalar)) != nil
            || LookAlikes.isOddSpace(scalar))
      }
      var seen: Set<Unicode.Scalar> = []
      let names = scalars.filter { seen.insert($0).inserted }.prefix(3).map { LookAlikes.name($0) }
      return names.joined(separator: ", ")
    }
    let sides = [("expected", others(expected)), ("actual", others(actual))].filter { !$0.1.isEmpty }
    return ["they look alike: " + sides.map { "\($0.0) has \($0.1)" }.joined(separator: ", ")]
  }

  // MARK: Size

  /// The number of parts of a value, counted up to the limit.
  private static func size(of value: Any) -> Int {
    var count = 0
    func add(_ value: Any, depth: Int) {
      count += 1
      if let string = value as? String { count += string.utf8.count / 80 }
      for child in Mirror(reflecting: value).children {
        if count > sizeLimit || depth > 20 { return count += sizeLimit }
        add(child.value, depth: depth + 1)
      }
    }
    add(value, depth: 0)
    return count
  }
}

/// The differing parts of two large values, each with its path.
private struct PartDifferences {
  private(set) var lines: [String] = []
  private var count = 0
  private var budget = 200_000

  init(_ expected: Any, _ actual: Any) {
    compare(expected, actual, at: "")
    if count > lines.count { lines.append("… and \(count - lines.count) more differences") }
  }

  private mutating func note(_ line: @autoclosure () -> String, at path: String) {
    count += 1
    if lines.count < ValueDifference.lineLimit - 1 { lines.append(path.isEmpty ? line() : "\(path): \(line())") }
  }

  private mutating func compare(_ expected: Any, _ actual: Any, at path: String) {
    budget -= 1
    guard budget > 0, !isSame(expected, actual) else { return }
    let left = Mirror(reflecting: expected)
    let right = Mirror(reflecting: actual)
    let isSameShape =
      type(of: expected) == type(of: actual) && left.displayStyle == right.displayStyle
      && path.count < 200
    switch left.displayStyle {
    case .collection where isSameShape:
      return compareElements(left.children.map(\.value), right.children.map(\.value), at: path)
    case .dictionary where isSameShape:
      if let one = expected as? [AnyHashable: Any], let other = actual as? [AnyHashable: Any] {
        return compareEntries(one, other, at: path)
      }
    case .struct where isSameShape, .class where isSameShape, .tuple where isSameShape, .enum where isSameShape,
      .optional where isSameShape:
      let parts = Array(zip(left.children, right.children))
      let labels = parts.map { $0.0.label == $0.1.label }
      if !parts.isEmpty, left.children.count == right.children.count, labels.allSatisfy(\.self) {
        for (one, other) in parts {
          let label = left.displayStyle == .optional ? "" : "." + (one.label ?? "")
          compare(one.value, other.value, at: path + label)
        }
        return
      }
    default: break
    }
    note("expected \(ShownValue.short(expected)), got \(ShownValue.short(actual))", at: path)
  }

  private mutating func compareElements(_ left: [Any], _ right: [Any], at path: String) {
    var head = 0
    while head < min(left.count, right.count), isSame(left[head], right[head]) { head += 1 }
    var tail = 0
    while tail < min(left.count, right.count) - head, isSame(left[left.count - 1 - tail], right[right.count - 1 - tail])
    {
      tail += 1
    }
    if left.count != right.count { note("expected \(left.count) elements, got \(right.count)", at: path) }
    let common = min(left.count, right.count) - tail
    if head < common { for index in head..<common { compare(left[index], right[index], at: "\(path)[\(index)]") } }
    let start = max(head, common)
    for index in start..<max(start, left.count - tail) {
      note("missing \(ShownValue.short(left[index]))", at: "\(path)[\(index)]")
    }
    for index in start..<max(start, right.count - tail) {
      note("extra \(ShownValue.short(right[index]))", at: "\(path)[\(index)]")
    }
  }

  private mutating func compareEntries(_ left: [AnyHashable: Any], _ right: [AnyHashable: Any], at path: String) {
    let keys = Set(left.keys).union(right.keys).map { (text: ShownValue.short($0.base), key: $0) }
    for (text, key) in keys.sorted(by: { $0.text < $1.text }) {
      switch (left[key], right[key]) {
      case (let one?, let other?): compare(one, other, at: "\(path)[\(text)]")
      case (let one?, nil): note("missing \(ShownValue.short(one))", at: "\(path)[\(text)]")
      case (nil, let other?): note("extra \(ShownValue.short(other))", at: "\(path)[\(text)]")
      case (nil, nil): break
      }
    }
  }

  private func isSame(_ left: Any, _ right: Any) -> Bool {
    func equals<Equal: Equatable>(_ left: Equal) -> Bool { (right as? Equal) == left }
    if let left = left as? any Equatable { return equals(left) }
    return String(customDumping: left) == String(customDumping: right)
  }
}
