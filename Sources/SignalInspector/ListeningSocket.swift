import SignalAttach
import SignalGraph
import Synchronization

/// The socket that this process serves in a directory.
struct ListeningSocket: Sendable {
  let socket: LocalSocket
  private let file: SocketFile

  var path: String { file.path }

  /// The paths that this process serves. A name belongs to one process, so no other one can conflict.
  private static let served = Mutex<Set<String>>([])

  init(in directory: SocketDirectory) throws {
    let file = SocketFile(directory: directory.path, process: .current)
    try file.checkLength()
    try directory.prepare()
    guard Self.served.withLock({ $0.insert(file.path).inserted }) else {
      throw InspectorError.alreadyServing(path: file.path)
    }
    // Stale sockets of earlier processes must not prevent this one from starting.
    _ = try? directory.removeDeadSockets()
    do throws(SystemCallError) {
      socket = try LocalSocket.serving(file)
    } catch {
      Self.served.withLock { _ = $0.remove(file.path) }
      throw InspectorError.cannotServe(path: file.path, reason: error.description)
    }
    self.file = file
  }

  /// Removes the name and stops listening.
  func close() {
    file.remove()
    socket.close()
    Self.served.withLock { _ = $0.remove(path) }
  }
}
