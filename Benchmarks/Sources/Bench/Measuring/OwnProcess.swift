import Foundation

/// Other runs of this program.
enum OwnProcess {
  /// Runs this program under another one, if that is named, and returns what it says, on both of its outputs.
  static func run(under tool: [String], _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = tool + [Bundle.main.executablePath ?? CommandLine.arguments[0]] + arguments
    // Otherwise starting up takes another number of instructions each time.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw FailedCount(
        description:
          "\((tool + arguments).joined(separator: " ")) ended with status \(process.terminationStatus):\n\(said)")
    }
    return said
  }
}
