import Foundation

/// The test framework of this process. The package manager starts one process for each, and Xcode one for both.
enum RunningFramework {
  /// Whether the process runs only Swift Testing.
  static let isSwiftTestingProcess: Bool = {
    let arguments = CommandLine.arguments
    if let option = arguments.firstIndex(of: "--testing-library") {
      return arguments[option...].dropFirst().first == "swift-testing"
    }
    return arguments.contains { $0 == "--testing-library=swift-testing" || $0.hasSuffix("/swiftpm-testing-helper") }
  }()

  /// Whether the process runs XCTest: it is a test bundle (Linux), or a program with one as an argument (macOS, Bazel).
  static let isXCTestProcess: Bool = {
    let environment = ProcessInfo.processInfo.environment
    return CommandLine.arguments.contains { $0.hasSuffix(".xctest") || $0.hasSuffix("/xctest") }
      || ["XCTestBundlePath", "XCTestConfigurationFilePath", "XCTestSessionIdentifier", "BAZEL_TEST"].contains {
        environment[$0] != nil
      }
  }()
}
