import Foundation
import Testing

#if canImport(XCTest)
  import XCTest
#endif

/// Fails the running test, under either framework: every failure of this library is reported through this function,
/// except by test cases, such as `NoLeaksTestCase`, and ``ProcessEnd``. Outside both frameworks it prints the message to
/// standard error.
///
/// `Issue.record` inside an XCTest case and `XCTFail` inside a `@Test` are lost without output on Linux, so the right
/// one of the two has to be called. Swift Testing provides its current test through a task-local value; a detached task
/// has none, and there the process decides: the package manager starts one process for each framework.
///
/// - Parameter compiledSource: A compiled location, used if `source` is none: XCTest accepts no other.
func report(_ message: String, at source: MarbleSource, else compiledSource: MarbleSource? = nil) {
  // While a search runs the test repeatedly, failures are collected, and reported once.
  if let capture = FailureCapture.current {
    return capture.note(FailureCapture.Failure(message: message, source: source))
  }
  if Test.current != nil || RunningFramework.isSwiftTestingProcess {
    Issue.record(Comment(rawValue: message), sourceLocation: SourceLocation(source))
    return
  }
  #if canImport(XCTest)
    if RunningFramework.isXCTestProcess {
      if let path = source.compiledPath {
        XCTFail(message, file: path, line: UInt(max(1, source.line)))
      } else if let compiledSource, let path = compiledSource.compiledPath, source.filePath == compiledSource.filePath {
        XCTFail(message, file: path, line: UInt(max(1, source.line)))
      } else if let compiledSource, let path = compiledSource.compiledPath {
        XCTFail("\(source.filePath):\(source.line): \(message)", file: path, line: UInt(max(1, compiledSource.line)))
      } else {
        // XCTest accepts only locations in compiled files.
        XCTFail("\(source.filePath):\(source.line): \(message)")
      }
      return
    }
  #endif
  printFailure(message, kind: "error", at: source)
}

/// Reports a warning, which does not fail the running test. XCTest has no warnings, and neither has Swift Testing
/// before 6.3: there it is printed to standard error.
func warn(_ message: String, at source: MarbleSource) {
  #if compiler(>=6.3)
    if Test.current != nil || RunningFramework.isSwiftTestingProcess {
      Issue.record(Comment(rawValue: message), severity: .warning, sourceLocation: SourceLocation(source))
      return
    }
  #endif
  // Each run of a search would print it.
  guard FailureCapture.current == nil else { return }
  printFailure(message, kind: "warning", at: source)
}

private func printFailure(_ message: String, kind: String, at source: MarbleSource) {
  // Standard error may be closed; `write(_:)` would trap then.
  try? FileHandle.standardError.write(
    contentsOf: Data("\(source.filePath):\(source.line): \(kind): \(message)\n".utf8))
}
