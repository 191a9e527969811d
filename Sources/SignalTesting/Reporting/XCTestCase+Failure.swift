#if canImport(XCTest)
  import XCTest

  extension XCTestCase {
    // Not through `report`: only a test case accepts a location that does not come from the compiler.
    /// Fails the test at a location; for a location without a line, at the test method, if that is found.
    func fail(_ message: String, at source: MarbleSource) {
      // XCTest does not provide the location of a test.
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
