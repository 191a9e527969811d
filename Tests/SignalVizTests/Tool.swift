import BuiltPrograms
import Foundation

/// The built `signal-viz`, run as a child process.
enum Tool {
  struct Result {
    var status: Int32
    var output: String
    var errors: String
    /// The processor time that the tool and its children took: on a busy machine the same as on an idle one.
    var processorSeconds: Double
    /// The largest resident set of the tool or one of its children, in megabytes.
    var peakMegabytes: Int
  }

  /// Runs the tool to its end, again if a busy machine made a program respond too late.
  ///
  /// - Parameters:
  ///   - input: The file that it reads from standard input.
  ///   - destination: Where its output goes, if it is not to be read.
  ///   - count: How often it runs at most: once where a program does not respond.
  static func run(
    _ arguments: [String], in folder: URL, environment: [String: String] = [:], input: URL? = nil,
    output destination: FileHandle? = nil, times count: Int = 20
  ) async throws -> Result {
    var result = try await runOnce(arguments, in: folder, environment, input, destination)
    for _ in 1..<count
    where result.errors.contains("did not respond within") || result.errors.contains(", and then nothing within") {
      result = try await runOnce(arguments, in: folder, environment, input, destination)
    }
    return result
  }

  private static func runOnce(
    _ arguments: [String], in folder: URL, _ environment: [String: String], _ input: URL?, _ destination: FileHandle?
  ) async throws -> Result {
    let process = Process()
    // It adds a line to the errors: seconds and kilobytes.
    process.executableURL = try BuiltProgram.file("measured-run")
    process.arguments = [try BuiltProgram.file("signal-viz").path] + arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SIGNAL_VIZ_DIRECTORY": folder.path + "/sockets"]) { _, new in new }
      .merging(environment) { _, new in new }
    if let input { process.standardInput = try FileHandle(forReadingFrom: input) }
    let (output, errors) = (Pipe(), Pipe())
    if let destination { process.standardOutput = destination } else { process.standardOutput = output }
    process.standardError = errors
    async let words = text(of: output)
    async let complaints = text(of: errors)
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in done.resume() }
      do {
        try process.run()
        if destination != nil { try? output.fileHandleForWriting.close() }
      } catch {
        process.terminationHandler = nil
        try? output.fileHandleForWriting.close()
        try? errors.fileHandleForWriting.close()
        done.resume(throwing: error)
      }
    }
    let (said, seconds, kilobytes) = await split(complaints)
    return await Result(
      status: process.terminationStatus, output: words, errors: said, processorSeconds: seconds,
      peakMegabytes: kilobytes / 1_024)
  }

  /// What the tool said, and what the last line adds: "3.25 123456".
  private static func split(_ errors: String) -> (said: String, seconds: Double, kilobytes: Int) {
    var lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    let figures = lines.popLast()?.split(separator: " ") ?? []
    guard figures.count == 2, let seconds = Double(figures[0]), let kilobytes = Int(figures[1]) else {
      return (errors, .infinity, .max)
    }
    return (lines.map { $0 + "\n" }.joined(), seconds, kilobytes)
  }

  private static func text(of pipe: Pipe) async -> String {
    await withCheckedContinuation { done in
      // A thread of its own: a read that waits would occupy one of the few threads that tasks share.
      Thread.detachNewThread {
        let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
        done.resume(returning: String(decoding: data, as: UTF8.self))
      }
    }
  }
}

/// A folder that is removed at the end.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    // Short, because socket paths are.
    url = URL(fileURLWithPath: "/tmp/sv-\(UInt32.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}
