import CTaskHooks
import Signals

/// Paths through the stored properties of objects, as far as reflection sees them: not into closures. Weak and unowned
/// properties are skipped if the runtime reports them.
struct PropertyPath {
  /// An object whose properties are followed.
  struct Holder {
    let name: String
    let value: Any
  }

  /// What was found out about a holder.
  struct Route {
    /// The way; nil if none is seen.
    let path: String?
    /// Properties that are closures, which may lead anywhere: `Model.onChange`.
    let closures: [String]
    /// Whether the runtime reported every property of the path as strong.
    let isCertain: Bool
  }

  /// The maximum number of objects.
  private static let objectLimit = 2_000
  /// The maximum depth.
  private static let depthLimit = 24
  /// The maximum number of named closures.
  private static let closureLimit = 3
  /// The maximum number of values in all, and of each collection, whose size is not limited.
  private static let valueLimit = 50_000
  private static let collectionLimit = 1_000

  private let isTarget: (AnyObject) -> String?
  private var seen: Set<ObjectIdentifier> = []
  private var closures: [String] = []
  private var isCertain = true
  private var valueCount = 0

  private init(isTarget: @escaping (AnyObject) -> String?) {
    self.isTarget = isTarget
  }

  /// The way from a holder to a subscription: `Model.bag -> DisposeBag -> subscription`.
  static func path(from holder: Holder, to subscription: Subscription) -> Route {
    var search = PropertyPath { object in
      if object === subscription { return "subscription" }
      if let bag = object as? DisposeBag { return bag.holds(subscription) ? "DisposeBag -> subscription" : nil }
      return nil
    }
    return search.find(from: holder)
  }

  /// A way from an object back to it: `Parent.child -> Child.parent -> Parent`.
  static func cycle(through object: AnyObject) -> Route {
    let name = String(describing: type(of: object))
    var isStart = true
    var search = PropertyPath { other in
      guard other === object else { return nil }
      defer { isStart = false }
      return isStart ? nil : name
    }
    return search.find(from: Holder(name: name, value: object))
  }

  private mutating func find(from holder: Holder) -> Route {
    let path = search(holder.value, named: holder.name, depth: 0)
    return Route(path: path, closures: closures, isCertain: isCertain)
  }

  /// - Parameter name: The path from the last object to the value.
  private mutating func search(_ value: Any, named name: String, depth: Int) -> String? {
    valueCount += 1
    guard depth < Self.depthLimit, seen.count < Self.objectLimit, valueCount <= Self.valueLimit else { return nil }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == nil, String(reflecting: type(of: value)).contains("->") {
      if closures.count < Self.closureLimit { closures.append(name) }
      return nil
    }
    var owner = name
    if mirror.displayStyle == .class || type(of: value) is AnyObject.Type {
      let object = value as AnyObject
      if let target = isTarget(object) { return depth == 0 ? target : "\(name) -> \(target)" }
      guard seen.insert(ObjectIdentifier(object)).inserted, !Self.isClosed(type(of: object)) else { return nil }
      let type = String(describing: type(of: object))
      if depth > 0 { owner = "\(name) -> \(type)" }
    }
    // From the class itself upwards.
    var levels = [mirror]
    while let above = levels.last?.superclassMirror { levels.append(above) }
    for (level, mirror) in levels.enumerated() {
      // A library class above one of the program.
      if let type = mirror.subjectType as? AnyObject.Type, Self.isClosed(type) { break }
      // The properties of the superclasses come first.
      let inherited = levels[(level + 1)...].reduce(0) { $0 + $1.children.count }
      // A weak or unowned property is not even read: its object may be deallocated.
      let isCollection = [.collection, .set, .dictionary].contains(mirror.displayStyle)
      for (index, position) in zip(0..<(isCollection ? Self.collectionLimit : .max), mirror.children.indices) {
        let isStrong = Self.isStrong(index + inherited, of: mirror)
        if isStrong == false { continue }
        let child = mirror.children[position]
        let next = Self.name(of: child, at: index, in: mirror, owner)
        let wasCertain = isCertain
        isCertain = isCertain && isStrong != nil
        if let found = search(child.value, named: next, depth: depth + 1) { return found }
        isCertain = wasCertain
      }
    }
    return nil
  }

  /// Whether a stored property is strong; nil if unknown.
  private static func isStrong(_ index: Int, of mirror: Mirror) -> Bool? {
    switch mirror.displayStyle {
    // These retain their content.
    case .optional, .enum, .collection, .dictionary, .set, .tuple: return true
    case .class, .struct: break
    default: return nil
    }
    // A type with a custom mirror chooses its children.
    let type = mirror.subjectType
    if type is any CustomReflectable.Type { return nil }
    // Safe: a metatype is the address of the runtime's metadata of the type.
    let answer = task_hooks_property_is_strong(unsafeBitCast(type, to: UnsafeRawPointer.self), index)
    return answer < 0 ? nil : answer == 1
  }

  /// The name of a child in source code.
  private static func name(of child: Mirror.Child, at index: Int, in mirror: Mirror, _ owner: String) -> String {
    switch mirror.displayStyle {
    case .optional: return owner
    case .collection: return "\(owner)[\(index)]"
    case .set: return "\(owner) (an element)"
    case .dictionary: return "\(owner)[\(key(of: child.value) ?? "a key")]"
    default: break
    }
    // A dictionary's pair.
    if mirror.displayStyle == .tuple, owner.hasSuffix("]"), child.label == "value" { return owner }
    // A pair without labels: `.0`.
    return "\(owner).\(written(String((child.label ?? "\(index)").trimmingPrefix("."))))"
  }

  /// A key's description, if that is short.
  private static func key(of pair: Any) -> String? {
    guard let key = Mirror(reflecting: pair).children.first?.value else { return nil }
    switch key {
    case let text as String: return text.count <= 24 ? "\"\(text)\"" : nil
    case is any BinaryInteger, is Bool: return "\(key)"
    default: return nil
    }
  }

  /// A property without the prefixes that the compiler and macros add: wrappers, `lazy`, `@Observable`.
  private static func written(_ label: String) -> String {
    for prefix in ["$__lazy_storage_$_", "_"] where label.hasPrefix(prefix) && label.count > prefix.count {
      return String(label.dropFirst(prefix.count))
    }
    return label
  }

  /// Whether the properties of an object are private: they belong to a library, and may change at any time.
  private static func isClosed(_ type: AnyObject.Type) -> Bool {
    let module = String(reflecting: type).prefix { $0 != "." }
    return ["Signals", "SignalRecording", "Swift", "Foundation", "Dispatch", "XCTest", "Observation", "__C"].contains(
      module)
  }
}
