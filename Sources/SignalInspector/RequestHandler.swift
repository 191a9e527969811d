import Foundation
import SignalAttach
import SignalGraph

/// Reads one request and responds to it, on the client's own thread. It changes only what is recorded, handlers and
/// events, for a time; and reading the graph ends subscriptions of deallocated owners.
struct RequestHandler {
  let connection: ClientConnection
  /// The process's recorder.
  let graph: GraphProvider
  let limits: InspectorLimits
  let budget: ProcessorBudget

  private static let json = "application/json"
  private static let jsonLines = "application/x-ndjson"

  func answer() throws {
    do {
      let head = try RequestHead.read(from: connection, limits: limits.client)
      let answer = Answer(connection: connection, isChunked: head.knowsChunks)
      // A `hello` request counts against no limit: it identifies the program even if it has many clients.
      let isGreeting = head.method == "GET" && head.target == AttachRequest.hello.target
      if !isGreeting, try !connection.enter() {
        return try answer.refuse(
          .serviceUnavailable,
          "\(limits.client.clients) clients are connected, the maximum; try again when one has disconnected",
          headers: ["Retry-After: 1"])
      }
      guard head.method == "GET" else {
        return try answer.refuse(
          .methodNotAllowed, "'\(head.method)' is not possible here, this server is read-only; use GET",
          headers: ["Allow: GET"])
      }
      try answerTarget(head.target, patience: head.patience, with: answer)
    } catch let refusal as RequestHead.Refusal {
      try Answer(connection: connection, isChunked: false).refuse(refusal.status, refusal.message)
    }
  }

  private func answerTarget(_ target: String, patience: Duration?, with answer: Answer) throws {
    let request: AttachRequest
    do throws(AttachRequestError) {
      request = try AttachRequest(target: target)
    } catch {
      let status: HTTPStatus =
        switch error {
        case .unknownPath: .notFound
        case .badItem: .badRequest
        }
      return try answer.refuse(status, error.description)
    }
    switch request {
    case .hello:
      try answer.send(.ok, type: Self.json, body: try JSONEncoder.wire.encode(Hello()))
    case .snapshot(let focus):
      try budget.wait(patience: patience, pause)
      guard let part = try snapshot(at: focus, with: answer) else { return }
      try answer.begin(type: Self.json)
      try budget.spend { try write(part, with: answer) }
      // Sent after the cost is charged: a client may send its next request when it sees the end.
      try answer.end()
    case .stream(let focus, let interval):
      if !focus.texts.isEmpty {
        try budget.wait(pause)
        guard try snapshot(at: focus, with: answer) != nil else { return }
      }
      try answer.begin(type: Self.jsonLines)
      try stream(focus, every: .milliseconds(interval), with: answer)
    case .watch(let node, let seconds, let lines):
      guard let first = budget.spend({ graph.observe(node) }) else {
        return try answer.refuse(.notFound, "there is no node \(node) (any more); take one from a new snapshot")
      }
      try answer.begin(type: Self.jsonLines)
      try watch(node, first: first, for: .seconds(seconds), lines: lines, with: answer)
    case .trace(let seconds):
      graph.trace(.seconds(seconds))
      try answer.send(.ok, type: Self.json, body: try JSONEncoder.wire.encode(TraceAnswer(seconds: seconds)))
    case .summary(let milliseconds):
      try budget.wait(patience: patience, pause)
      let summary = try summary(of: .milliseconds(milliseconds))
      try answer.send(.ok, type: Self.json, body: try JSONEncoder.wire.encode(summary))
    case .events(let number, let seconds):
      try budget.wait(patience: patience, pause)
      try answer.begin(type: Self.json)
      try budget.spend { try graph.events(number, .seconds(seconds)).write { try answer.write(Data($0)) } }
      try answer.end()
    }
  }

  /// A few counts of the graph and, if a time is given, the activity during it. Only counts are stored in the meantime.
  private func summary(of time: Duration) throws -> GraphSummary {
    var summary: GraphSummary
    if time > .zero {
      let before = budget.spend { GraphSummary.Deliveries(in: graph.snapshot()) }
      try pause(until: budget.clock.now() + time)
      summary = budget.spend { GraphSummary(of: graph.snapshot(), since: before) }
    } else {
      summary = budget.spend { GraphSummary(of: graph.snapshot()) }
    }
    summary.process.name = JSONStream.cut(summary.process.name)
    return summary
  }

