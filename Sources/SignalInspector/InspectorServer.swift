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

  func run() { server.run() }

  func stop() async { await server.stop { listener.close() } }
}
