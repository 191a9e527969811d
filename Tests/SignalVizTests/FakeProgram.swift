import Foundation
import SampleGraphs
import SignalAttach
import SignalGraph
import Synchronization

/// A program with an identity and an answer of the test's choice, served by a thread of its own.
final class FakeProgram: Sendable {
  let socketPath: String
  private let file: SocketFile
  private let socket: LocalSocket
  private let stopped = DispatchSemaphore(value: 0)
  private let stop = Pipe()
  private let snapshot: Mutex<[UInt8]>
  private let requested = Mutex<[String]>([])

  /// The targets of all requests, in their order.
  var requestedTargets: [String] { requested.withLock { $0 } }

  /// The same without what follows the path.
  var requestedPaths: [String] { requestedTargets.map(Self.path) }

  private static func path(_ target: String) -> String { String(target.prefix { $0 != "?" }) }

  /// Serves the sample graph, or answers questions for a snapshot with `answer`. So many clients are told first that there are too many.
  ///
  /// - Parameters:
  ///   - paths: What it answers; of others it says that it knows them not. Nil for everything, with the snapshot.
  ///   - greetingBytes: How many spaces follow its greeting.
  init(
    _ name: String, pid: Int32, in directory: URL, answer: (status: String, body: String)? = nil,
    refusing count: Int = 0, knowing paths: [String]? = nil, greetingBytes: Int = 0
  ) throws {
    let identity = ProcessIdentity(name: name, pid: pid, startedAt: 1_700_000_000)
    file = SocketFile(directory: directory.path, process: identity)
    socketPath = file.path
    socket = try .serving(file)
    var graph = SampleGraphs.searchBox
    graph.process = identity
    let spaces = Data(repeating: UInt8(ascii: " "), count: greetingBytes)
    let hello = try Self.answer("200 OK", body: JSONEncoder().encode(Hello(process: identity)) + spaces)
    snapshot = try Mutex(
      Self.answer(answer?.status ?? "200 OK", body: answer.map { Data($0.body.utf8) } ?? graph.json()))
    let unknown = try Self.answer("404 Not Found", body: Data("nothing at that path".utf8))
    let busy = try Self.answer("503 Service Unavailable", body: Data("too many clients".utf8))
    Thread.detachNewThread { [self] in
      var refused = 0
      let end = stop.fileHandleForReading.fileDescriptor
      while socket.wait(for: .readable, until: nil, interruptedBy: end) == .ready {
        guard let client = try? socket.nextClient() else { continue }
        let isBusy = refused < count
        refused += 1
        Self.serve(
          client, until: end
        ) { target in
          requested.withLock { $0.append(target) }
          let path = Self.path(target)
          if isBusy { return busy }
          if let paths, !paths.contains(path) { return unknown }
          return path == "/hello" ? hello : snapshot.withLock { $0 }
        }
        client.close()
      }
      socket.close()
      file.remove()
      stopped.signal()
    }
  }

  /// Serves another graph from now on.
  func serve(_ graph: GraphSnapshot) throws {
    let answer = try Self.answer("200 OK", body: graph.json())
    snapshot.withLock { $0 = answer }
  }

  /// Ends the program; its socket is gone afterwards.
  func end() {
    try? stop.fileHandleForWriting.close()
    stopped.wait()
  }

  private static func answer(_ status: String, body: Data) throws -> [UInt8] {
    Array("HTTP/1.1 \(status)\r\nConnection: close\r\n\r\n".utf8) + body
  }

  private static func serve(_ client: LocalSocket, until end: Int32, _ answer: (_ target: String) -> [UInt8]) {
    var request = ""
    while !request.contains("\r\n\r\n") {
      guard client.wait(for: .readable, until: nil, interruptedBy: end) == .ready,
        let bytes = try? client.read(atMost: 4_096), !bytes.isEmpty
      else { return }
      request += String(decoding: bytes, as: UTF8.self)
    }
    let target = request.split(separator: " ").dropFirst().first ?? ""
    answer(String(target)).withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty, let count = try? client.write(UnsafeRawBufferPointer(rebasing: rest)) {
        rest = rest.dropFirst(count)
        if count == 0, client.wait(for: .writable, until: nil, interruptedBy: end) != .ready { return }
      }
    }
  }
}
