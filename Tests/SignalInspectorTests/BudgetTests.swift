import Foundation
import SignalAttach
import SignalGraph
import Synchronization
import Testing

@testable import SignalInspector

/// Time that passes only while somebody waits, and costs that tests make up.
private final class FakeTime: Sendable {
  private struct State {
    var now = ContinuousClock.now
    var used = Duration.zero
    var waits: [Duration] = []
    var snapshots = 0
  }

  private let state = Mutex(State())
  private let start: ContinuousClock.Instant

  init() { start = state.withLock { $0.now } }

  var clock: InspectorClock {
    InspectorClock(
      now: { self.state.withLock { $0.now } }, used: { self.state.withLock { $0.used } },
      pause: { _, moment in self.wait(until: moment) })
  }

  func use(_ cost: Duration) { state.withLock { $0.used += cost } }

  func pass(_ time: Duration) { state.withLock { $0.now += time } }

  func wait(until moment: ContinuousClock.Instant) {
    state.withLock { state in
      state.waits.append(moment - state.now)
      state.now = max(state.now, moment)
    }
  }

  /// How long was waited, each time.
  var waits: [Duration] { state.withLock { $0.waits } }

  /// A graph that takes so much to look at. When it is taken is the time that has passed, in seconds.
  func graph(costing cost: Duration) -> GraphProvider {
    GraphProvider(
      snapshot: {
        self.use(cost)
        let now = self.state.withLock { state in
          state.snapshots += 1
          return state.now
        }
        return GraphSnapshot(process: .current, takenAt: (now - self.start) / .seconds(1))
      },
      observe: { node in
        self.use(cost)
        return NodeObservation(node: node, state: .live, valueCount: 1)
      })
  }
}

private func limits(share: Double = 0.02, allowance: Duration = .zero) -> InspectorLimits {
  var limits = InspectorLimits()
  limits.share = share
  limits.allowance = allowance
  return limits
}

@Suite("A client that asks again and again") struct BudgetTests {
  @Test("waits until the answer before is paid for")
  func waits() {
    let time = FakeTime()
    let budget = ProcessorBudget(limits(), time.clock)
    budget.wait(time.wait)
    #expect(time.waits == [])
    budget.spend { time.use(.milliseconds(40)) }
    time.pass(.milliseconds(500))
    budget.wait(time.wait)
    #expect(time.waits == [.milliseconds(1_500)])
  }

  @Test("need not wait for what is small")
  func allowance() {
    let time = FakeTime()
    let budget = ProcessorBudget(limits(allowance: .milliseconds(10)), time.clock)
    for _ in 0..<10 {
      budget.wait(time.wait)
      budget.spend { time.use(.milliseconds(1)) }
    }
    #expect(time.waits == [])
    budget.spend { time.use(.milliseconds(1)) }
    budget.wait(time.wait)
    #expect(time.waits == [.milliseconds(50)])
  }

  @Test("takes no more of the processors' time than its share, with others and however often it asks")
  func share() {
    let time = FakeTime()
    let budget = ProcessorBudget(limits(), time.clock)
    let start = time.clock.now()
    for _ in 0..<100 {
      budget.wait(time.wait)
      // Two that waited together.
      budget.spend { time.use(.milliseconds(12)) }
      budget.spend { time.use(.milliseconds(8)) }
    }
    budget.wait(time.wait)
    #expect(time.clock.now() - start == .milliseconds(20) * 100 * 50)
  }

  @Test("gains no credit from time in which nobody asks")
  func idleTime() {
    let time = FakeTime()
    let budget = ProcessorBudget(limits(), time.clock)
    budget.spend { time.use(.milliseconds(20)) }
    time.pass(.seconds(100))
    budget.spend { time.use(.milliseconds(20)) }
    budget.wait(time.wait)
    #expect(time.waits == [.seconds(1)])
  }

  @Test("does not wait for ever, and an answer later than it would wait is not for it")
  func longestWait() {
    let time = FakeTime()
    let budget = ProcessorBudget(limits(), time.clock)
    budget.spend { time.use(.seconds(1)) }
    budget.wait(time.wait)
    budget.wait(patience: .seconds(1), time.wait)
    budget.wait(patience: .zero, time.wait)
    #expect(time.waits == [.seconds(5), .seconds(1)])
    // What is owed is forgotten after a minute.
    budget.spend { time.use(.seconds(1_000)) }
    time.pass(.seconds(60))
    budget.wait(time.wait)
    #expect(time.waits.count == 2)
  }

  @Test("gets a graph that is taken after it asked, and at once if it says so")
  func answers() async throws {
    let time = FakeTime()
    try await withInspector(time.graph(costing: .milliseconds(40)), limits: limits(), clock: time.clock) { path, _ in
      func takenAt(_ headers: String = "") throws -> Double {
        let answer = try RawClient.ask(path, "GET /snapshot HTTP/1.0\r\n\(headers)\r\n")
        return try JSONDecoder().decode(GraphSnapshot.self, from: Data(answer.body.utf8)).takenAt
      }
      let first = try [takenAt(), takenAt()]
      time.pass(.milliseconds(500))
      let later = try ["wait=0", "return=minimal, wait=1", "nonsense; wait=soon"].map {
        try takenAt("Prefer: \($0)\r\n")
      }
      #expect(first + later == [0, 2, 2.5, 3.5, 8])
    }
    #expect(time.waits == [.seconds(2), .seconds(1), .milliseconds(4_500)])
  }

  @Test("gets as many lines of a stream as are paid for, and is not dropped for those between")
  func stream() async throws {
    let time = FakeTime()
    var limits = limits()
    limits.missedUpdates = 2
    try await withInspector(time.graph(costing: .milliseconds(10)), limits: limits, clock: time.clock) { path, _ in
      let client = try RawClient(path)
      try client.send("GET /stream?interval=100 HTTP/1.0\r\n\r\n")
      var text = ""
      while text.body.count(where: { $0 == "\n" }) < 3 { text += try client.readSome() }
      client.hangUp()
      let lines = try text.body.split(separator: "\n").prefix(3).map {
        try JSONDecoder().decode(SnapshotLine.self, from: Data($0.utf8))
      }
      #expect(lines.map(\.missed) == [0, 4, 4])
      #expect(lines.map { $0.content?.takenAt } == [0, 0.5, 1])
    }
  }

  @Test("looks at a node as often as is paid for")
  func watch() async throws {
    let time = FakeTime()
    try await withInspector(time.graph(costing: .milliseconds(10)), limits: limits(), clock: time.clock) { path, _ in
      let body = try RawClient.get(path, "/watch?node=1&seconds=2").body
      #expect(body.contains("the time of 2.0 seconds is over"))
    }
    // A tenth of a second between two looks, and then until the one before is paid for.
    #expect(
      time.waits == [.milliseconds(100), .milliseconds(400)] + [.milliseconds(100), .milliseconds(400)]
        + [.milliseconds(100), .milliseconds(400)] + [.milliseconds(100), .milliseconds(400)])
  }
}
