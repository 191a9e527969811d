import Dispatch
import Foundation

/// A full-screen terminal. The previous content is restored afterwards.
final class Screen {
  /// The events to wait for.
  enum Event: Equatable {
    case key(Character)
    case resized
    case interrupted
    case timeout
  }

  private let interruption: Interruption
  private let resizes: any DispatchSourceSignal
  private let resized = Pipe()
  private var before = termios()
  private let hasKeys: Bool

  /// Whether there is a terminal that supports full-screen output.
  static var isPossible: Bool {
    isatty(STDOUT_FILENO) == 1 && !["", "dumb"].contains(ProcessInfo.processInfo.environment["TERM"] ?? "")
  }

  init(interruption: Interruption) throws {
    self.interruption = interruption
    hasKeys = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &before) == 0
    let end = resized.fileHandleForWriting
    resizes = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: DispatchQueue(label: "signal-viz.screen"))
    resizes.setEventHandler {
      // A full pipe carries the signal already.
      try? end.write(contentsOf: Data([0]))
    }
    resizes.resume()
    if hasKeys {
      var raw = before
      raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
      // Ctrl-Z would leave the shell on this screen.
      withUnsafeMutableBytes(of: &raw.c_cc) { $0[Int(VSUSP)] = Self.disabled }
      // Not while in the background, where the process would be stopped.
      let owner = tcgetpgrp(STDIN_FILENO)
      if owner == -1 || owner == getpgrp() { tcsetattr(STDIN_FILENO, TCSANOW, &raw) }
    }
    let old = hasKeys ? before : nil
    interruption.beforeEndAtOnce { Self.restore(old) }
    // Switches to the alternate screen and hides the cursor.
    try Terminal.write(Data("\u{1B}[?1049h\u{1B}[?25l".utf8))
  }

  /// The value that disables a key.
  private static let disabled: UInt8 = {
    #if canImport(Darwin)
      0xFF
    #else
      0
    #endif
  }()

  /// Restores the previous content.
  func leave() {
    if hasKeys { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
    try? Terminal.write(Self.leaving)
    interruption.beforeEndAtOnce {}
    resizes.cancel()
  }

  /// Shows the cursor, and switches back.
  private static let leaving = Data("\u{1B}[?25h\u{1B}[?1049l".utf8)

  /// Does the same without waiting for a terminal that takes no output.
  private static func restore(_ keys: termios?) {
    if var keys { tcsetattr(STDIN_FILENO, TCSANOW, &keys) }
    var wanted = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    if poll(&wanted, 1, 0) == 1, wanted.revents & Int16(POLLOUT) != 0 { try? Terminal.write(leaving) }
  }

  /// The number of columns and lines.
  var size: (columns: Int, lines: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Draws lines from the top; lines that do not fit are dropped. The line with the given index is drawn as a heading.
  func draw(_ lines: [String], heading: Int) throws {
    var text = "\u{1B}[H"
    for (index, line) in lines.prefix(size.lines).enumerated() {
      if index > 0 { text += "\r\n" }
      text += index == heading ? "\u{1B}[7m\(line)\u{1B}[K\u{1B}[m" : "\(line)\u{1B}[K"
    }
    try Terminal.write(Data((text + "\u{1B}[J").utf8))
  }

  /// Waits for a key, a change of size, or an interruption, until a deadline at most.
  func wait(until deadline: ContinuousClock.Instant) -> Event {
    while true {
      let rest = max(.zero, deadline - .now)
      let milliseconds = Int32(clamping: Int64((rest / .milliseconds(1)).rounded(.up)))
      var wanted = [interruption.descriptor, resized.fileHandleForReading.fileDescriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      if hasKeys { wanted.append(pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)) }
      let count = poll(&wanted, nfds_t(wanted.count), milliseconds)
      if count > 0 {
        if wanted[0].revents != 0 { return .interrupted }
        if wanted[1].revents != 0 {
          _ = Self.read(wanted[1].fd, atMost: 64)
          return .resized
        }
        if wanted.count > 2, wanted[2].revents != 0 {
          // A closed terminal has nothing to read.
          guard let key = Self.read(STDIN_FILENO, atMost: 1) else { return .interrupted }
          return .key(Character(Unicode.Scalar(key)))
        }
      }
      if ContinuousClock.now >= deadline { return .timeout }
    }
  }

  /// Reads available bytes.
  ///
  /// - Returns: The first byte; nil at the end of the input.
  private static func read(_ descriptor: Int32, atMost count: Int) -> UInt8? {
    var bytes = [UInt8](repeating: 0, count: count)
    return Foundation.read(descriptor, &bytes, count) > 0 ? bytes[0] : nil
  }
}
