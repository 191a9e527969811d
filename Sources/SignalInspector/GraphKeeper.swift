import Dispatch
import Foundation
import SignalAttach
import SignalGraph
import Synchronization

/// Rewrites a copy of the graph in a file as long as the process runs.
///
/// The copy is written to a temporary file and renamed, so that readers see a whole one in whatever state the process
/// exited. The written data survives when a process is killed or traps, as the system holds it. A memory-mapped file
/// would survive too, but writing to it on a full disk would kill the process.
final class GraphKeeper: Sendable {
  /// The minimum interval between two copies.
  static let interval = Duration.seconds(1)
  /// The maximum average number of bytes written per second.
  private static let bytesInASecond = 1_048_576.0
  /// The maximum interval, however large the graph is.
  private static let longestInterval = Duration.seconds(60)
  /// The number of copies of exited processes that stay in a directory.
  static let leftCopies = 8

  /// The instances by the path of their file.
  private static let keepers = Mutex<[String: GraphKeeper]>([:])
  /// A regular exit needs no copy.
  private static let atExit: Void = { atexit { GraphKeeper.endAll() } }()

  let path: String
  /// Whether the file is removed at exit, unless the process is killed.
  private let isLitter: Bool
  /// The paths of the sockets of the inspectors that requested the file: it is written until the last of them has ended.
  private let socketPaths: Mutex<Set<String>>
  private let graph: GraphProvider
  private let clock: InspectorClock
  private let share: Double
  private let over = DispatchSemaphore(value: 0)
  /// Held while the file is written; whether writing has ended.
  private let isOver = Mutex(false)

  private init(
    path: String, isLitter: Bool, socketPath: String, graph: GraphProvider, limits: InspectorLimits,
    clock: InspectorClock
  ) {
    self.path = path
    self.isLitter = isLitter
    socketPaths = Mutex([socketPath])
    self.graph = graph
    self.clock = clock
    share = limits.share
  }

  /// Begins to write copies; the first one exists when this returns. Does nothing if that file is already being
  /// written.
  @discardableResult
  static func begin(
    at path: String?, of socketPath: String, graph: GraphProvider, limits: InspectorLimits = InspectorLimits(),
    clock: InspectorClock = InspectorClock()
  ) throws(InspectorError) -> String {
    let url = URL(fileURLWithPath: socketPath)
    let directory = url.deletingLastPathComponent().path
    let beside = SocketFile(directory: directory, fileName: url.lastPathComponent).map { KeptGraphFile(of: $0).path }
    let place = path ?? beside ?? socketPath + ".graph"
    let keeper = GraphKeeper(
      path: place, isLitter: path == nil, socketPath: socketPath, graph: graph, limits: limits, clock: clock)
    let isNew = keepers.withLock { keepers in
      if let earlier = keepers[place] {
        _ = earlier.socketPaths.withLock { $0.insert(socketPath) }
        return false
      }
      keepers[place] = keeper
      return true
    }
    guard isNew else { return place }
    if path == nil { removeOldCopies(in: directory) }
    do {
      _ = try keeper.write()
    } catch {
      keepers.withLock { _ = $0.removeValue(forKey: place) }
      throw error
    }
    _ = atExit
    let thread = Thread { keeper.run() }
    thread.name = "signal-keeper"
    thread.start()
    return place
  }

  /// Ends those that only this inspector requested.
  static func end(of socketPath: String) {
    let ended = keepers.withLock { keepers in
      let ended = keepers.filter { _, keeper in
        keeper.socketPaths.withLock { $0.remove(socketPath) != nil && $0.isEmpty }
      }
      for path in ended.keys { keepers[path] = nil }
      return ended.values
    }
    for keeper in ended { keeper.end() }
  }

  private static func endAll() {
    let ended = keepers.withLock { keepers in
      defer { keepers = [:] }
      return Array(keepers.values)
    }
    for keeper in ended { keeper.end() }
  }

  private func end() {
    // One last time, if the file stays.
    if !isLitter { try? _ = write() }
    // Waits for a thread that is writing: that is short, and its file must not reappear.
    isOver.withLock { isOver in
      isOver = true
      if isLitter { unlink(path) }
    }
    over.signal()
  }

  private func run() {
    var pause = Self.interval
    while over.wait(timeout: .now() + pause / .seconds(1)) == .timedOut {
      let start = clock.used()
      // A full disk may have space again.
      guard let bytes = try? write() else {
        pause = Self.longestInterval / 6
        continue
      }
      let cost = (clock.used() - start) / share
      let size = Duration.seconds(Double(bytes) / Self.bytesInASecond)
      pause = min(max(Self.interval, cost, size), Self.longestInterval)
    }
  }

  /// Writes the current graph.
  ///
  /// - Returns: The number of bytes.
  private func write() throws(InspectorError) -> Int {
    let result: Result<Int, InspectorError> = isOver.withLock { isOver in
      guard !isOver else { return .success(0) }
      return Result { () throws(InspectorError) in try GraphFile.write(graph.snapshot(), to: path) }
    }
    return try result.get()
  }

