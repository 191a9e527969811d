import Foundation
import SignalAttach
import SignalGraph
import Synchronization
import Testing

/// Threads of a server that the system refuses.
@Suite(.timeLimit(.minutes(20))) struct ServerThreadTests {
  private struct Listener {
    let file: SocketFile
    let socket: LocalSocket

    init(in directory: TemporaryDirectory) throws {
      file = SocketFile(directory: directory.path, process: .current)
      socket = try .serving(file)
    }

    func close() {
      file.remove()
      socket.close()
    }
  }

  private static let refusal = SystemCallError(call: "pthread_create", code: EAGAIN)

  @Test func aClientWithoutAThreadIsDisconnected() async throws {
    let directory = try TemporaryDirectory()
    let listener = try Listener(in: directory)
    let count = Mutex(0)
    let start: ClientServer.StartThread = { (name, body) throws(SystemCallError) in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      guard isFirst else { throw Self.refusal }
      try ServerThread.start(name, body)
    }
    let server = try ClientServer(socket: listener.socket, name: "test", limits: ClientLimits(), start: start) { _ in }
    try server.run()
    // More than there may be without a slot.
    for _ in 0..<40 {
      let client = try LocalSocket.connected(to: listener.file.path)
      var bytes: [UInt8]?
      repeat {
        _ = client.wait(for: .readable, until: .now + .seconds(300), interruptedBy: nil)
        bytes = try client.read(atMost: 1)
      } while bytes == nil
      #expect(bytes?.isEmpty == true)
      client.close()
    }
    #expect(count.withLock { $0 } == 41)
    await server.stop { listener.close() }
  }

  @Test func aServerWithoutAThreadDoesNotStart() throws {
    let directory = try TemporaryDirectory()
    let listener = try Listener(in: directory)
    defer { listener.close() }
    let start: ClientServer.StartThread = { (_, _) throws(SystemCallError) in throw Self.refusal }
    let server = try ClientServer(socket: listener.socket, name: "test", limits: ClientLimits(), start: start) { _ in }
    #expect(throws: Self.refusal) { try server.run() }
  }
}
