import Foundation
import Testing

/// A command that runs in a terminal of its own, as programs say what they have to say at once only there.
final class RunningProgram: Sendable {
  private let process: Process
  private let said: Lines
  private let ends: AsyncStream<Int32>

  init(_ command: String, in folder: URL, environment: [String: String]) throws {
    var (terminal, inside): (Int32, Int32) = (-1, -1)
    try #require(openpty(&terminal, &inside, nil, nil, nil) == 0)
    let screen = FileHandle(fileDescriptor: inside, closeOnDealloc: true)
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "exec \(command)"]
    process.currentDirectoryURL = folder
    process.environment = environment
    process.standardOutput = screen
    process.standardError = screen
    let (ends, end) = AsyncStream.makeStream(of: Int32.self)
    self.ends = ends
    process.terminationHandler = {
      end.yield($0.terminationStatus)
      end.finish()
    }
    try process.run()
    try screen.close()
    said = Lines(of: terminal)
  }

  /// The next lines, as many as there are until the end.
  func lines(_ count: Int) async -> [String] { await said.next(count) }

  /// How it ended.
  func status() async -> Int32? {
    for await status in ends { return status }
    return nil
  }

  /// Asks it to end, as Ctrl-C does.
  func interrupt() { if process.isRunning { process.interrupt() } }

  /// Ends it, as Ctrl-C does.
  func end() async {
    interrupt()
    _ = await status()
  }
}

/// The lines that come to a terminal. A thread takes them all, so that who writes never waits.
private struct Lines: Sendable {
  private let lines: AsyncStream<String>

  init(of terminal: Int32) {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    Thread.detachNewThread {
      var rest: [UInt8] = []
      var bytes = [UInt8](repeating: 0, count: 4_096)
      // At the end of all who write, a terminal gives an error, or nothing.
      while case let count = read(terminal, &bytes, bytes.count), count > 0 {
        rest += bytes.prefix(count).filter { $0 != UInt8(ascii: "\r") }
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest.removeSubrange(...end)
        }
      }
      close(terminal)
      continuation.finish()
    }
  }

  func next(_ count: Int) async -> [String] {
    var next: [String] = []
    if count == 0 { return next }
    for await line in lines {
      next.append(line)
      if next.count == count { break }
    }
    return next
  }
}
