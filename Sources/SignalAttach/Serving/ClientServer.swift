import Dispatch
import Foundation
import Synchronization

/// Accepts clients and serves each on its own thread.
///
/// Not on the threads of Swift tasks, like the servers of other libraries: those may all hang in an inspected program.
/// The resources of a client are bounded, see ``ClientLimits``.
package final class ClientServer: Sendable {
  private struct State {
    /// The numbers of the clients with a slot.
    var clients: Set<UInt64> = []
    /// The clients without a slot, in the order of their connection.
    var newcomers: [(number: UInt64, socket: LocalSocket)] = []
    var nextNumber: UInt64 = 0
    var isStopped = false
  }

  private let socket: LocalSocket
  private let name: String
  private let limits: ClientLimits
  private let stopSignal: StopSignal
  private let start: StartThread
  private let serve: @Sendable (_ connection: ClientConnection) throws -> Void
  private let state = Mutex(State())
  private let threads = DispatchGroup()

  /// Starts a thread with a name.
  package typealias StartThread =
    @Sendable (_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemCallError) -> Void

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - socket: The socket that clients connect to.
  ///   - name: The name of its threads.
  ///   - limits: The resource limits of clients.
  ///   - start: Starts its threads.
  ///   - serve: Serves one client, which has no slot until ``ClientConnection/enter()`` has given it one. It throws if
  ///     the client can no longer be served.
  package init(
    socket: LocalSocket, name: String, limits: ClientLimits, start: @escaping StartThread = ServerThread.start,
    serve: @escaping @Sendable (_ connection: ClientConnection) throws -> Void
  ) throws(SystemCallError) {
    self.socket = socket
    self.name = name
    self.limits = limits
    self.start = start
    self.serve = serve
    self.stopSignal = try StopSignal()
  }

  /// Starts serving.
  ///
  /// - Throws: The system's error if it refuses a thread. Nothing is served then, and the server is of no further use.
  package func run() throws(SystemCallError) {
    do {
      try startThread { $0.acceptClients() }
    } catch {
      stopSignal.close()
      throw error
    }
  }

  /// Ends all responses. When the first such call has seen all end, it calls `close`.
  package func stop(_ close: () -> Void) async {
    let isFirst = state.withLock { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
    if isFirst { stopSignal.send() }
    await withCheckedContinuation { continuation in
      threads.notify(queue: .global()) { continuation.resume() }
    }
    if isFirst {
      close()
      stopSignal.close()
    }
  }

  private func startThread(_ body: @escaping @Sendable (ClientServer) -> Void) throws(SystemCallError) {
    threads.enter()
    do {
      try start(name) { [self] in
        body(self)
        threads.leave()
      }
    } catch {
      threads.leave()
      throw error
    }
  }

  private func acceptClients() {
    while true {
      switch stopSignal.wait(for: .readable, on: socket, until: nil) {
      case .interrupted, .hungUp: return
      case .timedOut: continue
      case .ready: break
      }
      do {
        if let client = try socket.nextClient() { admit(client) }
      } catch {
        // Most likely no descriptor is left. The waiting client stays ready: poll again a little later, do not spin.
        let pause = stopSignal.wait(for: .hangUp, on: socket, until: .now + .milliseconds(100))
        if pause != .timedOut { return }
      }
    }
  }

  /// Serves a client on its own thread. If too many have no slot yet, the one that connected first is disconnected: so
  /// a slow client delays no other, however many there are.
  private func admit(_ client: LocalSocket) {
    let number = state.withLock { state in
      if state.newcomers.count >= limits.newcomers { state.newcomers.removeFirst().socket.cut() }
      defer { state.nextNumber += 1 }
      state.newcomers.append((state.nextNumber, client))
      return state.nextNumber
    }
    do {
      try startThread { server in
        // Errors mean that the client left or was too slow, or that the server stops. There is no client left to notify.
        let connection = ClientConnection(socket: client, stopSignal: server.stopSignal, limits: server.limits) {
          try server.enter(number)
        }
        try? server.serve(connection)
        server.dismiss(client, number)
      }
    } catch {
      // The process is at its limit of threads.
      dismiss(client, number)
    }
  }

  private func dismiss(_ client: LocalSocket, _ number: UInt64) {
    state.withLock { state in
      if let index = state.newcomers.firstIndex(where: { $0.number == number }) { state.newcomers.remove(at: index) }
      state.clients.remove(number)
    }
    // After the slot is free: a client that sees the end of a response may send another request at once.
    client.close()
  }

  /// Gives a client a slot.
  ///
  /// - Returns: Whether there is a free one.
  private func enter(_ number: UInt64) throws -> Bool {
    try state.withLock { state in
      guard let index = state.newcomers.firstIndex(where: { $0.number == number }) else {
        throw ClientConnection.End.left
      }
      guard state.clients.count < limits.clients else { return false }
      state.newcomers.remove(at: index)
      state.clients.insert(number)
      return true
    }
  }
}
