import Dispatch
import Foundation
import SignalFindings
import SignalGraph
import SignalPicture
import Synchronization

/// The state of one program that pages of the live server show. It is queried only while a page shows it, by one thread
/// for all.
///
/// For a large graph the program itself determines the rate of responses: it spends a small share of processor time on
/// them, see `ProcessorBudget` of SignalInspector. For a small graph it responds at once; twice a second this takes
/// less than two percent of a core.
final class ProgramFeed: Sendable {
  /// A snapshot of a program with its findings.
  struct Look: Sendable {
    /// Increases with each snapshot, and when the message changes.
    var sequence = 0
    /// Increases with each graph.
    var number = 0
    /// The graph with rates; nil until the first one.
    var graph: GraphSnapshot?
    /// The graph some seconds before, if the program has been watched for that long.
    var before: GraphSnapshot?
    /// The findings in the program.
    var findings: [Finding] = []
    /// The reason why there is no new graph.
    var problem: String?
    /// Whether the program has ended.
    var isOver = false
  }

  private struct State {
    var look = Look()
    var waiting: [DispatchSemaphore] = []
    /// The time until which a page shows the program.
    var wantedUntil = ContinuousClock.now
    /// The time until which a page requests profiled handlers.
    var tracedUntil = ContinuousClock.now
    var isRunning = false
    var pictures: [(view: PageView, picture: LivePicture, wantedAt: ContinuousClock.Instant)] = []
  }

  private let connection: ProgramConnection
  private let state = Mutex(State())
  /// The interval at which a program is queried.
  private static let interval = Duration.milliseconds(500)
  /// The number of seconds over which rates are measured and findings are detected.
  private static let window = 2.0
  /// The maximum number of nodes of a small graph.
  private static let smallGraph = 2_500
  /// The time for which the drawing of a view is cached after its last use.
  private static let keptTime = Duration.seconds(20)
  /// Processing a large graph needs several times its own memory, so only one thread at a time does it.
  private let turn = Mutex(())

  init(socketPath: String) {
    connection = ProgramConnection(socketPath: socketPath)
  }

  /// Returns the newest snapshot: one after the given number, if one arrives before the deadline.
  func look(after sequence: Int, tracing: Bool, until deadline: DispatchTime) -> Look {
    let semaphore = DispatchSemaphore(value: 0)
    let (known, starts) = state.withLock { state -> (Look?, Bool) in
      state.wantedUntil = .now + .seconds(5)
      if tracing { state.tracedUntil = .now + .seconds(5) }
      let starts = !state.isRunning && !state.look.isOver
      if starts { state.isRunning = true }
      if state.look.sequence > sequence { return (state.look, starts) }
      state.waiting.append(semaphore)
      return (nil, starts)
    }
    if starts { Thread.detachNewThread { [self] in ask() } }
    if let known { return known }
    _ = semaphore.wait(timeout: deadline)
    return state.withLock { state in
      state.waiting.removeAll { $0 === semaphore }
      return state.look
    }
  }

  /// Queries a program again that was taken for one that has ended.
  func revive() { publish { $0.isOver = false } }

  /// The newest snapshot, without waiting.
  var current: Look { state.withLock { $0.look } }

  /// Returns the drawing of a view, cached for the last snapshot with the same graph.
  func picture(of graph: GraphSnapshot, view: PageView) throws -> LivePicture {
    try alone(with: graph) {
      let (last, findings) = state.withLock { state in
        (state.pictures.last { $0.view == view }?.picture, state.look.findings)
      }
      let picture = try LivePicture(of: graph, view: view, findings: findings, last: last)
      state.withLock { state in
        let now = ContinuousClock.now
        state.pictures.removeAll { $0.view == view || $0.wantedAt + Self.keptTime < now }
        state.pictures.append((view, picture, now))
      }
      return picture
    }
  }

  /// Runs a closure exclusively if the graph is large.
  private func alone<Result>(with graph: GraphSnapshot, _ body: () throws -> Result) rethrows -> Result {
    guard graph.nodes.count > Self.smallGraph else { return try body() }
    return try turn.withLock { _ in
      defer { UnusedMemory.giveBack() }
      return try body()
    }
  }

  /// Queries the program until no page shows it any more, or it has ended.
  private func ask() {
    var looks: [GraphSnapshot] = []
    var changes = FindingChanges()
    var tracedUntil = ContinuousClock.now
    var nextCheck = ContinuousClock.now
    while true {
      let began = ContinuousClock.now
      let traces = state.withLock { state -> Bool? in
        if state.wantedUntil < began {
          state.isRunning = false
          return nil
        }
        return state.tracedUntil > began
      }
      guard let traces else { return }
      do {
        if traces, tracedUntil < began + .seconds(4) {
          try connection.trace(for: .seconds(10), within: .seconds(5))
          tracedUntil = began + .seconds(10)
        }
        var connection = connection
        connection.isPatient = (looks.last?.nodes.count ?? 0) > Self.smallGraph
        // A program that delays its responses may be slow as well; the page shows that its response is late.
        let newest = try connection.snapshot(of: GraphFocus(), within: .seconds(connection.isPatient ? 30 : 15))
        // The program's clock was set back.
        if let last = looks.last, newest.takenAt < last.takenAt { looks = [] }
        let graph = newest.addingActivity(since: looks.first)
        looks.append(graph)
        while looks.count > 2, graph.takenAt - looks[1].takenAt >= Self.window { looks.removeFirst() }
        let before = looks.count > 1 && looks[0].takenAt < graph.takenAt ? looks[0] : nil
        publish { look in
          (look.graph, look.before, look.problem) = (graph, before, nil)
          look.number += 1
        }
        if nextCheck <= .now {
          let start = ContinuousClock.now
          alone(with: graph) {
            let observation = Observation(graph, since: before)
            _ = changes.note(Rules.findings(in: observation))
          }
          // Less often for a large graph.
          nextCheck = .now + max(.seconds(2), (.now - start) * 10)
          publish { $0.findings = changes.present }
        }
      } catch {
        let isOver = connection.isGone
        publish { look in
          look.problem = isOver ? nil : "\(error)".withVisibleControls
          look.isOver = isOver
        }
        if isOver {
          state.withLock { $0.isRunning = false }
          return
        }
      }
      let rest = Self.interval - (ContinuousClock.now - began)
      // Safe: this is the rate at which the page updates; only the next snapshot waits for it.
      if rest > .zero { Thread.sleep(forTimeInterval: rest / .seconds(1)) }
    }
  }

  private func publish(_ change: (inout Look) -> Void) {
    let waiting = state.withLock { state in
      change(&state.look)
      state.look.sequence += 1
      defer { state.waiting = [] }
      return state.waiting
    }
    for semaphore in waiting { semaphore.signal() }
  }
}
