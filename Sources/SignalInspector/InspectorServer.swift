import SignalAttach

/// Serves the inspector's clients.
final class InspectorServer: Sendable {
  private let listener: ListeningSocket
  private let server: ClientServer

  init(listener: ListeningSocket, graph: GraphProvider, limits: InspectorLimits, clock: InspectorClock) throws {
    self.listener = listener
    let budget = ProcessorBudget(limits, clock)
    server = try ClientServer(socket: listener.socket, name: "signal-inspector", limits: limits.client) {
      try RequestHandler(connection: $0, graph: graph, limits: limits, budget: budget).answer()
    }
  }

  /// Starts serving; if the system refuses a thread, removes the socket and throws.
  func run() throws {
    do {
      try server.run()
    } catch {
      listener.close()
      throw InspectorError.cannotServe(path: listener.path, reason: "no thread could be created (\(error))")
    }
  }

  func stop() async { await server.stop { listener.close() } }
}
