/// The reason why two processes cannot connect by a socket. Every message contains the error, its location, and the
/// remedy.
public enum AttachError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path does not fit into a socket address.
  case pathTooLong(path: String, length: Int, limit: Int)
  /// The socket directory's path is not absolute.
  case pathNotAbsolute(path: String)
  /// The socket directory cannot be created.
  case cannotCreate(path: String, reason: String)
  /// A directory or file cannot be examined.
  case cannotExamine(path: String, reason: String)
  /// A symbolic link is at the path of the socket directory.
  case symbolicLink(path: String)
  /// A file other than a directory is at the path of the socket directory.
  case notADirectory(path: String)
  /// The socket directory belongs to another user.
  case foreignOwner(path: String, owner: UInt32, expected: UInt32)
  /// Other users may enter the socket directory.
  case modeTooWide(path: String, mode: UInt32)
  /// A stale socket cannot be removed.
  case cannotRemove(path: String, reason: String)
  /// The other side uses a newer version of the protocol.
  case newerProtocol(theirs: Int, ours: Int)

  /// The message for the user.
  public var description: String {
    switch self {
    case .pathTooLong(let path, let length, let limit):
      "socket path is too long: \(path) has \(length) bytes, a socket address (sun_path) holds \(limit); "
        + "set \(SocketDirectory.environmentKey) to a shorter directory"
    case .pathNotAbsolute(let path):
      "socket directory '\(path)' is not an absolute path; give one that starts with '/'"
    case .cannotCreate(let path, let reason):
      "cannot create the socket directory \(path): \(reason); "
        + "set \(SocketDirectory.environmentKey) to a directory that you may write to"
    case .cannotExamine(let path, let reason):
      "cannot examine \(path): \(reason); check that you may read it"
    case .symbolicLink(let path):
      "socket directory \(path) is a symbolic link, which somebody else may have placed; remove it and try again"
    case .notADirectory(let path):
      "socket directory \(path) is not a directory; remove it and try again"
    case .foreignOwner(let path, let owner, let expected):
      "socket directory \(path) belongs to user \(owner), not to user \(expected); "
        + "remove it, or set \(SocketDirectory.environmentKey) to a directory of your own"
    case .modeTooWide(let path, let mode):
      "socket directory \(path) is open to other users (mode \(String(mode, radix: 8))); run: chmod 700 '\(path)'"
    case .cannotRemove(let path, let reason):
      "cannot remove the dead socket \(path): \(reason); remove it by hand"
    case .newerProtocol(let theirs, let ours):
      "the process speaks version \(theirs) of the attach protocol, this side only \(ours); update signal-viz"
    }
  }
}
