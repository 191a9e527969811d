import Foundation
import SignalPicture

/// Writes results to standard output and messages to standard error.
enum Terminal {
  /// Writes a result to standard output.
  static func write(_ data: Data) throws {
    do {
      try data.write(to: STDOUT_FILENO)
    } catch let error as WriteError {
      throw Failure("The result cannot be written to the standard output: \(error).")
    }
  }

  /// Writes a result in JSON to standard output. Characters that could control a terminal are escaped, even where JSON
  /// would allow them.
  static func write(json data: Data) throws { try write(data.withEscapedControls) }

  /// Writes a line of the result to standard output.
  static func write(line: String) throws { try write(Data((line + "\n").utf8)) }

  /// Writes a line to standard error.
  static func note(_ words: String) {
    // An argument, such as the name of a file, stays on its line.
    let lines = CommandLine.arguments.filter { $0.contains(where: \.isNewline) }.reduce(words) { words, argument in
      words.replacingOccurrences(of: argument, with: argument.withVisibleLineEnds, options: .literal)
    }
    // Standard error may be closed or full, which cannot be reported.
    try? Data((lines.withVisibleControls + "\n").utf8).write(to: STDERR_FILENO)
  }
}

/// The error for bytes that cannot be written.
struct WriteError: Error, CustomStringConvertible {
  /// The system's error number.
  var number: Int32

  /// Such as "there is no space left on the disk; free space there, or choose another path".
  var description: String {
    switch number {
    case ENOSPC: "there is no space left on the disk; free space there, or choose another path"
    case EDQUOT: "the disk quota is exceeded; free space there, or choose another path"
    case EFBIG: "the file exceeds its size limit; raise the limit, or choose another path"
    case EBADF: "it is closed; open it, or choose another path"
    case EROFS: "its file system is read-only; choose another path"
    case EACCES, EPERM: "you have no write permission there; choose another path"
    default: "\(String(cString: strerror(number))); choose another path"
    }
  }
}

extension Data {
  /// Writes all of the bytes to an open file.
  ///
  /// - Throws: A ``WriteError``. Foundation's own calls say only that something could not be saved.
  func write(to descriptor: Int32) throws {
    var rest = self[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // A pipe or terminal that another process has set to non-blocking mode.
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wanted, 1, -1)
      } else if errno != EINTR {
        throw WriteError(number: errno)
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether the character could control a terminal, change the direction of the text after it, or begin a line.
  fileprivate var steersTerminals: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: self != "\u{200D}" && self != "\u{200C}"
    default: false
    }
  }
}

extension Data {
  /// The same JSON value, with line ends between its values but without anything else that could control a terminal.
  var withEscapedControls: Data {
    // The encoder escapes what is below 0x20, and most texts are ASCII.
    guard contains(where: { $0 >= 0x7F }) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: self, as: UTF8.self).unicodeScalars {
      if scalar != "\n", scalar.steersTerminals {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: true)
          text += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
        }
      } else {
        text.append(scalar)
      }
    }
    return Data(String(text).utf8)
  }
}

extension String {
  /// The text on one line.
  fileprivate var withVisibleLineEnds: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if scalar == "\n" { text += "\\u{A}" } else { text.unicodeScalars.append(scalar) }
    }
  }

  /// The text with its line ends and tabs unchanged, and any other character that could control a terminal as `\u{1B}`.
  var withVisibleControls: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if scalar != "\n", scalar != "\t", scalar.steersTerminals {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}
