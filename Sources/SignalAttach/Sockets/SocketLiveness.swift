#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Whether a process still serves a socket.
public enum SocketLiveness: Hashable, Sendable {
  /// A process accepts connections.
  case live
  /// Connections are refused: the process that made the socket is gone.
  case dead
  /// There is no such file.
  case missing
  /// It cannot be told, for the reason given.
  case unknown(reason: String)
}

extension SocketFile {
  /// Connects to the socket and hangs up at once, to see whether a process serves it. Never waits.
  public func liveness() throws(AttachError) -> SocketLiveness { try Self.liveness(of: path) }

  private static func liveness(of path: String) throws(AttachError) -> SocketLiveness {
    try withAddress(of: path) { (address, length) throws(AttachError) -> SocketLiveness in
      #if canImport(Glibc)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      #else
        let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
      #endif
      guard descriptor >= 0 else { return .unknown(reason: systemMessage(errno)) }
      defer { close(descriptor) }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      if connect(descriptor, address, length) == 0 { return .live }
      let code = errno
      return switch code {
      // A full queue of waiting connections: somebody listens.
      case EAGAIN, EINPROGRESS: .live
      case ECONNREFUSED: .dead
      case ENOENT: .missing
      default: .unknown(reason: systemMessage(code))
      }
    }
  }

  /// Removes the socket when it is certain that it is this user's and that no process serves it.
  ///
  /// - Returns: whether it was removed.
  @discardableResult
  public func removeIfDead() throws(AttachError) -> Bool { try Self.removeIfDead(path) }

  /// Removes what a process left that ended while it set its socket up.
  func removeUnfinished() throws(AttachError) {
    // Between bind and listen, a socket of a live process refuses connections too.
    guard kill(pid, 0) != 0, errno == ESRCH else { return }
    try Self.removeIfDead(temporaryPath)
  }

  @discardableResult
  private static func removeIfDead(_ path: String) throws(AttachError) -> Bool {
    guard let status = try FileStatus.read(path), status.kind == .socket, status.owner == geteuid(),
      try liveness(of: path) == .dead
    else { return false }
    guard unlink(path) == 0 || errno == ENOENT else {
      throw .cannotRemove(path: path, reason: systemMessage(errno))
    }
    return true
  }
}

extension SocketDirectory {
  /// Removes this user's dead sockets; live ones and those of other users stay.
  ///
  /// - Returns: the sockets that were removed.
  @discardableResult
  public func removeDeadSockets() throws(AttachError) -> [SocketFile] {
    for socket in try unfinishedSockets() { try socket.removeUnfinished() }
    var removed: [SocketFile] = []
    for socket in try sockets() where try socket.removeIfDead() { removed.append(socket) }
    return removed
  }
}
