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
  /// Without `directory`, the socket is placed in the first directory of `SocketDirectory.searchList()` that can be used, and if
  /// `SIGNAL_VIZ_DIRECTORY` cannot be used, where it would be placed without that variable. A line on standard error names those that cannot be used, and why.
  ///
  /// - Parameters:
  ///   - directory: Where the socket is placed, and nowhere else; see above when not given.
  ///   - values: Which values are shown: none, unless you say so. It is a matter of privacy; see ``ShownValues``. The inspector that is started last decides.
  /// - Returns: The inspector, to stop it. It serves also when nobody keeps it.
  /// - Throws: `AttachError` when the directory is not private or the path too long; `InspectorError` when this process
  ///   serves that directory already, or when the system refuses the socket. Without `directory`, only when none can be used, or when this process serves
  ///   already.
  @discardableResult
  public static func start(
    in directory: SocketDirectory? = nil, values: ShownValues = .none
  ) async throws -> SignalInspector {
    Introspection.enable().describeValues(values.describe)
    guard let directory else { return try startAnywhere(environment: nil) }
    let inspector = try start(in: directory, serving: .liveGraph, limits: InspectorLimits())
    inspector.keepGraph(ifRequestedBy: ProcessInfo.processInfo.environment)
    return inspector
  }

  /// Starts when the environment asks for it with `SIGNALS_INSPECT=1`, otherwise does nothing.
  ///
  /// ```swift
  /// try await SignalInspector.startIfRequested()
  /// ```
  ///
  /// Nothing that an environment says ends the program: where the variable means neither yes nor no, or where no directory can be used, a line on
  /// standard error says so, and the program goes on without an inspector.
  ///
  /// - Parameters:
  ///   - environment: This process's own when it is not given.
  ///   - values: Which values are shown; see ``ShownValues``.
  /// - Returns: The inspector, or `nil` when it was not asked for, or cannot serve.
  /// - Throws: `InspectorError` when this process serves already.
  @discardableResult
  public static func startIfRequested(
    environment: [String: String]? = nil, values: ShownValues = .none
  ) async throws -> SignalInspector? {
    let environment = environment ?? ProcessInfo.processInfo.environment
    switch environment[environmentKey]?.lowercased() {
    case nil, "", "0", "false": return nil
    case "1", "true": break
    case .some(let value):
      note("\(InspectorError.badEnvironment(value: value))")
      return nil
    }
    Introspection.enable().describeValues(values.describe)
    do {
      return try startAnywhere(environment: environment)
    } catch let error as InspectorError {
      if case .alreadyServing = error { throw error }
      return nil
    } catch {
      // It has been said.
      return nil
    }
  }

  /// Serves in the first directory that can be used, and says why the others cannot.
  ///
  /// - Throws: Why the last one cannot be used, if none can.
  private static func startAnywhere(environment: [String: String]?) throws -> SignalInspector {
    var environment = environment ?? ProcessInfo.processInfo.environment
    var problem: (any Error)?
    /// Tries to serve in one of the directories that there are.
    func startInOne() throws -> SignalInspector? {
      let list: [SocketDirectory]
      do {
        list = try SocketDirectory.searchList(environment: environment)
      } catch {
        problem = error
        note("\(error)")
        return nil
      }
      for directory in list {
        do {
          let inspector = try start(in: directory, serving: .liveGraph, limits: InspectorLimits())
          inspector.keepGraph(ifRequestedBy: environment)
          if problem != nil { note("the signal graph is served at \(inspector.socketPath) instead") }
          return inspector
        } catch let error as InspectorError {
          if case .alreadyServing = error { throw error }
          problem = error
          note("\(error)")
        } catch {
          problem = error
          note("\(error)")
        }
      }
      return nil
    }
    if let inspector = try startInOne() { return inspector }
    if environment.removeValue(forKey: SocketDirectory.environmentKey) != nil, let inspector = try startInOne() {
      return inspector
    }
    throw problem ?? InspectorError.cannotServe(path: "", reason: "there is no directory for its socket")
  }

  /// A line for whoever runs the program.
  static func note(_ words: String) {
    try? FileHandle.standardError.write(contentsOf: Data("SignalInspector: \(words)\n".utf8))
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
  public func stop() async {
    GraphKeeper.end(of: socketPath)
    await server.stop()
  }
}
