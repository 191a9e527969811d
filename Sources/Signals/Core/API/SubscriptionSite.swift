/// Where in the program a subscription is made.
///
/// It is nothing but constants. So a closure that captures only this needs no memory in an optimised build: the compiler makes a function of
/// its own for each. With a ``Site``, parts of which are computed, it does not.
// Safe: the pointers lead to string literals, which are constant and live as long as the program.
@usableFromInline
struct SubscriptionSite: @unchecked Sendable {
  @usableFromInline let fileText: UnsafePointer<UInt8>
  @usableFromInline let functionText: UnsafePointer<UInt8>
  /// The line, and the marks of a subscription.
  @usableFromInline let lineNumber: UInt32

  @inlinable
  init(_ fileID: StaticString, _ line: UInt, _ function: StaticString) {
    fileText = fileID.utf8Start
    functionText = function.utf8Start
    lineNumber = UInt32(truncatingIfNeeded: line)
  }

  /// That of a subscription that is made without any closure.
  @inlinable
  init(bare fileID: StaticString, _ line: UInt, _ function: StaticString) {
    fileText = fileID.utf8Start
    functionText = function.utf8Start
    lineNumber = UInt32(truncatingIfNeeded: line) | Site.bareMark
  }

  /// That of a subscription that has a closure for the end.
  @inlinable
  init(hearingEnd fileID: StaticString, _ line: UInt, _ function: StaticString) {
    fileText = fileID.utf8Start
    functionText = function.utf8Start
    lineNumber = UInt32(truncatingIfNeeded: line) | Site.endMark
  }

  /// That of a subscription whose values a loop takes.
  init(loop fileID: StaticString, _ line: UInt, _ function: StaticString) {
    fileText = fileID.utf8Start
    functionText = function.utf8Start
    lineNumber = UInt32(truncatingIfNeeded: line) | Site.loopMark
  }

  var line: Int { Int(lineNumber & ~Site.allMarks) }

  /// That of a subscription that no program text makes.
  @inlinable
  static var unknown: SubscriptionSite { SubscriptionSite("", 0, "") }
}

extension Site {
  /// The site of a subscription as the graph and reports know it.
  @inlinable
  init(_ subscription: SubscriptionSite) {
    self.init("subscribe", .subscribes, subscription.fileText, subscription.functionText, subscription.lineNumber)
  }
}

extension SubscriptionSite {
  /// The place of a site, whatever is written there.
  init(_ site: Site) {
    (fileText, functionText) = site.texts
    lineNumber = UInt32(truncatingIfNeeded: site.line)
  }
}
