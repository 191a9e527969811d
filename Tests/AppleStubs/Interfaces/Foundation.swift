// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap, DontRepeatTypeInStaticProperties, NoLeadingUnderscores
// Apple's documentation tells what these are; see scripts/check-apple.

@_exported import ObjectiveC

public struct CGPoint: Equatable, Sendable {
  public var x: Double
  public var y: Double
}

public struct CGSize: Equatable, Sendable {
  public var width: Double
  public var height: Double
}

public struct CGRect: Equatable, Sendable {
  public var origin: CGPoint
  public var size: CGSize
}

public struct Date: Equatable, Sendable {
  public init() {}
}

public struct IndexSet: Sendable {
  public init<Elements: Sequence>(_ elements: Elements) where Elements.Element == Int {}
}

public struct IndexPath: Hashable, Sendable {
  public init() {}
}

public struct Notification {
  public struct Name: Hashable, Sendable {
    public init(_ name: String) {}
  }

  public var userInfo: [AnyHashable: Any]?
}

public class OperationQueue: NSObject {}

// Safe: it keeps nothing; Apple's may be used from any thread.
open class NotificationCenter: NSObject, @unchecked Sendable {
  public class var `default`: NotificationCenter { NotificationCenter() }
  open func addObserver(
    forName name: Notification.Name?, object: Any?, queue: OperationQueue?,
    using block: @escaping @Sendable (Notification) -> Void
  ) -> any NSObjectProtocol { self }
  open func removeObserver(_ observer: Any) {}
}

// Key-value observing.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
}

public struct NSKeyValueObservedChange<Value> {
  public let newValue: Value?
}

public class NSKeyValueObservation: NSObject {
  public func invalidate() {}
}

public protocol _KeyValueCodingAndObserving {}

extension NSObject: _KeyValueCodingAndObserving {}

extension _KeyValueCodingAndObserving {
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation { NSKeyValueObservation() }
}
