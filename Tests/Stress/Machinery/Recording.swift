import SignalGraph
import Signals

/// The live graph while a round runs.
struct Recording {
  private let mode: GraphMode

  /// Begins anew: nothing from earlier rounds is in the graph.
  init(_ mode: GraphMode) {
    self.mode = mode
    Introspection.disable()
    if mode == .on { Introspection.enable() }
  }

  /// What a further thread does meanwhile.
  var acts: [@Sendable () -> Void] {
    mode == .toggled ? [Self.toggle] : []
  }

  /// Turns the graph on, looks at it, and turns it off.
  static func toggle() {
    let recorder = Introspection.enable()
    _ = recorder.snapshot().nodes.count
    Introspection.disable()
  }

  func end() { Introspection.disable() }

  /// The nodes that are still listed as alive.
  static var liveNodes: [Node] {
    Introspection.recorder?.snapshot().nodes.filter { $0.state == .live } ?? []
  }
}
