import BuiltPrograms
import Foundation

/// The program with planted faults, while it runs.
final class PlantedProgram: Sendable {
  /// The folder that the package is in.
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  /// Where the faults are, from that folder on.
  static let file = "Tests/Programs/PlantedFaults/Faults.swift"

  let socketPath: String
  private let process: Process
  private let input: Pipe
  private let output: Pipe

  private struct NeverPrompt: Error {}

  /// Starts it, again if it was too slow; its socket is in the folder in which the tool looks.
  init(in folder: TemporaryFolder, environment: [String: String] = [:]) async throws {
    for _ in 0..<100 {
      let (process, input, output) = try Self.start(in: folder, environment)
      let line = await Self.line(of: output)
      guard !line.isEmpty else { continue }
      (self.process, self.input, self.output, socketPath) = (process, input, output, line)
      return
    }
    throw NeverPrompt()
  }

  private static func start(
    in folder: TemporaryFolder, _ environment: [String: String]
  ) throws -> (Process, input: Pipe, output: Pipe) {
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL = try BuiltProgram.file("PlantedFaults")
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SIGNAL_VIZ_DIRECTORY": folder.file("sockets").path]) { _, new in new }
      .merging(environment) { _, new in new }
    process.standardInput = input
    process.standardOutput = output
    // Its traps are meant: they are no failures in the log of the tests.
    process.standardError = FileHandle.nullDevice
    try process.run()
    return (process, input, output)
  }

  deinit { try? input.fileHandleForWriting.close() }

  /// Lets subscriptions grow from now on.
  func grow() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

  var pid: Int32 { process.processIdentifier }

  /// Lets it trap. It has to grow already.
  func trap() throws { try input.fileHandleForWriting.write(contentsOf: Data("trap\n".utf8)) }

  /// Returns once it has ended, in whatever way.
  func hasEnded() async {
    let process = process
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        process.waitUntilExit()
        done.resume()
      }
    }
  }

  /// Ends the program.
  ///
  /// - Returns: What it says then: that it ended by itself.
  func end() async throws -> String {
    try input.fileHandleForWriting.close()
    return await Self.line(of: output)
  }

  /// The line of a planted fault.
  static func line(of fault: String) throws -> Int {
    let text = try String(contentsOf: package.appendingPathComponent(file), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return (lines.firstIndex { $0.hasSuffix("// fault: \(fault)") } ?? -2) + 1
  }

  private static func line(of pipe: Pipe) async -> String {
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        var bytes = Data()
        while let byte = try? pipe.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) {
          bytes += byte
        }
        done.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
    }
  }
}
