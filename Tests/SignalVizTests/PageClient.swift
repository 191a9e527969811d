import Foundation

/// Speaks to the server of the live page as a browser does, but says what it likes.
struct PageClient: Sendable {
  struct Answer: Sendable {
    var status: Int
    var head: String
    var body: String

    /// The value of a header.
    func header(_ name: String) -> String? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
        .map { String($0.dropFirst(name.count + 2)) }
    }
  }

  /// An event that the server tells.
  struct Event: Sendable {
    var name: String
    var data: String

    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
      try JSONDecoder().decode(type, from: Data(data.utf8))
    }
  }

  let port: UInt16
  let token: String

  /// Starts the command, and reads its address.
  static func start(in folder: URL, _ arguments: String...) async throws -> (tool: RunningTool, client: PageClient) {
    let tool = try RunningTool(["serve"] + arguments, in: folder)
    let said = await tool.line { _ in true } ?? "nothing"
    guard
      let match = said.wholeMatch(
        of: /The live page is at http:\/\/127\.0\.0\.1:([0-9]+)\/\?token=([0-9a-f]{32}) Press Ctrl-C to stop\./),
      let port = UInt16(match.1)
    else { throw Unexpected(said: said) }
    return (tool, PageClient(port: port, token: String(match.2)))
  }

  struct Unexpected: Error { var said: String }

  /// Asks for a path with the token.
  func get(_ path: String, _ items: String = "") async throws -> Answer {
    try await send("GET \(path)?token=\(token)\(items) HTTP/1.0\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
  }

  /// Sends a text, and returns what comes until the end.
  func send(_ request: String) async throws -> Answer {
    let connection = try Connection(port: port)
    try connection.write(request)
    let text = await connection.text()
    guard let end = text.range(of: "\r\n\r\n"), let status = text.split(separator: " ").dropFirst().first else {
      throw Unexpected(said: text)
    }
    return Answer(
      status: Int(status) ?? 0, head: String(text[..<end.lowerBound]), body: String(text[end.upperBound...]))
  }

  /// Listens to what the server tells, until it is let go of.
  func events(_ items: String = "") throws -> Events {
    let connection = try Connection(port: port)
    try connection.write("GET /events?token=\(token)\(items) HTTP/1.0\r\nHost: localhost:\(port)\r\n\r\n")
    return Events(connection)
  }

  /// The events of a connection.
  final class Events: Sendable {
    private let connection: Connection
    private let stream: AsyncStream<Event>

    init(_ connection: Connection) {
      self.connection = connection
      let (stream, events) = AsyncStream.makeStream(of: Event.self)
      self.stream = stream
      Thread.detachNewThread {
        var rest = ""
        while let more = connection.read() {
          rest += more
          while let end = rest.range(of: "\n\n") {
            let lines = rest[..<end.lowerBound].split(whereSeparator: \.isNewline)
            rest = String(rest[end.upperBound...])
            guard let name = lines.first(where: { $0.hasPrefix("event: ") }),
              let data = lines.first(where: { $0.hasPrefix("data: ") })
            else { continue }
            events.yield(Event(name: String(name.dropFirst(7)), data: String(data.dropFirst(6))))
          }
        }
        events.finish()
      }
    }

    deinit { connection.end() }

    /// The next event of a name for which something is so; nil when there is none until the end.
    func next(_ name: String, where isWanted: (Event) throws -> Bool = { _ in true }) async throws -> Event? {
      for await event in stream where event.name == name {
        if try isWanted(event) { return event }
      }
      return nil
    }
  }

  /// A connection to a port of this machine, whose calls wait.
  final class Connection: Sendable {
    private let descriptor: Int32

    init(port: UInt16) throws {
      #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #endif
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
      }
      guard status == 0 else { throw Unexpected(said: String(cString: strerror(errno))) }
    }

    deinit { close(descriptor) }

    func write(_ text: String) throws {
      let bytes = Array(text.utf8)
      #if canImport(Darwin)
        let flags: Int32 = 0
      #else
        let flags = Int32(truncatingIfNeeded: MSG_NOSIGNAL)
      #endif
      guard Foundation.send(descriptor, bytes, bytes.count, flags) == bytes.count else {
        throw Unexpected(said: String(cString: strerror(errno)))
      }
    }

    /// What has come; nil at the end.
    func read() -> String? {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// All that comes.
    func text() async -> String {
      await withCheckedContinuation { done in
        Thread.detachNewThread {
          var text = ""
          while let more = self.read() { text += more }
          done.resume(returning: text)
        }
      }
    }
  }
}
