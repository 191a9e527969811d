#if canImport(XCTest)
  import Signals
  import Synchronization
  public import XCTest

  /// A test case class whose tests fail for each fault of what was made in them: at the line of the fault, with what to do; see
  /// ``assertHealthy(ignoring:allowing:ignoringChains:allowingChains:fileID:filePath:line:column:_:)``.
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
  /// It says all that ``NoLeaksTestCase`` says, and more. A test is checked from before `setUp` to after `tearDown` and all teardown blocks. An
  /// `XCTestCase` itself lives as long as the run, so subscriptions in its properties have to be disposed in `tearDown`.
  open class HealthyTestCase: XCTestCase {
    /// The names of rules that are not checked. None by default.
    open class var ignoredRules: Set<String> { [] }
    /// Names that were given with `named(_:)`: chains that contain one of them are not reported. None by default.
    open class var ignoredNames: Set<String> { [] }

    private let late = Mutex(HealthAllowance())

    /// Lets rules find what is known to be found in this test. The test fails when a rule finds nothing.
    ///
    /// - Parameter rules: The names of rules.
    public final func allowFindings(of rules: String...) {
      late.withLock { $0.allowedRules.formUnion(rules) }
    }

    /// Lets chains be faulty that are known to be so in this test. The test fails when it does not need a name.
    ///
    /// - Parameter names: Names that were given with `named(_:)`.
    public final func allowFindings(named names: String...) {
      late.withLock { $0.allowedNames.formUnion(names) }
    }

    /// Runs one test and checks what it has made.
    open override func invokeTest() {
      let check = HealthCheck(HealthAllowance(ignoredRules: Self.ignoredRules, ignoredNames: Self.ignoredNames))
      check.run { super.invokeTest() }
      // What is faulty has a place of its own, and the rest names the test.
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
      for failure in (verdict.leaks?.failures() ?? []) + verdict.failures { fail(failure.message, at: failure.source) }
    }
  }
#endif
