import BuiltPrograms
import Foundation
import Testing

/// The example with faults, while it runs.
final class FaultsProgram {
  private let process = Process()
  let folder: TemporaryFolder

  /// Starts it, and returns when the tool lists it.
  init() async throws {
    folder = try TemporaryFolder()
    process.executableURL = try BuiltProgram.file("Faults")
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SIGNAL_VIZ_DIRECTORY": folder.file("sockets").path]) { _, new in new }
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var attempts = 0
    while attempts < 200, try await Tool.run(["list", "--for", "0"], in: folder.url).output.isEmpty { attempts += 1 }
  }

  deinit { process.terminate() }

  /// Asks the tool about it.
  func ask(_ command: String, _ arguments: String...) async throws -> Tool.Result {
    try await Tool.run([command] + arguments + ["--pid", "\(process.processIdentifier)"], in: folder.url)
  }
}
