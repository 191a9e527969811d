import Signals

/// Goes through rounds: meetings and random graphs in turn, with the live graph in each of its modes.
struct Session {
  /// How many threads there are: four, and one that turns the live graph on and off.
  static let threads = 5
  /// How long the same meeting goes on before the next one's turn.
  private static let slice = 0.1

  let crew: Crew
  let report: Report
  let seed: UInt64?
  let graph: GraphMode?
  let only: String?
  let removed: Set<Int>

  func run(until end: Double) {
    let base = seed ?? UInt64.random(in: 0..<1 << 32)
    var turn: UInt64 = 0
    while Watch.uptime() < end {
      let graph = graph ?? GraphMode.allCases[Int(turn % UInt64(GraphMode.allCases.count))]
      let roundSeed = seed ?? (base &+ turn)
      if only != "graphs" {
        for meeting in meetings where only == nil || meeting.name == only {
          run(meeting, seed: roundSeed, graph: graph, until: min(end, Watch.uptime() + Self.slice))
        }
      }
      if only == nil || only == "graphs" {
        runGraphs(seed: roundSeed, graph: graph, until: min(end, Watch.uptime() + Self.slice * Double(meetings.count)))
      }
      turn += 1
    }
    Watch.pause()
  }

  private func run(_ meeting: Meeting, seed: UInt64, graph: GraphMode, until end: Double) {
    let command = "scripts/stress --only \(meeting.name) --seed \(seed) --graph \(graph)"
    Watch.now(command, details: "")
    report.seeds += 1
    var random = Random(seed: seed)
    let recording = Recording(graph)
    repeat {
      let judge = Judge()
      let encounter = recording.inside { meeting.prepare(&random, judge) }
      crew.run(recording.recorded(encounter.acts + recording.acts))
      encounter.check()
      report.meetings += 1
      report.events += encounter.events
      report.subscriptions += encounter.subscriptions
      for finding in judge.findings { report.add(finding, command: command, details: nil) }
    } while Watch.uptime() < end
    recording.end()
  }
}
