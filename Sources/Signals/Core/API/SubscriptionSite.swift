/// The source location of a subscription.
///
/// It consists of constants. So in an optimised build a closure that captures only this needs no memory: the compiler
/// specialises the function. With a ``Site``, parts of which are computed, it does not.
// Safe: the pointers lead to string literals, which are constant and live as long as the program.
@usableFromInline
struct SubscriptionSite: @unchecked Sendable {
  @usableFromInline let fileText: UnsafePointer<UInt8>
  @usableFromInline let functionText: UnsafePointer<UInt8>
  /// The line, and the flags of a subscription.
  @usableFromInline let lineNumber: UInt32

  @inlinable
  init(_ fileID: StaticString, _ line: UInt, _ function: StaticString) {
    fileText = fileID.utf8Start
    functionText = function.utf8Start
    lineNumber = UInt32(truncatingIfNeeded: line)
  }

  /// The site of a subscription without closures.
  @inlinable
  init(bare fileID: StaticString, _ line: UInt, _ function: StaticString) {
    fileText = fileID.utf8Start
    functionText = function.utf8Start
    lineNumber = UInt32(truncatingIfNeeded: line) | Site.bareMark
  }

  /// The site of a subscription with a closure for the end.
  @inlinable
  init(hearingEnd fileID: StaticString, _ line: UInt, _ function: StaticString) {
    fileText = fileID.utf8Start
    functionText = function.utf8Start
    lineNumber = UInt32(truncatingIfNeeded: line) | Site.endMark
  }

  /// The site of a subscription whose values a loop takes.
  init(loop fileID: StaticString, _ line: UInt, _ function: StaticString) {
    fileText = fileID.utf8Start
    functionText = function.utf8Start
    lineNumber = UInt32(truncatingIfNeeded: line) | Site.loopMark
  }

  var line: Int { Int(lineNumber & ~Site.allMarks) }

  /// The site of a subscription that no source code creates.
  @inlinable
  static var unknown: SubscriptionSite { SubscriptionSite("", 0, "") }
}

extension Site {
  /// The site in the form used by the graph and reports.
  @inlinable
  init(_ subscription: SubscriptionSite) {
    self.init("subscribe", .subscribes, subscription.fileText, subscription.functionText, subscription.lineNumber)
  }
}

extension SubscriptionSite {
  /// The location of a site, whatever its kind.
  init(_ site: Site) {
    (fileText, functionText) = site.texts
    lineNumber = UInt32(truncatingIfNeeded: site.line)
  }
}
