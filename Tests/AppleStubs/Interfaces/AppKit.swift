// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap, DontRepeatTypeInStaticProperties, NoLeadingUnderscores
// Apple's documentation tells what these are; see scripts/check-apple.

@_exported import Foundation

@MainActor open class NSResponder: NSObject {}
@MainActor open class NSView: NSResponder {}

@MainActor open class NSControl: NSView {
  open weak var target: AnyObject?
  open var action: Selector?
  open var stringValue = ""
  open func sendAction(_ action: Selector?, to target: Any?) -> Bool { true }
}

@MainActor open class NSTextField: NSControl {}

@MainActor open class NSApplication: NSResponder {
  public class var shared: NSApplication { NSApplication() }
  open func sendAction(_ action: Selector, to target: Any?, from sender: Any?) -> Bool { true }
}

@MainActor open class NSGestureRecognizer: NSObject {
  public enum State: Int, Sendable { case possible, began, changed, ended, cancelled, failed }
  open weak var target: AnyObject?
  open var action: Selector?
  open var state: NSGestureRecognizer.State { .possible }
}