  /// Removes copies of exited processes, except the last ones, and their temporary files.
  private static func removeOldCopies(in directory: String) {
    guard let directory = try? SocketDirectory(path: directory), let all = try? directory.keptGraphs() else { return }
    let left = all.filter { (try? $0.isLeft()) == true }
    for file in left.dropLast(leftCopies) { unlink(file.path) }
    for file in left { unlink(GraphFile.temporaryPath(of: file.path, by: file.socket.pid)) }
  }
}

/// Writes a snapshot atomically to a file.
enum GraphFile {
  static func temporaryPath(of path: String, by pid: Int32) -> String { "\(path).\(pid).tmp" }

  /// Writes a snapshot; on failure the earlier file stays.
  ///
  /// - Returns: The number of bytes.
  @discardableResult
  static func write(_ snapshot: GraphSnapshot, to path: String) throws(InspectorError) -> Int {
    func failure() -> InspectorError { .cannotKeep(path: path, reason: String(cString: strerror(errno))) }
    let temporary = temporaryPath(of: path, by: getpid())
    unlink(temporary)
    // Neither an existing file nor the target of a link.
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure() }
    var (count, problem): (Int, InspectorError?) = (0, nil)
    do {
      try JSONStream.write(snapshot) { piece in
        var rest = piece[...]
        while !rest.isEmpty {
          let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
          if written < 0, errno == EINTR { continue }
          guard written > 0 else { throw failure() }
          rest = rest.dropFirst(written)
          count += written
        }
      }
    } catch {
      problem = error as? InspectorError ?? .cannotKeep(path: path, reason: "\(error)")
    }
    if close(descriptor) != 0, problem == nil { problem = failure() }
    if problem == nil, rename(temporary, path) != 0 { problem = failure() }
    if let problem {
      unlink(temporary)
      throw problem
    }
    return count
  }
}

extension SignalInspector {
  /// The environment variable that requests a copy of the graph in a file: `1`, or a path. See ``keepGraph(at:)``.
  public static let keepKey = "SIGNALS_KEEP_GRAPH"

  /// Writes copies of the graph to a file while the process runs, for inspection after the process was killed or has
  /// trapped.
  ///
  /// ```swift
  /// import SignalInspector
  ///
  /// let inspector = try await SignalInspector.start()
  /// try inspector.keepGraph()
  /// ```
  ///
  /// A separate thread rewrites the copy once a second, less often if the graph is so large that it would take more
  /// than 1 % of a CPU or write more than 1 MiB per second. It is an ordinary snapshot: `signal-viz render`, `check`
  /// and `why` read it. No Unix signal is handled, so SIGTERM and others have their usual effect; a program that
  /// handles SIGTERM can write the final state with ``writeGraph(to:)``.
  ///
  /// Without a path the file is next to the socket, where `signal-viz list --dead` finds it. It is removed when the
  /// process exits by itself, or the inspector is stopped; of killed processes the last eight files stay. At a custom
  /// path the file stays, with the final state.
  ///
  /// The environment variable `SIGNALS_KEEP_GRAPH` does the same when an inspector starts: with `1` next to the socket,
  /// else at the path that it holds. If that fails, a line on standard error gives the reason.
  ///
  /// - Parameter path: The path of the file; next to the socket by default. Only this user can read it.
  /// - Returns: The path of the file.
  /// - Throws: ``InspectorError/cannotKeep(path:reason:)`` if the file cannot be written.
  @discardableResult
  public func keepGraph(at path: String? = nil) throws(InspectorError) -> String {
    try GraphKeeper.begin(at: path, of: socketPath, graph: .liveGraph)
  }

  /// Writes the current graph to a file, as a snapshot for `signal-viz`.
  ///
  /// ```swift
  /// import SignalInspector
  ///
  /// func shutDown(_ inspector: SignalInspector) throws {
  ///   try inspector.writeGraph(to: "/tmp/last.json")
  /// }
  /// ```
  ///
  /// - Parameter path: The path of the file. It is written atomically, and only this user can read it.
  /// - Throws: ``InspectorError/cannotKeep(path:reason:)`` if the file cannot be written.
  public func writeGraph(to path: String) throws(InspectorError) {
    try GraphFile.write(GraphProvider.liveGraph.snapshot(), to: path)
  }

  /// Writes copies if the environment requests it; reports an error if that fails.
  func keepGraph(ifRequestedBy environment: [String: String]) {
    do throws(InspectorError) {
      switch environment[Self.keepKey] {
      case nil, "", "0", "false": break
      case "1", "true": try keepGraph()
      case .some(let path):
        guard path.hasPrefix("/") else {
          throw .cannotKeep(path: path, reason: "\(Self.keepKey) takes 1, or a path that begins with /")
        }
        try keepGraph(at: path)
      }
    } catch {
      Self.note("\(error)")
    }
  }
}
