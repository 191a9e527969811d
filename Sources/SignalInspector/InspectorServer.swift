import Dispatch
import Foundation
import SignalAttach
import Synchronization

/// Accepts clients and answers each on a thread of its own.
///
/// Not on the threads of Swift tasks, as the servers of other libraries do: those may all hang in a program that
/// somebody wants to look at. What a client may take is bounded, see `InspectorLimits`.
final class InspectorServer: Sendable {
  private struct State {
    var clients = 0
    var refusals = 0
    var isStopped = false
  }

  private let listener: ListeningSocket
  private let graph: GraphProvider
  private let limits: InspectorLimits
  private let stopSignal: StopSignal
  private let budget: ProcessorBudget
  private let state = Mutex(State())
  private let threads = DispatchGroup()

  init(listener: ListeningSocket, graph: GraphProvider, limits: InspectorLimits, clock: InspectorClock) throws {
    self.listener = listener
    self.graph = graph
    self.limits = limits
    self.budget = ProcessorBudget(limits, clock)
    self.stopSignal = try StopSignal()
  }

  func run() {
    startThread { $0.acceptClients() }
  }

  func stop() async {
    let isFirst = state.withLock { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
    if isFirst { stopSignal.send() }
    await withCheckedContinuation { continuation in
      threads.notify(queue: .global()) { continuation.resume() }
    }
    if isFirst {
      listener.close()
      stopSignal.close()
    }
  }

  private func startThread(_ body: @escaping @Sendable (InspectorServer) -> Void) {
    threads.enter()
    let thread = Thread { [self] in
      body(self)
      threads.leave()
    }
    thread.name = "signal-inspector"
    thread.start()
  }

  private func acceptClients() {
    while true {
      switch stopSignal.wait(for: .readable, on: listener.socket, until: nil) {
      case .interrupted, .hungUp: return
      case .timedOut: continue
      case .ready: break
      }
      do {
        if let client = try listener.socket.nextClient() { admit(client) }
      } catch {
        // Most likely no descriptor is left. The waiting client stays ready: look again a little later, do not spin.
        let pause = stopSignal.wait(for: .hangUp, on: listener.socket, until: .now + .milliseconds(100))
        if pause != .timedOut { return }
      }
    }
  }

  private enum Admission { case answered, refused, hungUpOn }

  private func admit(_ socket: LocalSocket) {
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
      socket.close()
      return
    }
    startThread { server in
      server.serve(socket, refused: admission == .refused)
      server.state.withLock { state in
        if admission == .refused { state.refusals -= 1 } else { state.clients -= 1 }
      }
      // After the place is free: who sees the end of an answer may ask again at once.
      socket.close()
    }
  }

  private func serve(_ socket: LocalSocket, refused: Bool) {
    do {
      let connection = ClientConnection(socket: socket, stopSignal: stopSignal, limits: limits)
      try RequestHandler(connection: connection, graph: graph, limits: limits, budget: budget).answer(refused: refused)
    } catch {
      // The client left or was too slow, or the inspector stops: nobody is left who could be told.
    }
  }
}
