import Dispatch
import Foundation
import SignalFindings
import SignalGraph
import SignalPicture
import Synchronization

/// What is known of one program that readers of the live page look at. It is asked only while somebody looks, by one thread for all.
///
/// Of a large graph the program itself says how often it can answer: it gives a small part of a processor's time to answers, see `ProcessorBudget` of
/// SignalInspector. A small one is answered at once; twice a second that takes less than two percent of a core.
final class ProgramFeed: Sendable {
  /// A look at a program.
  struct Look: Sendable {
    /// Grows from look to look, and when something else is to be said.
    var sequence = 0
    /// Grows with each graph.
    var number = 0
    /// The graph with rates; nil until there is one.
    var graph: GraphSnapshot?
    /// The graph some seconds before, if it was looked at for so long.
    var before: GraphSnapshot?
    /// What is wrong with the program.
    var findings: [Finding] = []
    /// Why there is no new graph.
    var problem: String?
    /// Whether the program has ended.
    var isOver = false
  }

  private struct State {
    var look = Look()
    var waiting: [DispatchSemaphore] = []
    /// Until when somebody looks.
    var wantedUntil = ContinuousClock.now
    /// Until when somebody wants to see what handlers do.
    var tracedUntil = ContinuousClock.now
    var isRunning = false
    var pictures: [(view: PageView, picture: LivePicture, wantedAt: ContinuousClock.Instant)] = []
  }

  private let connection: ProgramConnection
  private let state = Mutex(State())
  /// How often a program is asked.
  private static let interval = Duration.milliseconds(500)
  /// Over how many seconds rates are told and findings are found.
  private static let window = 2.0
  /// Up to how many nodes a graph is small.
  private static let smallGraph = 2_500
  /// For how long the picture of a view is kept that nobody asks for.
  private static let keptTime = Duration.seconds(20)
  /// Whoever works on a large graph needs several times as much memory as that itself takes: so one does at a time.
  private let turn = Mutex(())

  init(socketPath: String) {
    connection = ProgramConnection(socketPath: socketPath)
  }

  /// The newest look: a newer one than that with a number, if one comes until a moment.
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

  /// The newest look, without waiting.
  var current: Look { state.withLock { $0.look } }

  /// The picture of a view; that of the last look with the same graph, if there is one.
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

  /// Does something for which one waits one's turn if the graph is large.
  private func alone<Result>(with graph: GraphSnapshot, _ body: () throws -> Result) rethrows -> Result {
    guard graph.nodes.count > Self.smallGraph else { return try body() }
    return try turn.withLock { _ in
      defer { UnusedMemory.giveBack() }
      return try body()
    }
  }

  /// Asks until nobody looks any more, or the program has ended.
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
        looks.append(
          // A program that takes its time may be slow besides; the page says that its answer is late.
          try connection.snapshot(of: GraphFocus(), within: .seconds(connection.isPatient ? 30 : 15))
            .addingActivity(since: looks.first))
        let graph = looks[looks.count - 1]
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
            _ = changes.note(Rules.all.flatMap { $0.init().findings(in: observation) })
          }
          // Of a large graph not so often.
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
      // Safe: it is the pace at which the page moves; nothing waits for it but the next look.
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
