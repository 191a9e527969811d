import BuiltPrograms
import Foundation

/// The built `signal-viz` while it runs: each line of its output as soon as it is written.
final class RunningTool: Sendable {
  private let process = Process()
  private let lines: AsyncStream<String>
  private let ends: AsyncStream<Int32>

  init(_ arguments: [String], in folder: URL, environment: [String: String] = [:]) throws {
    process.executableURL = try BuiltProgram.file("signal-viz")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SIGNAL_VIZ_DIRECTORY": folder.path + "/sockets"]) { _, new in new }
      .merging(environment) { _, new in new }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    let (ends, end) = AsyncStream.makeStream(of: Int32.self)
    self.ends = ends
    process.terminationHandler = {
      // Ended by a signal, as shells tell it.
      end.yield($0.terminationReason == .uncaughtSignal ? 128 + $0.terminationStatus : $0.terminationStatus)
      end.finish()
    }
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    try process.run()
    Thread.detachNewThread {
      var rest: [UInt8] = []
      var bytes = [UInt8](repeating: 0, count: 4_096)
      // What is there, and not as much as there could be.
      while case let count = read(output.fileHandleForReading.fileDescriptor, &bytes, bytes.count), count > 0 {
        rest += bytes.prefix(count)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          line.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest.removeSubrange(...end)
        }
      }
      line.finish()
    }
  }

  deinit { process.terminate() }

  var pid: pid_t { process.processIdentifier }

  /// The next line for which something is so; nil if there is none until the end.
  func line(where isWanted: (String) -> Bool) async -> String? {
    for await line in lines where isWanted(line) { return line }
    return nil
  }

  /// Asks it to end, as Ctrl-C does.
  func interrupt() { process.interrupt() }

  /// How it ended.
  func status() async -> Int32? {
    for await status in ends { return status }
    return nil
  }
}
