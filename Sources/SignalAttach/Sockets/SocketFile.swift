package import SignalGraph

/// The socket of one inspected process, identified by its name in the socket directory.
///
/// The file name is `<pid>-<start time>.sock`, the start time in whole milliseconds since 1 January 1970 UTC. The start
/// time distinguishes a process from an earlier one with the same identifier.
package struct SocketFile: Hashable, Sendable {
  /// The directory that holds the socket, without a slash at its end.
  package var directory: String
  /// The identifier of the process that serves the socket.
  package var pid: Int32
  /// The start time of that process, in milliseconds since 1 January 1970 UTC.
  package var startedAtMilliseconds: Int64

  /// Creates the description of the socket of `process` in `directory`; no file is created.
  ///
  /// - Parameters:
  ///   - directory: The directory, without a slash at its end.
  ///   - process: The process that serves the socket.
  package init(directory: String, process: ProcessIdentity) {
    self.directory = directory
    self.pid = process.pid
    self.startedAtMilliseconds = Int64(exactly: (process.startedAt * 1_000).rounded()) ?? 0
  }

  /// Parses the name of a file in `directory`; `nil` if it is not the name of a socket of this protocol.
  ///
  /// - Parameters:
  ///   - directory: The directory, without a slash at its end.
  ///   - fileName: The name without its directory.
  package init?(directory: String, fileName: String) {
    guard fileName.hasSuffix(Self.suffix), let stem = Self.parse(stem: fileName.dropLast(Self.suffix.count)) else {
      return nil
    }
    self.directory = directory
    (pid, startedAtMilliseconds) = stem
  }

  /// The name without its directory: `<pid>-<start time>.sock`.
  package var fileName: String { stem + Self.suffix }

  /// The whole path.
  package var path: String { "\(directory)/\(fileName)" }

  /// The path that the socket is bound to before it is ready; never listed as a socket.
  ///
  /// It is exactly as long as `path`, so that a path that can be bound can also be connected to.
  package var temporaryPath: String { "\(directory)/\(Self.temporaryPrefix)\(stem)\(Self.temporarySuffix)" }

  /// Parses the name of a socket that its process has not finished setting up.
  init?(directory: String, temporaryFileName name: String) {
    guard name.hasPrefix(Self.temporaryPrefix), name.hasSuffix(Self.temporarySuffix),
      name.utf8.count > Self.temporaryPrefix.utf8.count + Self.temporarySuffix.utf8.count,
      let stem = Self.parse(stem: name.dropFirst(Self.temporaryPrefix.count).dropLast(Self.temporarySuffix.count))
    else { return nil }
    self.directory = directory
    (pid, startedAtMilliseconds) = stem
  }

  private static let suffix = ".sock"
  private static let temporaryPrefix = "."
  private static let temporarySuffix = ".tmp"

  private var stem: String { "\(pid)-\(startedAtMilliseconds)" }

  /// Accepts only the format of `stem`: two plain numbers without signs or leading zeros.
  private static func parse(stem: Substring) -> (pid: Int32, startedAt: Int64)? {
    let parts = stem.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let pid = Int32(parts[0]), pid > 0, let startedAt = Int64(parts[1]), startedAt >= 0,
      "\(pid)-\(startedAt)" == stem
    else { return nil }
    return (pid, startedAt)
  }
}
