#if canImport(XCTest)
  import Signals
  public import XCTest

  /// A test case class whose tests fail when something that was made in them is still alive at their end; see
  /// ``assertNoLeaks(ignoring:fileID:filePath:line:column:_:)``.
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

    /// Runs one test and checks what is left of it.
    open override func invokeTest() {
      let failures = FailureLog()
      let check = LeakCheck(ignoring: Self.ignoredNames, failures: failures)
      failures.collect { check.recorder.record { super.invokeTest() } }
      // What leaked has a place of its own, and the rest names the test.
      let place = MarbleSource(fileID: name, filePath: name, line: 0, column: 0)
      for failure in failures.conclude(at: place) { fail(failure.message, at: failure.source) }
      guard let report = check.conclude(check.leaks(), at: place) else { return }
      for failure in report.failures() { fail(failure.message, at: failure.source) }
    }

    // Not through `report`: only a test case takes a place that the compiler did not write down.
    private func fail(_ message: String, at source: MarbleSource) {
      // XCTest does not tell where a test is written.
      let written = source.line > 0 ? nil : TestPlace(type: String(reflecting: type(of: self)), name: name).source()
      let source = written ?? source
      let line = max(1, source.line)
      #if canImport(Darwin)
        let location = XCTSourceCodeLocation(filePath: source.filePath, lineNumber: line)
        record(
          XCTIssue(
            type: .assertionFailure, compactDescription: message,
            sourceCodeContext: XCTSourceCodeContext(location: location)))
      #else
        recordFailure(withDescription: message, inFile: source.filePath, atLine: line, expected: true)
      #endif
    }
  }
#endif
