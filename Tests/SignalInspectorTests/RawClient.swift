import FlyingSocks
import Foundation

/// A client that does exactly what a test says. Its reads wait for the server, for at most 30 seconds.
final class RawClient {
  private let socket: Socket
  private var isOpen = true

  init(_ path: String) throws {
    socket = try Socket(domain: AF_UNIX)
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(socket.file.rawValue, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    try socket.connect(to: .unix(path: path))
  }

  deinit { hangUp() }

  func hangUp() {
    guard isOpen else { return }
    isOpen = false
    try? socket.close()
  }

  func send(_ text: String) throws {
    let data = Data(text.utf8)
    var position = data.startIndex
    while position < data.endIndex { position = try socket.write(data, from: position) }
  }

  func get(_ target: String) throws { try send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n") }

  func readSome() throws -> String { String(decoding: try socket.read(atMost: 4_096), as: UTF8.self) }

  func readToEnd() throws -> String {
    var bytes: [UInt8] = []
    while true {
      do { bytes += try socket.read(atMost: 65_536) } catch SocketError.disconnected { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func readUntil(_ text: String) throws -> String {
    var all = ""
    while !all.contains(text) { all += try readSome() }
    return all
  }

  /// The whole answer to one request.
  static func ask(_ path: String, _ request: String) throws -> String {
    let client = try RawClient(path)
    try client.send(request)
    return try client.readToEnd()
  }

  /// The whole answer to `GET target`, in the form without chunks.
  static func get(_ path: String, _ target: String) throws -> String {
    try ask(path, "GET \(target) HTTP/1.0\r\n\r\n")
  }
}

extension String {
  var statusCode: String { String(split(separator: " ").dropFirst().first ?? "") }
  var body: String { range(of: "\r\n\r\n").map { String(self[$0.upperBound...]) } ?? "" }
}