  /// The requested part of the graph. If the targets match nothing, responds with that error and returns `nil`.
  private func snapshot(at focus: GraphFocus, with answer: Answer) throws -> GraphSnapshot? {
    let part = budget.spend {
      Result { () throws(GraphFocusError) in try graph.snapshot().focused(on: focus) }
    }
    do throws(GraphFocusError) {
      return try part.get()
    } catch {
      try answer.refuse(.notFound, error.description)
      return nil
    }
  }

  /// Waits until an instant, or until the client disconnects.
  private func pause(until moment: ContinuousClock.Instant) throws { try budget.clock.pause(connection, moment) }

  /// Sends a snapshot at every whole interval since the start. The intervals that pass while a client receives its line
  /// are missed, and counted in the next line; a client that misses too many in a row gets an error, and is dropped.
  /// Intervals that pass until the budget allows a line are missed too, but no client is dropped for them.
  ///
  /// The client's targets may disappear during the stream: the lines then show the rest.
  private func stream(_ focus: GraphFocus, every interval: Duration, with answer: Answer) throws {
    let start = budget.clock.now()
    /// The number of whole intervals that have passed.
    func passed() -> UInt64 { UInt64(max(0, (budget.clock.now() - start) / interval)) }
    var next: UInt64 = 0
    var missed: UInt64 = 0
    while missed < limits.missedUpdates {
      try budget.wait(pause)
      let current = max(next, passed())
      let unsent = missed + (current - next)
      try budget.spend {
        try answer.write(Data("{\"missed\":\(unsent),\"content\":".utf8))
        try write(graph.snapshot().remaining(of: focus), with: answer)
        try answer.write(Data("}\n".utf8))
      }
      let last = max(current, passed())
      missed = last - current
      next = last + 1
      try pause(until: start + interval * Double(next))
    }
    try write(SnapshotLine(missed: missed, ended: "too slow: \(missed) snapshots in a row were missed"), with: answer)
    try answer.end()
  }

  /// Sends an observation when a poll finds a change, until the end of the time, the lines or the node.
  private func watch(
    _ node: Node.ID, first: NodeObservation, for time: Duration, lines: Int, with answer: Answer
  ) throws {
    let start = budget.clock.now()
    var last = first
    try write(ObservationLine(missed: 0, content: first.bounded), with: answer)
    var remaining = lines - 1
    var reason = first.state == .live ? "the \(lines) lines were sent" : "the node is \(first.state.rawValue)"
    while last.state == .live, remaining > 0 {
      guard budget.clock.now() - start < time else {
        reason = "the time of \(time) is over"
        break
      }
      try pause(until: min(start + time, budget.clock.now() + limits.watchInterval))
      try budget.wait(patience: start + time - budget.clock.now(), pause)
      guard let observation = budget.spend({ graph.observe(node) }) else {
        reason = "the node is gone"
        break
      }
      guard observation != last else { continue }
      let passed = observation.valueCount.subtractingReportingOverflow(last.valueCount)
      let missed = passed.overflow || passed.partialValue == 0 ? 0 : passed.partialValue - 1
      try write(ObservationLine(missed: missed, content: observation.bounded), with: answer)
      last = observation
      remaining -= 1
      if observation.state != .live { reason = "the node is \(observation.state.rawValue)" }
    }
    try write(ObservationLine(missed: 0, ended: reason), with: answer)
    try answer.end()
  }

  private func write<Content>(_ line: StreamLine<Content>, with answer: Answer) throws {
    try answer.write(try JSONEncoder.wire.encode(line) + Data("\n".utf8))
  }

  private func write(_ snapshot: GraphSnapshot, with answer: Answer) throws {
    try JSONStream.write(snapshot) { try answer.write(Data($0)) }
  }
}

extension NodeObservation {
  /// The observation with a short last value, and without a time that JSON has no form of.
  fileprivate var bounded: NodeObservation {
    var observation = self
    observation.lastValue = lastValue.map(JSONStream.cut)
    observation.lastEventAt = lastEventAt.flatMap { $0.isFinite ? $0 : nil }
    return observation
  }
}

extension GraphSnapshot {
  /// The requested part of the graph, of which some or all may be gone.
  fileprivate func remaining(of focus: GraphFocus) -> GraphSnapshot {
    guard !focus.texts.isEmpty else { return self }
    let starts = focus.texts.reduce(into: Set<Node.ID>()) { $0.formUnion(nodes(matching: GraphFocus.Target($1))) }
    return part(around: starts, depth: focus.depth)
  }
}
