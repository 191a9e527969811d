import SignalFindings
import SignalGraph
import Signals
import Synchronization

/// Takes snapshots of a health check's recording while virtual time advances, for rules that need a time: at first each
/// second, then at growing intervals, so that a test of a year costs little more than one of a minute.
final class HealthWatch: Sendable {
  /// One virtual time, and the snapshots that later ones are compared with.
  private struct Clock {
    /// The time of the first snapshot, since the origin.
    let start: Duration
    /// The time of the next one.
    var next: Duration
    /// The first snapshot and the latest.
    var looks: [GraphView] = []
    /// The time at which each node was first seen.
    var since: [UInt64: Double] = [:]
    /// Instants since the latest snapshot, and the number of the latest node at each of them: virtual time may advance
    /// far in one step.
    var notes: [(moment: Duration, latest: UInt64)] = []

    /// Notes the number of the latest node at an instant.
    mutating func note(_ moment: Duration, _ latest: UInt64) {
      if notes.last?.moment == moment { notes.removeLast() }
      if notes.count == HealthWatch.noteCount { notes.remove(at: notes.count / 2) }
      notes.append((moment, latest))
    }
  }

  private struct State {
    /// The virtual times, by their numbers.
    var clocks: [UInt64: Clock] = [:]
    var sights: [HealthSight] = []
  }

  private static let keptCount = 4
  private static let noteCount = 64

  private let recorder: GraphRecorder
  /// The virtual time inside which the check begins: it advances in code that does not know of the recorder.
  private let world = VirtualWorld.current
  private let state = Mutex(State())

  /// Begins to watch a recorder, until ``end()``.
  init(_ recorder: GraphRecorder) {
    self.recorder = recorder
    let note: GraphRecorder.TimeNote = { [weak self] clock, moment in self?.note(clock, moment) }
    recorder.timeNote = note
    world?.noteProgress()
    world?.addListener(ObjectIdentifier(self), note)
    world?.noteProgress()
  }

  /// Ends watching, and returns the snapshots with their findings.
  func end() -> [HealthSight] {
    recorder.timeNote = nil
    world?.noteProgress()
    world?.removeListener(ObjectIdentifier(self))
    return state.withLock { state in
      defer { state = State() }
      return state.sights
    }
  }

  /// Notes the current virtual time, and takes a snapshot if one is due.
  private func note(_ identifier: UInt64, _ moment: Duration) {
    let start: Duration? = state.withLock { state in
      var clock = state.clocks[identifier] ?? Clock(start: moment, next: moment)
      guard moment >= clock.next else {
        state.clocks[identifier]?.note(moment, GraphRecorder.latestIdentifier)
        return nil
      }
      // Nodes created since the previous note were created at the current time.
      if clock.notes.isEmpty { clock.note(moment, GraphRecorder.latestIdentifier) }
      state.clocks[identifier] = clock
      let passed = moment - clock.start
      let later = clock.start + passed + max(.seconds(1), passed / 4)
      state.clocks[identifier]?.next = later
      return clock.start
    }
    // Not under the lock: subscriptions whose owner is deallocated are ended now.
    guard let start else { return }
    look(identifier, after: (moment - start) / .seconds(1), recorder.snapshot())
  }

  private func look(_ identifier: UInt64, after seconds: Double, _ snapshot: GraphSnapshot) {
    var now = snapshot
    let (graph, earlier) = state.withLock { state in
      guard var clock = state.clocks[identifier] else { return (GraphView(now), [GraphView]()) }
      // The system time during a test is irrelevant.
      let start = clock.looks.first?.snapshot.takenAt ?? now.takenAt
      now.takenAt = start + seconds
      for index in now.nodes.indices where now.nodes[index].since != nil {
        let made = clock.notes.first { $0.latest >= now.nodes[index].id }?.moment
        let moment = made.map { start + ($0 - clock.start) / .seconds(1) }
        let since = clock.since[now.nodes[index].id] ?? moment ?? now.takenAt
        clock.since[now.nodes[index].id] = since
        now.nodes[index].since = since
      }
      clock.notes = clock.notes.suffix(1)
      let earlier = clock.looks
      if clock.looks.count == Self.keptCount { clock.looks.remove(at: 1) }
      let graph = GraphView(now)
      clock.looks.append(graph)
      state.clocks[identifier] = clock
      return (graph, earlier)
    }
    var found = earlier.flatMap { Rules.findings(in: Observation(graph, since: $0, time: .virtual)) }
    guard !found.isEmpty else { return }
    // Rules that need no time are evaluated at the end.
    let timeless = Set(Rules.findings(in: Observation(graph, since: nil, time: .none)).map(HealthFault.init))
    found.removeAll { timeless.contains(HealthFault($0)) }
    if !found.isEmpty { state.withLock { $0.sights.append(HealthSight(now: now, findings: found)) } }
  }
}

/// A snapshot, and its findings.
struct HealthSight: Sendable {
  let now: GraphSnapshot
  let findings: [Finding]
}

/// One fault is reported once, however often it was found.
struct HealthFault: Hashable {
  private let rule: String
  private let place: Place

  init(_ finding: Finding) {
    rule = finding.rule
    place = finding.place
  }
}
