import BuiltPrograms
import Foundation
import Synchronization
import Testing

/// The built `signal-viz` in a terminal of its own.
final class PseudoTerminal: Sendable {
  private let process = Process()
  private let terminal: Int32
  private let pieces: AsyncStream<String>
  private let ends: AsyncStream<Int32>
  private let written = Mutex("")

  init(_ arguments: [String], columns: UInt16, lines: UInt16, in folder: URL) throws {
    var (outside, inside): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&outside, &inside, nil, nil, &size) == 0)
    let terminal = outside
    self.terminal = terminal
    let screen = FileHandle(fileDescriptor: inside, closeOnDealloc: true)
    process.executableURL = try BuiltProgram.file("signal-viz")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SIGNAL_VIZ_DIRECTORY": folder.path + "/sockets", "TERM": "xterm"]) { _, new in new }
    process.standardInput = screen
    process.standardOutput = screen
    process.standardError = screen
    let (ends, end) = AsyncStream.makeStream(of: Int32.self)
    self.ends = ends
    process.terminationHandler = {
      end.yield($0.terminationStatus)
      end.finish()
    }
    let (pieces, piece) = AsyncStream.makeStream(of: String.self)
    self.pieces = pieces
    try process.run()
    try screen.close()
    // It takes all that comes, so that who writes never waits; it ends when nobody has the terminal any more.
    Thread.detachNewThread {
      var all: [UInt8] = []
      var bytes = [UInt8](repeating: 0, count: 4_096)
      while case let count = read(terminal, &bytes, bytes.count), count > 0 {
        all += bytes.prefix(count)
        piece.yield(String(decoding: all, as: UTF8.self))
      }
      piece.finish()
      close(terminal)
    }
  }

  deinit { process.terminate() }

  /// Waits until something has been written since the start; false if it ends before.
  func shows(_ text: String) async -> Bool {
    // It may have been written with what was waited for before.
    if written.withLock({ $0.contains(text) }) { return true }
    for await all in pieces {
      written.withLock { $0 = all }
      if all.contains(text) { return true }
    }
    return false
  }

  /// What has been written, as far as it was waited for.
  var all: String { written.withLock { $0 } }

  func type(_ keys: String) { _ = keys.withCString { write(terminal, $0, strlen($0)) } }

  /// Makes it another size; a terminal that is not the process's own does not tell it by itself.
  func resize(columns: UInt16, lines: UInt16) {
    var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    kill(process.processIdentifier, SIGWINCH)
  }

  /// How it ended.
  func status() async -> Int32? {
    for await status in ends { return status }
    return nil
  }
}
