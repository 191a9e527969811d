#if canImport(XCTest)
  import Signals
  import Synchronization
  public import XCTest

  /// A test case class whose tests fail if an object created in them is still alive at their end; see
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
  /// A test also fails if a failure reaches a subscription without a failure closure, at the line of that subscription;
  /// see `UnhandledFailure`. A test that expects such a failure subscribes inside
  /// `UnhandledFailure.withHandler(_:operation:)`.
  ///
  /// A test is checked from before `setUp` to after `tearDown` and all teardown blocks. An `XCTestCase` itself lives as
  /// long as the run, so dispose subscriptions in its properties in `tearDown`, like any other object stored there.
  open class NoLeaksTestCase: XCTestCase {
    /// Names given with `named(_:)`: chains that contain one of them may stay alive. None by default.
    open class var ignoredNames: Set<String> { [] }

    private let allowances = Mutex<Set<String>>([])

    /// Allows known leaks in this test. The test fails if it does not need a name.
    ///
    /// - Parameter names: Names given with `named(_:)`.
    public final func allowLeaks(named names: String...) {
      allowances.withLock { $0.formUnion(names) }
    }

    /// Runs one test and checks for leaks.
    open override func invokeTest() {
      let failures = FailureLog()
      let check = LeakCheck(ignoring: Self.ignoredNames, failures: failures)
      failures.collect { check.record { super.invokeTest() } }
      // A leak has its own location; other messages name the test.
      let place = MarbleSource(fileID: name, filePath: name, line: 0, column: 0)
      let allowed = allowances.withLock { $0 }
      let leaks = check.leaks(allowing: allowed)
      // After the wait for pending work, which may fail too.
      for failure in failures.conclude(at: place) { fail(failure.message, at: failure.source) }
      for name in check.unusedAllowances(allowed) { fail(Allowances.message(name, in: self.name), at: place) }
      let holder = PropertyPath.Holder(name: String(describing: type(of: self)), value: self)
      guard let report = check.conclude(leaks, at: place, allowing: allowed, holders: [holder]) else { return }
      for failure in report.failures() { fail(failure.message, at: failure.source) }
    }
  }
#endif
