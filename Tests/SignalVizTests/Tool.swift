import BuiltPrograms
import Foundation

/// The built `signal-viz`, run as a child process.
enum Tool {
  struct Result {
    var status: Int32
    var output: String
    var errors: String
    var seconds: Double
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
    process.executableURL = try BuiltProgram.file("signal-viz")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SIGNAL_VIZ_DIRECTORY": folder.path + "/sockets"]) { _, new in new }
      .merging(environment) { _, new in new }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    let start = ContinuousClock.now
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
    let took = start.duration(to: .now)
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    #else
      getrusage(RUSAGE_CHILDREN, &usage)
    #endif
    return await Result(
      status: process.terminationStatus, output: words, errors: complaints,
      seconds: took / .seconds(1), peakMegabytes: usage.ru_maxrss / Self.resourceUnitsPerMegabyte)
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
