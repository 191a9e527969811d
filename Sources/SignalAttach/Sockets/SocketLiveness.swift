#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  #error("SignalAttach needs Unix-domain sockets: it knows Darwin, Glibc, Musl and Android.")
#endif

/// Whether a process still serves a socket.
package enum SocketLiveness: Hashable, Sendable {
  /// A process accepts connections.
  case live
  /// Connections are refused: the process that created the socket has exited.
  case dead
  /// There is no such file.
  case missing
  /// It could not be determined, for the given reason.
  case unknown(reason: String)
}

extension SocketFile {
  /// Connects to the socket and hangs up at once, to check whether a process serves it. Never waits.
  package func liveness() throws(AttachError) -> SocketLiveness {
    try checkLength()
    return Self.liveness(of: path)
  }

  private static func liveness(of path: String) -> SocketLiveness {
    do throws(SystemCallError) {
      try LocalSocket.connected(to: path).close()
      return .live
    } catch {
      return switch error.code {
      // The queue of waiting connections is full: a process listens.
      case EAGAIN, EINPROGRESS: .live
      case ECONNREFUSED: .dead
      case ENOENT: .missing
      default: .unknown(reason: error.description)
      }
    }
  }

  /// Removes the socket if it is certainly this user's and not served by a process.
  ///
  /// - Returns: Whether it was removed.
  @discardableResult
  package func removeIfDead() throws(AttachError) -> Bool { try Self.removeIfDead(path) }

  /// Removes the name of a socket that this process serves, if it exists.
  package func remove() { unlink(path) }

  /// Removes the temporary file of a process that exited while setting up its socket.
  func removeUnfinished() throws(AttachError) {
    // Between bind and listen, a socket of a live process refuses connections too.
    guard kill(pid, 0) != 0, errno == ESRCH else { return }
    try Self.removeIfDead(temporaryPath)
  }

  @discardableResult
  private static func removeIfDead(_ path: String) throws(AttachError) -> Bool {
    guard let status = try FileStatus.read(path), status.kind == .socket, status.owner == geteuid(),
      liveness(of: path) == .dead
    else { return false }
    guard unlink(path) == 0 || errno == ENOENT else {
      throw .cannotRemove(path: path, reason: systemMessage(errno))
    }
    return true
  }
}

extension SocketDirectory {
  /// Removes this user's stale sockets; live ones and those of other users stay.
  ///
  /// - Returns: The sockets that were removed.
  @discardableResult
  package func removeDeadSockets() throws(AttachError) -> [SocketFile] {
    for socket in try unfinishedSockets() { try socket.removeUnfinished() }
    var removed: [SocketFile] = []
    for socket in try sockets() where try socket.removeIfDead() { removed.append(socket) }
    return removed
  }
}
