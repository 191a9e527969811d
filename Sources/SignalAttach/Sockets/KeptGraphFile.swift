import Foundation

/// A copy of a process's graph beside its socket, which the process renews while it runs: what is left of one that was killed.
public struct KeptGraphFile: Hashable, Sendable {
  /// The socket of the process.
  public var socket: SocketFile

  private static let suffix = ".graph"

  /// Makes the description of the copy that belongs to a socket; nothing is created.
  ///
  /// - Parameter socket: The socket of the process.
  public init(of socket: SocketFile) { self.socket = socket }

  /// Parses the name of a file in `directory`; `nil` when it is no name of such a copy.
  ///
  /// - Parameters:
  ///   - directory: The directory, without a slash at its end.
  ///   - fileName: The name without its directory.
  public init?(directory: String, fileName: String) {
    guard fileName.hasSuffix(Self.suffix),
      let socket = SocketFile(directory: directory, fileName: fileName.dropLast(Self.suffix.count) + ".sock")
    else { return nil }
    self.socket = socket
  }

  /// The whole path.
  public var path: String { socket.path.dropLast(".sock".count) + Self.suffix }

  /// Whether the process is gone that made it: as long as it lives its socket is there, and is gone after the copy where it ends by itself.
  ///
  /// - Throws: ``AttachError/pathTooLong(path:length:limit:)``.
  public func isLeft() throws(AttachError) -> Bool {
    switch try socket.liveness() {
    case .dead, .missing: true
    case .live, .unknown: false
    }
  }
}

extension SocketDirectory {
  /// The copies of graphs of this user in the directory, ordered by when their processes started; none when the directory is missing.
  ///
  /// - Throws: ``AttachError`` when the directory is not safe to use.
  public func keptGraphs() throws(AttachError) -> [KeptGraphFile] {
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
