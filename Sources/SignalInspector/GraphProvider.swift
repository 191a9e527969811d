import Foundation
import SignalAttach
import SignalGraph
import Signals

/// Where the inspector reads the graph. The closures are called on the inspector's threads, up to one call per client
/// at a time.
struct GraphProvider: Sendable {
  /// The graph as it is now.
  var snapshot: @Sendable () -> GraphSnapshot
  /// One node as it is now; `nil` when there is no such node (any more).
  var observe: @Sendable (Node.ID) -> NodeObservation?
  /// Traces what handlers do, for so long from now.
  var trace: @Sendable (Duration) -> Void = { _ in }
  /// Records what happens for so long from now, and tells what has happened from an event on.
  var events: @Sendable (UInt64?, Duration) -> RecordedEvents = { number, _ in
    RecordedEvents(startedAt: 0, next: number ?? 0)
  }
}

extension GraphProvider {
  /// The graph of this process. This is the one place where the inspector meets the core's introspection.
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
