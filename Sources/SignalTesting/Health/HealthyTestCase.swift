#if canImport(XCTest)
  import Signals
  import Synchronization
  public import XCTest

  /// A test case class whose tests fail for each fault of the chains created in them: at the line of the fault, with a
  /// remedy; see ``assertHealthy(ignoring:allowing:ignoringChains:allowingChains:fileID:filePath:line:column:_:)``.
  ///
  /// ```swift
  /// final class SearchTests: HealthyTestCase {
  ///   func testSearching() {
  ///     let keystrokes = Emitter<String>()
  ///     let bag = DisposeBag()
  ///     keystrokes.signal.subscribe { text in print(text) }.store(in: bag)
  ///     keystrokes.send("swift")
  ///   }
  /// }
  /// ```
  ///
  /// It reports everything that ``NoLeaksTestCase`` reports, and more. A test is checked from before `setUp` to after
  /// `tearDown` and all teardown blocks. An `XCTestCase` itself lives as long as the run, so dispose subscriptions in
  /// its properties in `tearDown`.
  open class HealthyTestCase: XCTestCase {
    /// The names of rules that are not checked. None by default.
    open class var ignoredRules: Set<String> { [] }
    /// Names given with `named(_:)`: chains that contain one of them are not reported. None by default.
    open class var ignoredNames: Set<String> { [] }

    private let late = Mutex(HealthAllowance())

    /// Allows known findings of rules in this test. The test fails if a rule finds nothing.
    ///
    /// - Parameter rules: The names of rules.
    public final func allowFindings(of rules: String...) {
      late.withLock { $0.allowedRules.formUnion(rules) }
    }

    /// Allows known faults of chains in this test. The test fails if it does not need a name.
    ///
    /// - Parameter names: Names given with `named(_:)`.
    public final func allowFindings(named names: String...) {
      late.withLock { $0.allowedNames.formUnion(names) }
    }

    /// Runs one test and checks the chains created in it.
    open override func invokeTest() {
      let check = HealthCheck(HealthAllowance(ignoredRules: Self.ignoredRules, ignoredNames: Self.ignoredNames))
      check.run { super.invokeTest() }
      // A fault has its own location; other messages name the test.
      let place = MarbleSource(fileID: name, filePath: name, line: 0, column: 0)
      var allowance = late.withLock { $0 }
      let holder = PropertyPath.Holder(name: String(describing: type(of: self)), value: self)
      let leaks = check.leaks(allowing: allowance.allowedNames)
      let verdict = check.verdict(leaks, at: place, allowing: allowance, holders: [holder]) {
        TestPlace(type: String(reflecting: type(of: self)), name: name).source()
      }
      for needed in verdict.unused(of: allowance) { fail(needed.message(in: name), at: place) }
      allowance.ignoredRules = Self.ignoredRules
      for message in allowance.unknownRules { fail(message, at: place) }
      verdict.warn()
      for failure in (verdict.leaks?.failures() ?? []) + verdict.failures { fail(failure.message, at: failure.source) }
    }
  }
#endif
