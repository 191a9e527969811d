import SignalGraph
import Synchronization

/// How many values wait in a node, and how many it has dropped. An operator that keeps values has one while it is recorded.
///
/// To keep it while it is read keeps nothing of the operator.
@usableFromInline
package final class QueueCounts: Sendable {
  private let waiting = Atomic<Int>(0)
  private let dropped = Atomic<UInt64>(0)
  /// How many waited when the subscription was disposed.
  private let lost = Atomic<UInt64>(0)
  /// What measures how long values wait, once that was asked for.
  private let sampling = OnceReference<WaitSampling>()
  private let node: UInt64
  private let link: RecorderLink?

  init(of node: UInt64, _ link: RecorderLink?) {
    self.node = node
    self.link = link
  }

  /// Notes that so many values more wait; that so many fewer do, if negative.
  package func addWaiting(_ change: Int) {
    let waiting = waiting.wrappingAdd(change, ordering: .relaxed).newValue
    if change < 0 {
      if sampling.isSet { sampling.load()?.leave(-change) }
    } else if let link, link.isTracing {
      trace(link, waiting: waiting)
    }
  }

  @inline(never)
  private func trace(_ link: RecorderLink, waiting: Int) {
    (sampling.load() ?? sampling.storeIfNil(WaitSampling())).begin(at: waiting)
    if let handler = HandlerTracing.current { link.use { $0.noteSend(from: handler, to: node) } }
  }

  /// Forgets how long values waited.
  func forgetWaits() { sampling.load()?.forget() }

  /// How long values waited while handlers were traced; nil if that is not known.
  var waitTimes: WaitTimes? { sampling.load()?.reading }

  /// Notes that a value was dropped.
  package func addDropped() {
    dropped.wrappingAdd(1, ordering: .relaxed)
  }

  /// Keeps how many values wait now that the subscription is being disposed: nobody delivers them any more.
  func noteLost() { lost.store(UInt64(waitingCount), ordering: .relaxed) }

  var lostCount: UInt64 { lost.load(ordering: .relaxed) }

  /// How many values wait. A value may begin to wait and be taken before the first was noted.
  var waitingCount: Int { max(0, waiting.load(ordering: .relaxed)) }

  var droppedCount: UInt64 { dropped.load(ordering: .relaxed) }
}

extension NodeReference {
  /// What counts the values that wait in the node.
  package func makeQueueCounts() -> QueueCounts {
    let counts = QueueCounts(of: identifier, recorder?.link)
    record.note(counts, of: identifier)
    return counts
  }
}
