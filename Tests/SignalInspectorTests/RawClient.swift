import Foundation
import SignalAttach

/// A client that does exactly what a test says. It waits for the server, for at most 30 seconds each time.
final class RawClient {
  struct TooLate: Error {}
  struct ServerLeft: Error {}

  private let socket: LocalSocket
  private var isOpen = true

  init(_ path: String) throws {
    socket = try .connected(to: path)
  }

  deinit { hangUp() }

  func hangUp() {
    guard isOpen else { return }
    isOpen = false
    socket.close()
  }

  func send(_ text: String) throws { try send(bytes: Array(text.utf8)) }

  func send(bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = try socket.write(UnsafeRawBufferPointer(rebasing: rest))
        rest = rest.dropFirst(count)
        if count == 0 { try wait(for: .writable) }
      }
    }
  }

  func get(_ target: String) throws { try send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n") }

  func readSome() throws -> String {
    guard let bytes = try nextBytes() else { throw ServerLeft() }
    return String(decoding: bytes, as: UTF8.self)
  }

  func readToEnd() throws -> String {
    var all: [UInt8] = []
    while let bytes = try nextBytes() { all += bytes }
    return String(decoding: all, as: UTF8.self)
  }

  func readUntil(_ text: String) throws -> String {
    var all = ""
    while !all.contains(text) { all += try readSome() }
    return all
  }

  /// What comes next; `nil` when the server has ended the connection.
  private func nextBytes() throws -> [UInt8]? {
    while true {
      if let bytes = try socket.read(atMost: 65_536) { return bytes.isEmpty ? nil : bytes }
      try wait(for: .readable)
    }
  }

  private func wait(for event: LocalSocket.Event) throws {
    if socket.wait(for: event, until: .now + .seconds(300)) == .timedOut { throw TooLate() }
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
