import Foundation
public import SignalAttach
import Signals

/// Shows the live signal graph of this process to `signal-viz`, and to `curl --unix-socket`, while it runs.
///
/// It is off until it is started. It listens on a Unix-domain socket in a directory that only this user may enter,
/// never on a network, and it only answers questions: nothing that a client sends changes the program. It works on
/// threads of its own, so that a program whose tasks or main thread hang can still be looked at.
public struct SignalInspector: Sendable {
  /// The environment variable that asks for the inspector: `1` or `true`.
  public static let environmentKey = "SIGNALS_INSPECT"

  /// The path of the socket.
  public let socketPath: String
  private let server: InspectorServer

  /// Starts to serve the graph of this process; it goes on until `stop()`, or until the process ends.
  ///
  /// ```swift
  /// // Early in the program, before the chains are made.
  /// let inspector = try await SignalInspector.start()
  /// print("The graph is served at \(inspector.socketPath)")
  /// ```
  ///
  /// Recording is turned on if it is not: subscriptions that were made before do not show.
  ///
  /// Dead sockets that this user's earlier processes left in the directory are removed.
  ///
  /// - Parameters:
  ///   - directory: Where the socket is placed; `SocketDirectory.standard()` when not given.
  ///   - values: Which values are shown: none, unless you say so. It is a matter of privacy; see ``ShownValues``. The inspector that is started last decides.
  /// - Returns: The inspector, to stop it. It serves also when nobody keeps it.
  /// - Throws: `AttachError` when the directory is not private or the path too long; `InspectorError` when this process
  ///   serves that directory already, or when the system refuses the socket.
  @discardableResult
  public static func start(
    in directory: SocketDirectory? = nil, values: ShownValues = .none
  ) async throws -> SignalInspector {
    Introspection.enable().describeValues(values.describe)
    return try start(in: directory ?? .standard(), serving: .liveGraph, limits: InspectorLimits())
  }

  /// Starts when the environment asks for it with `SIGNALS_INSPECT=1`, otherwise does nothing.
  ///
  /// ```swift
  /// try await SignalInspector.startIfRequested()
  /// ```
  ///
  /// - Parameters:
  ///   - environment: This process's own when it is not given.
  ///   - values: Which values are shown; see ``ShownValues``.
  /// - Returns: The inspector, or `nil` when it was not asked for.
  /// - Throws: As ``start(in:values:)``; `InspectorError` when the variable has a value that means neither yes nor no.
  @discardableResult
  public static func startIfRequested(
    environment: [String: String]? = nil, values: ShownValues = .none
  ) async throws -> SignalInspector? {
    let environment = environment ?? ProcessInfo.processInfo.environment
    switch environment[environmentKey]?.lowercased() {
    case nil, "", "0", "false": return nil
    case "1", "true": return try await start(in: .standard(environment: environment), values: values)
    case .some(let value): throw InspectorError.badEnvironment(value: value)
    }
  }

  static func start(
    in directory: SocketDirectory, serving graph: GraphProvider, limits: InspectorLimits,
    clock: InspectorClock = InspectorClock()
  ) throws -> SignalInspector {
    let listener = try ListeningSocket(in: directory)
    let server: InspectorServer
    do {
      server = try InspectorServer(listener: listener, graph: graph, limits: limits, clock: clock)
    } catch {
      listener.close()
      throw error
    }
    server.run()
    return SignalInspector(socketPath: listener.path, server: server)
  }

  /// Ends every answer, removes the socket, and returns when all is done. May be called more than once.
  public func stop() async { await server.stop() }
}
