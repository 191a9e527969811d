import SignalGraph

extension Session {
  /// How often the plan of one seed runs: what the threads do is the same, when they do it is not.
  private static let repetitions = 3

  func runGraphs(seed base: UInt64, graph: GraphMode, until end: Double) {
    var offset: UInt64 = 0
    repeat {
      runGraph(seed: seed ?? (base &+ offset &* 1_000_003), graph: graph)
      offset += 1
    } while Watch.uptime() < end
  }

  private func runGraph(seed: UInt64, graph: GraphMode) {
    let full = Plan(seed: seed)
    let plan = full.without(removed)
    let command = "scripts/stress --only graphs --seed \(seed) --graph \(graph)"
    report.seeds += 1
    Watch.now(command + without(removed), details: plan.description)
    for _ in 0..<Self.repetitions {
      let (findings, amount) = run(plan, graph)
      report.graphs += 1
      report.events += amount.events
      report.subscriptions += amount.subscriptions
      for finding in findings where report.add(finding, command: command + without(removed), details: plan.description)
      {
        let shrinking = Shrinking(plan: full, check: finding.check) { run($0, graph).findings }
        let smaller = Watch.impatiently { shrinking.removable(from: removed) }
        say("  smallest that failed too: \(command)\(without(smaller))\n\(full.without(smaller))")
      }
      if !findings.isEmpty { return }
    }
  }

  private func run(_ plan: Plan, _ graph: GraphMode) -> (findings: [Finding], amount: Round.Amount) {
    let recording = Recording(graph)
    defer { recording.end() }
    var (findings, amount) = Round(plan: plan, crew: crew, recording: recording).run()
    if graph.tracksCauses, Recording.nodesWithCauses > 0 {
      findings.append(
        Finding(
          check: "nothing is kept of causes", expected: "no node with causes once nobody traces",
          seen: "\(Recording.nodesWithCauses)"))
    }
    if graph.staysOn, findings.isEmpty {
      let isEmpty = wait(seconds: Watch.patience) { Recording.liveNodes.isEmpty }
      if !isEmpty {
        findings.append(
          Finding(
            check: "nothing alive in the graph", expected: "no live node at the end",
            seen: Recording.liveNodes.map { "\($0.id)" }.joined(separator: ", ")))
      }
    }
    return (findings, amount)
  }

  private func without(_ removed: Set<Int>) -> String { removed.isEmpty ? "" : " --without \(NumberList(removed))" }
}
