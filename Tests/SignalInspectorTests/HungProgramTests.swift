import BuiltPrograms
import Foundation
import SignalAttach
import SignalGraph
import Testing

/// Why the inspector has threads and an HTTP reader of its own: a server that runs on Swift's tasks, as those of
/// libraries do, would be silent in the very program that somebody needs to look at.
@Suite struct HungProgramTests {
  @Test func aProgramAllOfWhoseTasksHangIsAnswered() throws {
    let directory = try TemporaryDirectory()
    let program = Process()
    program.executableURL = try BuiltProgram.file("hung-tasks")
    program.environment = ProcessInfo.processInfo.environment
      .merging([SocketDirectory.environmentKey: directory.path]) { _, new in new }
    let (input, output) = (Pipe(), Pipe())
    program.standardInput = input
    program.standardOutput = output
    try program.run()
    // It ends with its input, whatever happens here.
    defer { try? input.fileHandleForWriting.close() }

    let path = try line(of: output)
    #expect(try RawClient.get(path, "/hello").statusCode == "200")
    let body = try RawClient.get(path, AttachRequest.snapshot(GraphFocus("answers nobody")).target).body
    let graph = try GraphSnapshot(json: Data(body.utf8))
    #expect(Set(graph.definitions.map(\.kind)) == ["emitter", "map", "subscribe"])

    try input.fileHandleForWriting.close()
    #expect(try line(of: output) == "no later task ran")
  }

  private func line(of pipe: Pipe) throws -> String {
    var bytes = Data()
    while let byte = try pipe.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) { bytes += byte }
    return String(decoding: bytes, as: UTF8.self)
  }
}
