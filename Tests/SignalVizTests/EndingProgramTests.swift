import Foundation
import SignalAttach
import SignalGraph
import Testing

@testable import signal_viz

/// Whether a program has ended is asked once an answer has failed, and then it may still be ending.
@Suite("A program that is ending", .timeLimit(.minutes(20))) struct EndingProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func served() throws -> (file: SocketFile, socket: LocalSocket) {
    let sockets = folder.file("sockets")
    try FileManager.default.createDirectory(
      at: sockets, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let file = SocketFile(
      directory: sockets.path, process: ProcessIdentity(name: "Ending", pid: 811, startedAt: 1_700_000_000))
    return (file, try .serving(file))
  }

  @Test func itEndsWhenItStillTakesAConnectionAndThenNone() throws {
    let (file, socket) = try served()
    Thread.detachNewThread {
      _ = socket.wait(for: .readable, until: nil)
      try? socket.nextClient()?.close()
      socket.close()
      file.remove()
    }
    #expect(ProgramConnection(socketPath: file.path).ends(within: .seconds(60)))
  }

  @Test func itDoesNotEndAsLongAsItTakesConnections() throws {
    let (file, socket) = try served()
    #expect(!ProgramConnection(socketPath: file.path).ends(within: .milliseconds(20)))
    socket.close()
    file.remove()
  }
}
