import Foundation
import SampleGraphs
import SignalGraph
import Testing

@testable import signal_viz

/// For how long a program profiles its handlers.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ProfiledTimeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file("sockets"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// A command may be killed, so however long it watches, it asks for a short time only.
  @Test(arguments: [
    "check --for 200ms", "why map --for 200ms", "render --for 200ms -o out.json", "top --json --for 1h",
  ])
  func isShortHoweverLongTheCommandWatches(command: String) async throws {
    let program = try FakeProgram("Fake", pid: 661, in: folder.file("sockets"))
    let words = command.split(separator: " ").map(String.init) + ["--socket", program.socketPath]
    let tool = try AttackedTool(words, in: folder.url)
    _ = try ProcessTable.eventually("it asks twice") {
      program.requestedPaths.count { $0 == "/trace" } > 1 ? true : nil
    }
    program.end()
    _ = await tool.ending()
    #expect(Set(program.requestedTargets.filter { $0.hasPrefix("/trace") }) == ["/trace?seconds=20"])
  }

  @Test func isRequestedAgainUntilTheEndOfTheProgram() throws {
    let program = try FakeProgram("Fake", pid: 662, in: folder.file("sockets"))
    let gone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? ProcessTable.eventually("it is asked again") { program.requestedPaths.count > 5 ? true : nil }
      program.end()
      gone.signal()
    }
    let start = ContinuousClock.now
    ProgramConnection.wait(
      until: start + .seconds(3_600), profiling: [ProgramConnection(socketPath: program.socketPath)],
      every: .milliseconds(10))
    gone.wait()
    #expect(program.requestedPaths.count > 5)
    #expect(program.requestedPaths.allSatisfy { $0 == "/trace" })
    #expect(.now - start < .seconds(3_600))
  }
}
