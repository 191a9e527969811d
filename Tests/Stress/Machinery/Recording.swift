import SignalGraph
import SignalRecording
import Signals

extension GraphMode {
  /// Whether the graph is on during the whole round.
  var staysOn: Bool { self != .off && self != .toggled && self != .checked }
  /// Whether causes are tracked.
  var tracksCauses: Bool { self == .traced || self == .recorded }
}

/// The live graph while a round runs.
struct Recording {
  private let mode: GraphMode
  /// The recorder of a check.
  private let recorder: GraphRecorder?

  /// Begins again: nothing from earlier rounds is in the graph.
  init(_ mode: GraphMode) {
    self.mode = mode
    recorder =
      mode == .checked
      ? GraphRecorder(endedLimit: 4_096, unhandledFailures: nil, findsSubscriptions: true) : nil
    Introspection.disable()
    if mode.staysOn { Introspection.enable() }
    if mode.tracksCauses { Introspection.recorder?.traceHandlers(true) }
    if mode == .recorded {
      Introspection.recorder?.describeValues { "\($0)" }
      Introspection.recorder?.events.begin()
    }
  }

  /// What a further thread does meanwhile.
  var acts: [@Sendable () -> Void] {
    switch mode {
    case .off: []
    case .on: [Self.inspect]
    case .toggled: [Self.toggle]
    case .traced: [Self.toggleTracing]
    case .recorded: [Self.toggleEvents]
    case .checked: [look]
    }
  }

  /// Runs a closure whose chains are recorded.
  func inside<Result>(_ body: () -> Result) -> Result {
    guard let recorder else { return body() }
    return recorder.record(body)
  }

  /// Acts on other threads whose chains are recorded.
  func recorded(_ acts: [@Sendable () -> Void]) -> [@Sendable () -> Void] {
    guard let recorder else { return acts }
    return acts.map { act in { recorder.record(act) } }
  }

  /// Reads what checks read.
  @Sendable private func look() {
    for _ in 0..<3 {
      _ = recorder?.chainNodes().count
      _ = recorder?.pendingWork.count
      _ = recorder?.snapshot().nodes.count
    }
  }

  /// Takes snapshots.
  static func inspect() {
    for _ in 0..<3 { _ = Introspection.recorder?.snapshot().nodes.count }
  }

  /// Tracks causes, takes a snapshot, and tracks no more, a few times; then continues to track.
  static func toggleTracing() {
    let recorder = Introspection.recorder
    let other = ObjectIdentifier(GraphRecorder.self)
    for round in 0..<3 {
      _ = recorder?.snapshot().nodes.count
      // With another client the first one's end stops nothing.
      if round > 0 { recorder?.traceHandlers(true, for: other) }
      recorder?.traceHandlers(false)
      recorder?.traceHandlers(true)
      recorder?.traceHandlers(false, for: other)
    }
  }

  /// Reads events and takes snapshots while steps of another pipeline come and go; stops recording events and starts again.
  static func toggleEvents() {
    guard let recorder = Introspection.recorder else { return }
    var next: UInt64?
    for round in 0..<3 {
      let first = GraphReporter("first")
      let second = GraphReporter("second", named: "step \(round)")
      first.deliver(to: second)
      first.countValue()
      let reading = recorder.events.read(from: next ?? 0, limit: 1_000)
      next = reading.next
      _ = recorder.snapshot().nodes.count
      second.finish()
      if round == 1 {
        recorder.events.end()
        recorder.events.begin()
      }
    }
  }

  /// Turns the graph on, takes snapshots with causes tracked and without, and turns it off.
  static func toggle() {
    for tracks in [false, true] {
      let recorder = Introspection.enable()
      if tracks { recorder.traceHandlers(true) }
      _ = recorder.snapshot().nodes.count
      Introspection.disable()
    }
  }

  func end() {
    if mode == .recorded {
      Introspection.recorder?.events.end()
      Introspection.recorder?.describeValues(nil)
    }
    Introspection.disable()
    recorder?.close()
  }

  /// The number of nodes that still have causes once these are no longer tracked.
  static var nodesWithCauses: Int {
    Introspection.recorder?.traceHandlers(false)
    return Introspection.recorder?.snapshot().nodes.count { $0.causes != nil } ?? 0
  }

  /// The nodes that are still listed as alive.
  static var liveNodes: [Node] {
    Introspection.recorder?.snapshot().nodes.filter { $0.state == .live } ?? []
  }
}
