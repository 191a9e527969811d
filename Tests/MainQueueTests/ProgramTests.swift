import BuiltPrograms
import Foundation
import Testing

@Suite("Law 14: the main queue, in programs of every kind", .timeLimit(.minutes(20)))
struct ProgramTests {
  @Test(
    "everything below a hop is on the main queue", arguments: ["main-by-run-loop", "main-by-dispatch", "main-by-async"])
  func program(name: String) async throws {
    let (status, output) = try await run(name)
    #expect(status == 0)
    #expect(output == "all on the main queue\n")
  }

  private func run(_ name: String) async throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = try BuiltProgram.file(name)
    let pipe = Pipe()
    process.standardOutput = pipe
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in done.resume() }
      do { try process.run() } catch {
        process.terminationHandler = nil
        done.resume(throwing: error)
      }
    }
    // A few lines at most: they fit into the pipe.
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
