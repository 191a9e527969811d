import Foundation
import SignalPicture

/// What is said: the result, and what is said beside it.
enum Terminal {
  /// Writes a result to standard output.
  static func write(_ data: Data) throws {
    do {
      try data.write(to: STDOUT_FILENO)
    } catch let error as WriteError {
      throw Failure("The result cannot be written to the standard output: \(error).")
    }
  }

  /// Writes a line of the result to standard output.
  static func write(line: String) throws { try write(Data((line + "\n").utf8)) }

  /// A line on standard error.
  static func note(_ words: String) {
    // Standard error may be closed or full; there is nobody left to tell.
    try? Data((words.withVisibleControls + "\n").utf8).write(to: STDERR_FILENO)
  }
}

/// What the system says about bytes that cannot be written.
struct WriteError: Error, CustomStringConvertible {
  /// The system's number of the error.
  var number: Int32

  /// Such as "there is no space left on the disk; make room there, or choose another place".
  var description: String {
    switch number {
    case ENOSPC: "there is no space left on the disk; make room there, or choose another place"
    case EDQUOT: "your share of the disk is used up; make room there, or choose another place"
    case EFBIG: "the file gets larger than it may; raise the limit, or choose another place"
    case EBADF: "it is closed; open it, or choose another place"
    default: "\(String(cString: strerror(number))); choose another place"
    }
  }
}

extension Data {
  /// Writes all of the bytes to a file that is open.
  ///
  /// - Throws: A ``WriteError``. Foundation's own calls say only that something could not be saved.
  func write(to descriptor: Int32) throws {
    var rest = self[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // A pipe or a terminal that others have asked not to be waited for.
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wanted, 1, -1)
      } else if errno != EINTR {
        throw WriteError(number: errno)
      }
    }
  }
}

extension String {
  /// The text with its line ends and tabs as they are, and any other character that could steer a terminal as `\u{1B}`.
  var withVisibleControls: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar.properties.generalCategory {
      case .control where scalar != "\n" && scalar != "\t", .format where scalar != "\u{200D}" && scalar != "\u{200C}",
        .lineSeparator, .paragraphSeparator:
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
