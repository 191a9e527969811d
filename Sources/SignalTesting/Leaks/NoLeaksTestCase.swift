#if canImport(XCTest)
  public import XCTest

  /// A test case class whose tests fail when something that was made in them is still alive at their end; see
  /// ``assertNoLeaks(ignoring:fileID:filePath:line:column:_:)``.
  ///
  /// ```swift
  /// final class SearchTests: NoLeaksTestCase {
  ///   func testSearching() { … }
  /// }
  /// ```
  ///
  /// A test is checked from before `setUp` to after `tearDown` and all teardown blocks. An `XCTestCase` itself lives as long as the run, so
  /// subscriptions in its properties have to be disposed in `tearDown`, as anything else that is kept there.
  open class NoLeaksTestCase: XCTestCase {
    /// Names that were given with `named(_:)`: chains that contain one of them may stay alive. None by default.
    open class var ignoredNames: Set<String> { [] }

    /// Runs one test and checks what is left of it.
    open override func invokeTest() {
      assertNoLeaks(ignoring: Self.ignoredNames) { super.invokeTest() }
    }
  }
#endif
