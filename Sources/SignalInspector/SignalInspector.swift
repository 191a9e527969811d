import Foundation
public import SignalAttach
import Signals

/// Shows the live signal graph of this process to `signal-viz`, and to `curl --unix-socket`, while it runs.
///
/// It is off until it is started. It listens on a Unix-domain socket in a private directory (mode 0700), never on a
/// network, and only responds to queries: nothing that a client sends changes the program. It uses its own threads, so
/// that a program whose tasks or main thread hang is still inspectable.
public struct SignalInspector: Sendable {
  /// The environment variable that requests the inspector: `1` or `true`.
  public static let environmentKey = "SIGNALS_INSPECT"

  /// The path of the socket.
  public let socketPath: String
  private let server: InspectorServer

  /// Starts to serve the graph of this process, until `stop()`, or until the process exits.
  ///
  /// ```swift
  /// // Early in the program, before the chains are made.
  /// let inspector = try await SignalInspector.start()
  /// print("The graph is served at \(inspector.socketPath)")
  /// ```
  ///
  /// Turns recording on if it is off: earlier subscriptions are not shown.
  ///
  /// Stale sockets of this user's earlier processes in the directory are removed.
  ///
  /// Without `directory`, the socket is created in the first usable one of the directory in `SIGNAL_VIZ_DIRECTORY`,
  /// `signal-viz` in `XDG_RUNTIME_DIR`, and one in the directory for temporary files. A line on standard error lists the
  /// unusable ones, with the reason.
  ///
  /// - Parameters:
  ///   - directory: The only directory for the socket; see above if omitted.
  ///   - values: The values to show; none by default. It is a matter of privacy; see ``ShownValues``. The inspector
  ///     that is started last decides.
  /// - Returns: The inspector, to stop it. It serves even if it is released.
  /// - Throws: `AttachError` if the directory is not private or the path too long; `InspectorError` if this process
  ///   already serves that directory, or if the system rejects the socket. Without `directory`, only if none is usable,
  ///   or if this process is already serving.
  @discardableResult
  public static func start(
    in directory: SocketDirectory? = nil, values: ShownValues = .none
  ) async throws -> SignalInspector {
    Introspection.enable()
    let environment = ProcessInfo.processInfo.environment
    guard let directory else { return try startAnywhere(environment, values) }
    return try start(in: directory, environment, values)
  }

  /// Starts if the environment requests it with `SIGNALS_INSPECT=1`, otherwise does nothing.
  ///
  /// ```swift
  /// try await SignalInspector.startIfRequested()
  /// ```
  ///
  /// No environment stops the program: if the variable has no Boolean value, or if no directory is usable, a line on
  /// standard error reports it, and the program continues without an inspector.
  ///
  /// - Parameters:
  ///   - environment: The environment; this process's own if omitted.
  ///   - values: The values to show; see ``ShownValues``.
  /// - Returns: The inspector, or `nil` if it was not requested, or cannot serve.
  /// - Throws: `InspectorError` if this process is already serving.
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
    Introspection.enable()
    do {
      return try startAnywhere(environment, values)
    } catch let error as InspectorError {
      if case .alreadyServing = error { throw error }
      return nil
    } catch {
      // It has been reported.
      return nil
    }
  }

  /// Serves in one directory. Only before that the values to show are decided: an inspector that cannot start decides
  /// nothing, and none serves values by an earlier rule.
  private static func start(
    in directory: SocketDirectory, _ environment: [String: String], _ values: ShownValues
  ) throws -> SignalInspector {
    let inspector = try start(in: directory, serving: .liveGraph, limits: InspectorLimits()) {
      Introspection.enable().describeValues(values.describe)
    }
    inspector.keepGraph(ifRequestedBy: environment)
    return inspector
  }

  /// Serves in the first usable directory, and reports why the others are not usable.
  ///
  /// - Throws: The error of the last one, if none is usable.
  private static func startAnywhere(
    _ environment: [String: String], _ values: ShownValues
  ) throws -> SignalInspector {
    var environment = environment
    var problem: (any Error)?
    /// Tries to serve in one of the existing directories.
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
          let inspector = try start(in: directory, environment, values)
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

  /// Prints a line for the user of the program.
  static func note(_ words: String) {
    try? FileHandle.standardError.write(contentsOf: Data("SignalInspector: \(words)\n".utf8))
  }

  static func start(
    in directory: SocketDirectory, serving graph: GraphProvider, limits: InspectorLimits,
    clock: InspectorClock = InspectorClock(), willServe: () -> Void = {}
  ) throws -> SignalInspector {
    let listener = try ListeningSocket(in: directory)
    let server: InspectorServer
    do {
      server = try InspectorServer(listener: listener, graph: graph, limits: limits, clock: clock)
    } catch {
      listener.close()
      throw error
    }
    willServe()
    try server.run()
    return SignalInspector(socketPath: listener.path, server: server)
  }

  /// Ends every response, removes the socket, and returns when all is done. May be called more than once.
  public func stop() async {
    GraphKeeper.end(of: socketPath)
    await server.stop()
  }
}
