import Dispatch
import Foundation
import Synchronization

/// Accepts clients and answers each on a thread of its own.
///
/// Not on the threads of Swift tasks, as the servers of other libraries do: those may all hang in a program that
/// somebody wants to look at. What a client may take is bounded, see ``ClientLimits``.
package final class ClientServer: Sendable {
  private struct State {
    var clients = 0
    var refusals = 0
    var isStopped = false
  }

  private let socket: LocalSocket
  private let name: String
  private let limits: ClientLimits
  private let stopSignal: StopSignal
  private let serve: @Sendable (_ connection: ClientConnection, _ refused: Bool) throws -> Void
  private let state = Mutex(State())
  private let threads = DispatchGroup()

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - socket: Where clients connect.
  ///   - name: What its threads are called.
  ///   - limits: What clients may take.
  ///   - serve: Answers one client, or tells it that there are too many. It throws when nobody is left who could be told anything.
  package init(
    socket: LocalSocket, name: String, limits: ClientLimits,
    serve: @escaping @Sendable (_ connection: ClientConnection, _ refused: Bool) throws -> Void
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

  private enum Admission { case answered, refused, hungUpOn }

  private func admit(_ client: LocalSocket) {
    let admission: Admission = state.withLock { state in
      if state.clients < limits.clients {
        state.clients += 1
        return .answered
      }
      if state.refusals < limits.refusals {
        state.refusals += 1
        return .refused
      }
      return .hungUpOn
    }
    guard admission != .hungUpOn else {
      client.close()
      return
    }
    startThread { server in
      // What it throws: the client left or was too slow, or the server stops. Nobody is left who could be told.
      try? server.serve(
        ClientConnection(socket: client, stopSignal: server.stopSignal, limits: server.limits),
        admission == .refused)
      server.state.withLock { state in
        if admission == .refused { state.refusals -= 1 } else { state.clients -= 1 }
      }
      // After the place is free: who sees the end of an answer may ask again at once.
      client.close()
    }
  }
}
