import Foundation
import SignalAttach
import SignalGraph
import Signals

/// The inspector's access to the graph. The closures are called on the inspector's threads, up to one call per client
/// at a time.
struct GraphProvider: Sendable {
  /// Returns the current graph.
  var snapshot: @Sendable () -> GraphSnapshot
  /// Returns the current state of a node; `nil` if it does not exist (any more).
  var observe: @Sendable (Node.ID) -> NodeObservation?
  /// Profiles handlers for a given time from now.
  var trace: @Sendable (Duration) -> Void = { _ in }
  /// Records events for a given time from now, and returns those from a number on.
  var events: @Sendable (UInt64?, Duration) -> RecordedEvents = { number, _ in
    RecordedEvents(startedAt: 0, next: number ?? 0)
  }
}

extension GraphProvider {
  /// The graph of this process. The inspector accesses the core's introspection only here.
  static let liveGraph = GraphProvider(
    snapshot: {
      Introspection.recorder?.snapshot()
        ?? GraphSnapshot(process: .current, takenAt: Date().timeIntervalSince1970)
    },
    observe: { identifier in
      guard let node = Introspection.recorder?.node(identifier) else { return nil }
      return NodeObservation(node: identifier, state: node.state, valueCount: node.valueCount)
    },
    trace: { HandlerTrace.shared.extend(by: $0) },
    events: { EventTrace.shared.events(from: $0, recordingFor: $1) }
  )
}
