#if canImport(XCTest)
  import XCTest

  extension XCTestCase {
    // Not through `report`: only a test case takes a place that the compiler did not write down.
    /// Lets the test fail at a place; at the test method's own, as far as that is found, for a place that has no line.
    func fail(_ message: String, at source: MarbleSource) {
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
