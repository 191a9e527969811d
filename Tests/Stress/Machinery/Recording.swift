import SignalGraph
import Signals

/// The live graph while a round runs.
struct Recording {
  private let mode: GraphMode

  /// Begins anew: nothing from earlier rounds is in the graph.
  init(_ mode: GraphMode) {
    self.mode = mode
    Introspection.disable()
    if mode == .on || mode == .traced { Introspection.enable() }
    if mode == .traced { Introspection.recorder?.traceHandlers(true) }
  }

  /// What a further thread does meanwhile.
  var acts: [@Sendable () -> Void] {
    switch mode {
    case .off, .on: []
    case .toggled: [Self.toggle]
    case .traced: [Self.toggleTracing]
    }
  }

  /// Traces, looks at the graph, and traces no more, a few times; then goes on tracing.
  static func toggleTracing() {
    let recorder = Introspection.recorder
    for _ in 0..<3 {
      _ = recorder?.snapshot().nodes.count
      recorder?.traceHandlers(false)
      recorder?.traceHandlers(true)
    }
  }

  /// Turns the graph on, looks at it, and turns it off.
  static func toggle() {
    let recorder = Introspection.enable()
    _ = recorder.snapshot().nodes.count
    Introspection.disable()
  }

  func end() { Introspection.disable() }

  /// How many nodes still know of causes once nobody traces.
  static var nodesWithCauses: Int {
    Introspection.recorder?.traceHandlers(false)
    return Introspection.recorder?.snapshot().nodes.count { $0.causes != nil } ?? 0
  }

  /// The nodes that are still listed as alive.
  static var liveNodes: [Node] {
    Introspection.recorder?.snapshot().nodes.filter { $0.state == .live } ?? []
  }
}
