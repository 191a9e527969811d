import FlyingSocks
import Foundation
import SignalAttach
import SignalGraph
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A Unix-domain socket that accepts connections under its final name, from the moment that name exists.
///
/// It is bound under a temporary name, made private, set to listen, and only then renamed: a client never meets a
/// socket that is open to others or not served yet.
struct ListeningSocket: Sendable {
  let socket: Socket
  let path: String

  /// The paths that this process serves. A name belongs to one process, so no other one can be in the way.
  private static let served = Mutex<Set<String>>([])

  init(in directory: SocketDirectory) throws {
    let file = SocketFile(directory: directory.path, process: .current)
    try file.checkLength()
    try directory.prepare()
    guard Self.served.withLock({ $0.insert(file.path).inserted }) else {
      throw InspectorError.alreadyServing(path: file.path)
    }
    do {
      // Litter of earlier processes must not keep this one from starting.
      _ = try? directory.removeDeadSockets()
      socket = try Self.makeSocket(file)
      path = file.path
    } catch {
      Self.served.withLock { _ = $0.remove(file.path) }
      throw error
    }
  }

  /// Removes the name and stops to listen.
  func close() {
    unlink(path)
    try? socket.close()
    Self.served.withLock { _ = $0.remove(path) }
  }

  private static func makeSocket(_ file: SocketFile) throws -> Socket {
    let socket = try Socket(domain: AF_UNIX)
    do {
      try socket.closeOnExecution()
      try socket.setFlags(.nonBlocking)
      unlink(file.temporaryPath)
      try socket.bind(to: .unix(path: file.temporaryPath))
      guard chmod(file.temporaryPath, 0o600) == 0 else { throw SocketError.makeFailed("chmod") }
      try socket.listen()
      guard rename(file.temporaryPath, file.path) == 0 else { throw SocketError.makeFailed("rename") }
      return socket
    } catch {
      unlink(file.temporaryPath)
      try? socket.close()
      throw InspectorError.cannotServe(path: file.path, reason: error.localizedDescription)
    }
  }
}

extension Socket {
  /// Keeps programs that this one starts from inheriting the socket, which would look served after this one ended.
  func closeOnExecution() throws {
    guard fcntl(file.rawValue, F_SETFD, FD_CLOEXEC) == 0 else { throw SocketError.makeFailed("fcntl") }
  }
}
