#if canImport(XCTest)
  public import XCTest

  /// A test case class for assertions inside scenarios that run many times, such as those of
  /// ``exploreInterleavings(systemTime:orders:seed:workLimit:replaying:fileID:filePath:line:column:function:_:)``.
  ///
  /// XCTest reports a failing assertion at once. In a plain `XCTestCase` a scenario is therefore abandoned at the first
  /// order that fails. In this class an assertion inside a scenario is withheld, the order is shrunk, and then there is
  /// one failure. Outside of scenarios nothing changes. Swift Testing does not need this.
  ///
  /// ```swift
  /// import XCTest
  ///
  /// final class CartTests: ExploringTestCase {
  ///   func testTotal() {
  ///     exploreInterleavings { scheduler in
  ///       let total = Property(0)
  ///       for price in [5, 7] { scheduler.schedule { total.update { $0 += price } } }
  ///       try scheduler.run()
  ///       XCTAssertEqual(total.value, 12)
  ///     }
  ///   }
  /// }
  /// ```
  open class ExploringTestCase: XCTestCase {
    #if canImport(Darwin)
      /// Records an issue, or withholds it.
      open override func record(_ issue: XCTIssue) {
        guard let capture = FailureCapture.current else { return super.record(issue) }
        let location = issue.sourceCodeContext.location
        let source = location.map {
          MarbleSource(
            fileID: $0.fileURL.lastPathComponent, filePath: $0.fileURL.path, line: $0.lineNumber, column: 1)
        }
        capture.note(FailureCapture.Failure(message: issue.compactDescription, source: source))
      }
    #else
      /// Records a failure, or withholds it.
      open override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
      ) {
        guard let capture = FailureCapture.current else {
          return super.recordFailure(
            withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
        }
        let source = MarbleSource(fileID: filePath, filePath: filePath, line: lineNumber, column: 1)
        capture.note(FailureCapture.Failure(message: description, source: source))
      }
    #endif
  }
#endif
