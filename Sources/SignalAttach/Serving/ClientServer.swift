import Dispatch
import Foundation
import Synchronization

/// Accepts clients and answers each on a thread of its own.
///
/// Not on the threads of Swift tasks, as the servers of other libraries do: those may all hang in a program that
/// somebody wants to look at. What a client may take is bounded, see ``ClientLimits``.
package final class ClientServer: Sendable {
  private struct State {
    /// The numbers of the clients that have a place.
    var clients: Set<UInt64> = []
    /// Those that have no place yet, the one that has connected first being the first.
    var newcomers: [(number: UInt64, socket: LocalSocket)] = []
    var nextNumber: UInt64 = 0
    var isStopped = false
  }

  private let socket: LocalSocket
  private let name: String
  private let limits: ClientLimits
  private let stopSignal: StopSignal
  private let serve: @Sendable (_ connection: ClientConnection) throws -> Void
  private let state = Mutex(State())
  private let threads = DispatchGroup()

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - socket: Where clients connect.
  ///   - name: What its threads are called.
  ///   - limits: What clients may take.
  ///   - serve: Answers one client, which has no place until ``ClientConnection/enter()`` has given it one. It throws when no client is left that could
  ///     be answered.
  package init(
    socket: LocalSocket, name: String, limits: ClientLimits,
    serve: @escaping @Sendable (_ connection: ClientConnection) throws -> Void
  ) throws(SystemCallError) {
    self.socket = socket
    self.name = name
    self.limits = limits
    self.serve = serve
    self.stopSignal = try StopSignal()
  }

  package func run() {
    startThread { $0.acceptClients() }
  }

  /// Ends all answers. When the first such call has seen all end, it calls `close`.
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

  private func startThread(_ body: @escaping @Sendable (ClientServer) -> Void) {
    threads.enter()
    let thread = Thread { [self] in
      body(self)
      threads.leave()
    }
    thread.name = name
    thread.start()
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
        // Most likely no descriptor is left. The waiting client stays ready: look again a little later, do not spin.
        let pause = stopSignal.wait(for: .hangUp, on: socket, until: .now + .milliseconds(100))
        if pause != .timedOut { return }
      }
    }
  }

  /// Serves a client on a thread of its own. Where too many have no place yet, the one that has connected first is cut off: so a slow client delays no
  /// other, however many there are.
  private func admit(_ client: LocalSocket) {
    let number = state.withLock { state in
      if state.newcomers.count >= limits.newcomers { state.newcomers.removeFirst().socket.cut() }
      defer { state.nextNumber += 1 }
      state.newcomers.append((state.nextNumber, client))
      return state.nextNumber
    }
    startThread { server in
      // What it throws: the client left or was too slow, or the server stops. Nobody is left who could be told.
      let connection = ClientConnection(socket: client, stopSignal: server.stopSignal, limits: server.limits) {
        try server.enter(number)
      }
      try? server.serve(connection)
      server.state.withLock { state in
        if let index = state.newcomers.firstIndex(where: { $0.number == number }) { state.newcomers.remove(at: index) }
        state.clients.remove(number)
      }
      // After the place is free: who sees the end of an answer may ask again at once.
      client.close()
    }
  }

  /// Gives a client a place.
  ///
  /// - Returns: Whether there is one.
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
