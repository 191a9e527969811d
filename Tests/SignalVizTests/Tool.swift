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
    /// The largest resident set of any child so far, in megabytes.
    var peakMegabytes: Int
  }

  #if canImport(Darwin)
    private static let resourceUnitsPerMegabyte = 1_048_576
  #else
    private static let resourceUnitsPerMegabyte = 1_024
  #endif

  /// Runs the tool to its end.
  static func run(
    _ arguments: [String], in folder: URL, environment: [String: String] = [:]
  ) async throws -> Result {
    let process = Process()
    // The shell adds what `times` says to the errors: two numbers for itself, then two for its children, user and system.
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      ["-c", "\"$0\" \"$@\"; status=$?; times >&2; exit $status", try BuiltProgram.file("signal-viz").path] + arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SIGNAL_VIZ_DIRECTORY": folder.path + "/sockets"]) { _, new in new }
      .merging(environment) { _, new in new }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    async let words = text(of: output)
    async let complaints = text(of: errors)
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in done.resume() }
      do { try process.run() } catch {
        process.terminationHandler = nil
        try? output.fileHandleForWriting.close()
        try? errors.fileHandleForWriting.close()
        done.resume(throwing: error)
      }
    }
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    #else
      getrusage(RUSAGE_CHILDREN, &usage)
    #endif
    let (said, seconds) = await split(complaints)
    return await Result(
      status: process.terminationStatus, output: words, errors: said, processorSeconds: seconds,
      peakMegabytes: usage.ru_maxrss / Self.resourceUnitsPerMegabyte)
  }

  /// What the tool said, and the seconds in the last line of what the shell added: "0m3.25s 0m0.07s".
  private static func split(_ errors: String) -> (said: String, seconds: Double) {
    let lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 3 else { return (errors, .infinity) }
    let seconds = lines[lines.count - 2].split(separator: " ").map { time in
      let parts = time.dropLast().split(separator: "m").compactMap { Double($0) }
      return parts.count == 2 ? parts[0] * 60 + parts[1] : .infinity
    }
    return (lines.dropLast(3).map { $0 + "\n" }.joined(), seconds.reduce(0, +))
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
