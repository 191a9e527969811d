import SignalGraph

/// Handlers that block the main thread's other work.
///
/// Two snapshots are needed, and profiled handlers between them. A handler is reported if it ran on the main thread for
/// at least a fifth of the time, or if one of its calls there took at least a tenth of a second: the longest one so far,
/// or the average one. The operators above it that run in the same call, such as those below a hop, count as part of it.
/// If it used the CPU for less than a tenth of that time, it waited, and the remedy differs.
struct BusyMainRule: Rule {
  static let name = "busy-main"
  static let summary = "a handler that keeps the main thread from its other work"

  /// The minimum share of the time.
  var part = 0.2
  /// The minimum duration of a single call, in seconds.
  var longest = 0.1
  /// The minimum share of its time in which a working handler uses the CPU, also on a busy machine.
  private static let leastWork = 0.1

  func findings(in observation: Observation) -> [Finding] {
    guard let before = observation.before, observation.seconds > 0 else { return [] }
    let graph = observation.now
    let wait = WaitWords.longestForMain(in: observation)
    return graph.snapshot.nodes.compactMap { node -> Finding? in
      guard let now = node.handler, let definition = graph.definition(of: node) else { return nil }
      let earlier = before.nodes[node.id]?.handler ?? HandlerTimes()
      let seconds = now.mainSeconds - earlier.mainSeconds
      let calls = now.calls - min(earlier.calls, now.calls)
      guard seconds > 0 else { return nil }
      let share = seconds / observation.seconds
      // The longest call was on the main thread if nearly all of the time was spent there.
      let isSlow =
        now.longest >= longest && now.mainSeconds >= 0.9 * now.seconds
        && (now.longest > earlier.longest || seconds >= longest * Double(calls))
      guard share >= part || isSlow else { return nil }
      let isWaiting = now.mainCPUSeconds.map { $0 - (earlier.mainCPUSeconds ?? 0) < Self.leastWork * seconds } ?? false
      let milliseconds = Int((now.longest * 1_000).rounded())
      let hop = hop(above: node, in: graph)
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message:
          "this handler\(hop == nil ? "" : ", with the operators between it and its hop,") took "
          + "\(Int((share * 100).rounded())) % of the main thread's time, with \(calls) calls of up to \(milliseconds) ms"
          + (isWaiting ? ", and waited nearly all of that time" : "")
          + (wait.map { "; values wait up to \($0) for the main thread" } ?? ""),
        remedy: isWaiting
          ? "do not block the main thread: subscribe to the result that it waits for, or `await` it in a task, such as with `firstValue()`; the result may itself need the main thread"
          : "do the work above a hop: `receive(on: .qos(.userInitiated))`, then `map`, then `receive(on: .main)` to show the result",
        related: hop.map { [.init("values come to the main thread with this `\($0.kind)`", at: Place($0))] } ?? [],
        nodes: [node.id])
    }.sorted { $0.place < $1.place }
  }

  /// The hop that delivers a handler's values, if there are operators between them.
  private func hop(above node: Node, in graph: GraphView) -> Definition? {
    var (current, seen) = (node, Set([node.id]))
    while let inputs = graph.inputs[current.id], inputs.count == 1, let above = graph.nodes[inputs[0].source],
      let definition = graph.definition(of: above), seen.insert(above.id).inserted
    {
      if LostValuesRule.isHop(definition) { return current.id == node.id ? nil : definition }
      current = above
    }
    return nil
  }
}
