import Signals

/// Ways through the stored properties of objects, as far as reflection sees them: not into closures, and not through properties that are weak
/// or unowned.
struct PropertyPath {
  /// Something whose properties are followed.
  struct Holder {
    let name: String
    let value: Any
  }

  /// So many objects are looked at.
  private static let objectLimit = 2_000
  /// So many properties are followed one after the other.
  private static let depthLimit = 24

  /// So many values are looked at altogether, and so many of a collection: one may be as large as it likes.
  private static let valueLimit = 50_000
  private static let collectionLimit = 1_000

  private let isTarget: (AnyObject) -> String?
  private var seen: Set<ObjectIdentifier> = []
  private var valueCount = 0

  private init(isTarget: @escaping (AnyObject) -> String?) {
    self.isTarget = isTarget
  }

  /// The way from a holder to a subscription: `Model.bag -> DisposeBag -> subscription`; nil if none is seen.
  static func path(from holder: Holder, to subscription: Subscription) -> String? {
    var search = PropertyPath { object in
      if object === subscription { return "subscription" }
      if let bag = object as? DisposeBag { return bag.holds(subscription) ? "DisposeBag -> subscription" : nil }
      return nil
    }
    return search.search(holder.value, named: holder.name, depth: 0)
  }

  /// A way from an object back to it: `Parent.child -> Child.parent -> Parent`; nil if none is seen.
  static func cycle(through object: AnyObject) -> String? {
    let name = String(describing: type(of: object))
    var isStart = true
    var search = PropertyPath { other in
      guard other === object else { return nil }
      defer { isStart = false }
      return isStart ? nil : name
    }
    return search.search(object, named: name, depth: 0)
  }

  /// - Parameter name: How the value is reached from the last object.
  private mutating func search(_ value: Any, named name: String, depth: Int) -> String? {
    valueCount += 1
    guard depth < Self.depthLimit, seen.count < Self.objectLimit, valueCount <= Self.valueLimit else { return nil }
    var mirror = Mirror(reflecting: value)
    var owner = name
    if mirror.displayStyle == .class || type(of: value) is AnyObject.Type {
      let object = value as AnyObject
      if let target = isTarget(object) { return depth == 0 ? target : "\(name) -> \(target)" }
      guard seen.insert(ObjectIdentifier(object)).inserted, !Self.isClosed(type(of: object)) else { return nil }
      let type = String(describing: type(of: object))
      if depth > 0 { owner = "\(name) -> \(type)" }
    }
    let isTransparent = mirror.displayStyle == .optional
    while true {
      let isCollection = [.collection, .set, .dictionary].contains(mirror.displayStyle)
      let hasFields = [.class, .struct].contains(mirror.displayStyle) && !(value is any CustomReflectable)
      var position = mirror.children.startIndex
      for index in 0..<(isCollection ? min(mirror.children.count, Self.collectionLimit) : mirror.children.count) {
        defer { mirror.children.formIndex(after: &position) }
        if hasFields, !FieldOwnership.isStrong(index, of: mirror) { continue }
        // Read only now.
        let child = mirror.children[position]
        let label = child.label ?? "[\(index)]"
        let next =
          isTransparent
          ? owner
          : mirror.displayStyle == .collection || mirror.displayStyle == .set
            ? "\(owner)[\(index)]" : label.hasPrefix(".") ? "\(owner)\(label)" : "\(owner).\(label)"
        if let found = search(child.value, named: next, depth: depth + 1) { return found }
      }
      guard let above = mirror.superclassMirror else { return nil }
      mirror = above
    }
  }

  /// Whether the properties of an object are nobody's business: they belong to a library, and may change at any time.
  private static func isClosed(_ type: AnyObject.Type) -> Bool {
    let module = String(reflecting: type).prefix { $0 != "." }
    return ["Signals", "SignalRecording", "Swift", "Foundation", "Dispatch", "XCTest", "__C"].contains(module)
  }
}
