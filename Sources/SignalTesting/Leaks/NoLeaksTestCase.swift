#if canImport(XCTest)
  import Signals
  import Synchronization
  public import XCTest

  /// A test case class whose tests fail when something that was made in them is still alive at their end; see
  /// ``assertNoLeaks(ignoring:allowing:fileID:filePath:line:column:_:)``.
  ///
  /// ```swift
  /// final class SearchTests: NoLeaksTestCase {
  ///   func testSearching() {
  ///     let keystrokes = Emitter<String>()
  ///     let bag = DisposeBag()
  ///     keystrokes.signal.subscribe { text in print(text) }.store(in: bag)
  ///     keystrokes.send("swift")
  ///   }
  /// }
  /// ```
  ///
  /// A test also fails when a failure reaches a subscription that has no closure for it, at the line of that subscription; see
  /// `UnhandledFailure`. A test that expects such a failure subscribes inside `UnhandledFailure.withHandler(_:operation:)`.
  ///
  /// A test is checked from before `setUp` to after `tearDown` and all teardown blocks. An `XCTestCase` itself lives as long as the run, so
  /// subscriptions in its properties have to be disposed in `tearDown`, as anything else that is kept there.
  open class NoLeaksTestCase: XCTestCase {
    /// Names that were given with `named(_:)`: chains that contain one of them may stay alive. None by default.
    open class var ignoredNames: Set<String> { [] }

    private let allowances = Mutex<Set<String>>([])

    /// Lets chains stay alive that are known to leak in this test. The test fails when it does not need a name.
    ///
    /// - Parameter names: Names that were given with `named(_:)`.
    public final func allowLeaks(named names: String...) {
      allowances.withLock { $0.formUnion(names) }
    }

    /// Runs one test and checks what is left of it.
    open override func invokeTest() {
      let failures = FailureLog()
      let check = LeakCheck(ignoring: Self.ignoredNames, failures: failures)
      failures.collect { check.recorder.record { super.invokeTest() } }
      // What leaked has a place of its own, and the rest names the test.
      let place = MarbleSource(fileID: name, filePath: name, line: 0, column: 0)
      for failure in failures.conclude(at: place) { fail(failure.message, at: failure.source) }
      let allowed = allowances.withLock { $0 }
      let leaks = check.leaks(allowing: allowed)
      for name in check.unusedAllowances(allowed) { fail(Allowances.message(name, in: self.name), at: place) }
      let holder = PropertyPath.Holder(name: String(describing: type(of: self)), value: self)
      guard let report = check.conclude(leaks, at: place, allowing: allowed, holders: [holder]) else { return }
      for failure in report.failures() { fail(failure.message, at: failure.source) }
    }
  }
#endif
