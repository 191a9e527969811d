import Foundation

/// A copy of a process's graph next to its socket, which the process rewrites while it runs: for processes that were
/// killed.
package struct KeptGraphFile: Hashable, Sendable {
  /// The socket of the process.
  package var socket: SocketFile

  private static let suffix = ".graph"

  /// Creates the description of the copy for a socket; no file is created.
  ///
  /// - Parameter socket: The socket of the process.
  package init(of socket: SocketFile) { self.socket = socket }

  /// Parses the name of a file in `directory`; `nil` if it is not the name of such a copy.
  ///
  /// - Parameters:
  ///   - directory: The directory, without a slash at its end.
  ///   - fileName: The name without its directory.
  package init?(directory: String, fileName: String) {
    guard fileName.hasSuffix(Self.suffix),
      let socket = SocketFile(directory: directory, fileName: fileName.dropLast(Self.suffix.count) + ".sock")
    else { return nil }
    self.socket = socket
  }

  /// The whole path.
  package var path: String { socket.path.dropLast(".sock".count) + Self.suffix }

  /// Whether its process has exited: while it lives its socket exists, and at a regular exit it removes the socket
  /// after the copy.
  ///
  /// - Throws: ``AttachError/pathTooLong(path:length:limit:)``.
  package func isLeft() throws(AttachError) -> Bool {
    switch try socket.liveness() {
    case .dead, .missing: true
    case .live, .unknown: false
    }
  }
}

extension SocketDirectory {
  /// The copies of this user's graphs in the directory, ordered by the start times of their processes; none if the
  /// directory is missing.
  ///
  /// - Throws: ``AttachError`` if the directory is not safe to use.
  package func keptGraphs() throws(AttachError) -> [KeptGraphFile] {
    guard try verify() else { return [] }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw .cannotExamine(path: path, reason: error.localizedDescription)
    }
    return names.compactMap { KeptGraphFile(directory: path, fileName: $0) }.filter { file in
      var status = stat()
      return lstat(file.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
    }.sorted {
      ($0.socket.startedAtMilliseconds, $0.socket.pid) < ($1.socket.startedAtMilliseconds, $1.socket.pid)
    }
  }
}
