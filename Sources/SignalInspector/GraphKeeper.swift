import Dispatch
import Foundation
import SignalAttach
import SignalGraph
import Synchronization

/// Renews a copy of the graph in a file for as long as the process runs.
///
/// The copy is written beside its place and moved there, so that whoever reads it has a whole one whatever the process was doing when it ended. What was written stays
/// when a process is killed or traps: it is the system's by then. A file that is mapped into memory would stay too, but to write where the disk is full would
/// end the process.
final class GraphKeeper: Sendable {
  /// How often it is renewed at most.
  static let interval = Duration.seconds(1)
  /// How much is written in a second at most, over time.
  private static let bytesInASecond = 1_048_576.0
  /// However large the graph is, it is renewed that often.
  private static let longestInterval = Duration.seconds(60)
  /// How many copies of processes that are gone stay in a directory.
  static let leftCopies = 8

  /// What keeps, by the path of its file.
  private static let keepers = Mutex<[String: GraphKeeper]>([:])
  /// An ordinary exit is no accident.
  private static let atExit: Void = { atexit { GraphKeeper.endAll() } }()

  let path: String
  /// Whether it goes with the process, unless that is killed.
  private let isLitter: Bool
  /// The socket of the inspector that it belongs to.
  private let socketPath: String
  private let graph: GraphProvider
  private let clock: InspectorClock
  private let share: Double
  private let over = DispatchSemaphore(value: 0)
  /// Held while the file is written; whether nothing is to be written any more.
  private let isOver = Mutex(false)

  private init(
    path: String, isLitter: Bool, socketPath: String, graph: GraphProvider, limits: InspectorLimits,
    clock: InspectorClock
  ) {
    self.path = path
    self.isLitter = isLitter
    self.socketPath = socketPath
    self.graph = graph
    self.clock = clock
    share = limits.share
  }

  /// Begins to keep a copy; the first one is there when this returns. Does nothing more where one is kept already.
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
      guard keepers[place] == nil else { return false }
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

  /// Ends those that belong to an inspector.
  static func end(of socketPath: String) {
    let ended = keepers.withLock { keepers in
      defer { keepers = keepers.filter { $0.value.socketPath != socketPath } }
      return keepers.values.filter { $0.socketPath == socketPath }
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
    // One last time, where it stays.
    if !isLitter { try? _ = write() }
    // Whoever writes right now is waited for: it is moments, and what it writes must not come back.
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
      // A disk that is full may have room again.
      guard let bytes = try? write() else {
        pause = Self.longestInterval / 6
        continue
      }
      let cost = (clock.used() - start) / share
      let size = Duration.seconds(Double(bytes) / Self.bytesInASecond)
      pause = min(max(Self.interval, cost, size), Self.longestInterval)
    }
  }

  /// Writes the graph as it is now.
  ///
  /// - Returns: How many bytes.
  private func write() throws(InspectorError) -> Int {
    let result: Result<Int, InspectorError> = isOver.withLock { isOver in
      guard !isOver else { return .success(0) }
      return Result { () throws(InspectorError) in try GraphFile.write(graph.snapshot(), to: path) }
    }
    return try result.get()
  }

  /// Copies of processes that are gone, but for the last ones, and what they did not finish.
  private static func removeOldCopies(in directory: String) {
    guard let directory = try? SocketDirectory(path: directory), let all = try? directory.keptGraphs() else { return }
    let left = all.filter { (try? $0.isLeft()) == true }
    for file in left.dropLast(leftCopies) { unlink(file.path) }
    for file in left { unlink(GraphFile.temporaryPath(of: file.path, by: file.socket.pid)) }
  }
}

/// A snapshot as a file that appears whole or not at all.
enum GraphFile {
  static func temporaryPath(of path: String, by pid: Int32) -> String { "\(path).\(pid).tmp" }

  /// Writes a snapshot; what was there before stays where that does not succeed.
  ///
  /// - Returns: How many bytes.
  @discardableResult
  static func write(_ snapshot: GraphSnapshot, to path: String) throws(InspectorError) -> Int {
    func failure() -> InspectorError { .cannotKeep(path: path, reason: String(cString: strerror(errno))) }
    let temporary = temporaryPath(of: path, by: getpid())
    unlink(temporary)
    // Nobody else's file, nor where a link leads to.
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure() }
    var (count, problem): (Int, InspectorError?) = (0, nil)
    do {
      try SnapshotPieces(snapshot: snapshot).forEach { piece in
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
  /// The environment variable that asks for a copy of the graph in a file: `1`, or a path. See ``keepGraph(at:)``.
  public static let keepKey = "SIGNALS_KEEP_GRAPH"

  /// Keeps a copy of the graph in a file while the process runs, so that it can still be looked at when the process was killed or has trapped.
  ///
  /// ```swift
  /// import SignalInspector
  ///
  /// let inspector = try await SignalInspector.start()
  /// try inspector.keepGraph()
  /// ```
  ///
  /// The copy is renewed once a second by a thread of its own, less often where the graph is so large that it would take more than 1 % of a processor or write
  /// more than 1 MiB in a second. It is an ordinary snapshot: `signal-viz render`, `check` and `why` read it. No signal of the system is handled, so SIGTERM
  /// and the like do what they always do; who handles SIGTERM can write the last moment down with ``writeGraph(to:)``.
  ///
  /// Without a path it is beside the socket, where `signal-viz list --dead` finds it. It goes when the process exits by itself, or the inspector is stopped; of those that
  /// were killed the last eight stay. At a path of your own it stays, as it was at the end.
  ///
  /// The environment variable `SIGNALS_KEEP_GRAPH` does the same when an inspector starts: with `1` beside the socket, else at the path that it holds. Where
  /// that cannot be, a line on standard error says why.
  ///
  /// - Parameter path: Where to keep it; beside the socket when not given. Only this user can read it.
  /// - Returns: Where it is.
  /// - Throws: ``InspectorError/cannotKeep(path:reason:)`` when nothing can be written there.
  @discardableResult
  public func keepGraph(at path: String? = nil) throws(InspectorError) -> String {
    try GraphKeeper.begin(at: path, of: socketPath, graph: .liveGraph)
  }

  /// Writes the graph as it is now to a file, as a snapshot that `signal-viz` reads.
  ///
  /// ```swift
  /// import SignalInspector
  ///
  /// func shutDown(_ inspector: SignalInspector) throws {
  ///   try inspector.writeGraph(to: "/tmp/last.json")
  /// }
  /// ```
  ///
  /// - Parameter path: Where to write it. The file appears whole or not at all, and only this user can read it.
  /// - Throws: ``InspectorError/cannotKeep(path:reason:)`` when nothing can be written there.
  public func writeGraph(to path: String) throws(InspectorError) {
    try GraphFile.write(GraphProvider.liveGraph.snapshot(), to: path)
  }

  /// Keeps a copy where the environment asks for one; says so where none can be kept.
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
