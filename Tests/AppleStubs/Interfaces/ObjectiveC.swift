// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap, DontRepeatTypeInStaticProperties, NoLeadingUnderscores
// Apple's documentation tells what these are; see scripts/check-apple.

@_exported import ObjectiveC

public struct ObjCBool: Sendable {
  public var boolValue: Bool
  public init(_ value: Bool) { boolValue = value }
}

public struct Selector: ExpressibleByStringLiteral, Hashable, Sendable {
  public init(stringLiteral name: String) {}
}

extension NSObject: Hashable {
  public static func == (left: NSObject, right: NSObject) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) {}
}
