import Foundation
import SignalGraph
import Synchronization

/// A client of the inspector, in a process of its own: asks for the whole graph again and again, or records, while it is told to.
package struct AskingClient: Sendable {
  package static let interval = Duration.milliseconds(100)

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Starts a client that rests.
  ///
  /// - Parameter arguments: Those of this program that make it call ``ask(_:)``.
  init(arguments: [String]) throws {
    process.executableURL = Bundle.main.executableURL
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Lets it ask every 100 milliseconds.
  func ask() throws { try input.fileHandleForWriting.write(contentsOf: Data("ask\n".utf8)) }

  /// Lets it record, as `signal-viz record` does; it does so when this returns.
  func record() throws {
    try input.fileHandleForWriting.write(contentsOf: Data("record\n".utf8))
    _ = try number()
  }

  /// Lets it rest.
  ///
  /// - Returns: How many answers it got; where it recorded, how many events.
  func rest() throws -> Int {
    try input.fileHandleForWriting.write(contentsOf: Data("rest\n".utf8))
    return try number()
  }

  private func number() throws -> Int {
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) {
      line += byte
    }
    return Int(String(decoding: line, as: UTF8.self)) ?? 0
  }

  /// Ends it.
  func end() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// What the process of the client does: asks a program's socket while it is told to on its input.
  package static func serve(_ socketPath: String) throws {
    let work = Mutex("rest")
    let answers = Mutex(0)
    let thread = Thread {
      var next = ContinuousClock.now
      var event: UInt64?
      while true {
        switch work.withLock({ $0 }) {
        case "ask":
          if !answer(of: socketPath, to: "/snapshot").isEmpty { answers.withLock { $0 += 1 } }
        case "record":
          var isFull = true
          while isFull, work.withLock({ $0 == "record" }) {
            let isFirst = event == nil
            guard let events = events(of: socketPath, from: event) else { break }
            event = events.next
            answers.withLock { $0 += events.events.count }
            isFull = events.events.count == RecordedEvents.largestCount
            if isFirst { try? FileHandle.standardOutput.write(contentsOf: Data("0\n".utf8)) }
          }
        default: event = nil
        }
        next = max(next + interval, .now)
        Thread.sleep(forTimeInterval: (next - .now) / .seconds(1))
      }
    }
    thread.start()
    while let line = readLine() {
      work.withLock { $0 = line }
      guard line == "rest" else { continue }
      let count = answers.withLock { answers in
        defer { answers = 0 }
        return answers
      }
      try FileHandle.standardOutput.write(contentsOf: Data("\(count)\n".utf8))
    }
  }

  /// What the benchmark reads of an answer to `/events`.
  private struct RecordedEvents: Decodable {
    /// How many events one answer has at most.
    static let largestCount = 10_000

    var next: UInt64
    var events: [GraphEvent]
  }

  /// Asks for events, and reads them.
  private static func events(of socketPath: String, from number: UInt64?) -> RecordedEvents? {
    let answer = answer(of: socketPath, to: "/events?" + (number.map { "from=\($0)&" } ?? "") + "seconds=1")
    guard let head = answer.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
    return try? JSONDecoder().decode(RecordedEvents.self, from: answer[head.upperBound...])
  }

  /// Asks once, and returns what came.
  private static func answer(of socketPath: String, to target: String) -> Data {
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    let request = Array("GET \(target) HTTP/1.0\r\n\r\n".utf8)
    guard isConnected, write(socket, request, request.count) == request.count else { return Data() }
    var answer = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let read = read(socket, &buffer, buffer.count)
      guard read > 0 else { return answer }
      answer += buffer.prefix(read)
    }
  }
}
