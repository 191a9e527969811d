// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap, DontRepeatTypeInStaticProperties, NoLeadingUnderscores, AlwaysUseLowerCamelCase
// Apple's documentation tells what these are; see scripts/check-apple.

public import Foundation

open class XCTAttachment {
  public enum Lifetime: Int, Sendable {
    case keepAlways
    case deleteOnSuccess
  }

  public init(data payload: Data, uniformTypeIdentifier identifier: String) { fatalError("an interface only") }
  open var name: String?
  open var lifetime: Lifetime = .deleteOnSuccess
}

public protocol XCTActivity {
  var name: String { get }
  func add(_ attachment: XCTAttachment)
}

open class XCTContext {
  @MainActor public class func runActivity<Result>(
    named name: String, block: @MainActor (any XCTActivity) throws -> Result
  ) rethrows -> Result { fatalError("an interface only") }
}
