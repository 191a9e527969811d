import SignalGraph
import Synchronization

/// The number of values that wait in a node, and of those that it has dropped. An operator with a queue has one while
/// it is recorded.
///
/// Retaining it during a read retains no part of the operator.
@usableFromInline
package final class QueueCounts: Sendable {
  /// The number of values that have begun to wait, and the number that no longer do.
  private let begun = Atomic<UInt64>(0)
  private let ended = Atomic<UInt64>(0)
  private let dropped = Atomic<UInt64>(0)
  /// The number of waiting values at the disposal of the subscription.
  private let lost = Atomic<UInt64>(0)
  /// Measures the waiting times, once requested.
  private let sampling = OnceReference<WaitSampling>()
  let node: UInt64
  /// The scheduler that delivers the values, if there is one.
  let schedule: NodeSchedule?
  let link: RecorderLink?
  /// The causes of waiting values by their number, while causes are tracked; and those of waiting results by theirs,
  /// with ``resultBit``.
  private let causes = Mutex<[UInt64: (number: UInt64, isTimed: Bool)]>([:])

  init(of node: UInt64, on schedule: NodeSchedule?, _ link: RecorderLink?) {
    self.node = node
    self.schedule = schedule
    self.link = link
  }

  /// Notes that a value begins to wait.
  package func begin() {
    let number = begun.wrappingAdd(1, ordering: .relaxed).newValue
    if let link, link.isTracing { trace(beginOf: number, link) }
  }

  /// Notes that the value that has waited longest no longer waits.
  ///
  /// - Parameter isDropped: Whether it is not delivered.
  package func end(isDropped: Bool = false) {
    let number = ended.wrappingAdd(1, ordering: .relaxed).newValue
    if let link, link.isTracing { trace(endOf: number, isDropped) }
  }

  @inline(never)
  private func trace(beginOf number: UInt64, _ link: RecorderLink) {
    let sampling = sampling.load() ?? sampling.storeIfNil(WaitSampling())
    sampling.begin(number, ended: ended.load(ordering: .relaxed))
    noteCause(of: number, link)
  }

  @inline(never)
  private func trace(endOf number: UInt64, _ isDropped: Bool) {
    sampling.load()?.end(number)
    takeCause(of: number, isDropped)
  }

  private func noteCause(of number: UInt64, _ link: RecorderLink) {
    // Values taken by a queueing subscriber belong to its own handler.
    if let handler = SendingHandler.current, handler.node != node { link.use { $0.noteSend(from: handler, to: node) } }
    guard let top = CauseTracing.top else { return }
    let cause: (UInt64, Bool)? =
      switch top.place {
      case .way(to: node), .task(of: node), .left: (top.number, false)
      case .source: (top.latest, false)
      case .work(of: node): (top.number, true)
      default: nil
      }
    guard let cause else { return }
    note(number, cause, link)
  }

  private func note(_ key: UInt64, _ cause: (UInt64, Bool), _ link: RecorderLink) {
    causes.withLock { causes in
      // The end of tracking comes here too, after clearing the flag.
      guard link.isTracing else { return }
      // Notes from an earlier tracking are obsolete.
      if causes.count >= Self.largestCauses { causes = [:] }
      causes[key] = cause
    }
  }

  private static var resultBit: UInt64 { 1 << 63 }

  private static func key(ofResult number: Int) -> UInt64 { resultBit | UInt64(truncatingIfNeeded: number) }

  /// Stores the cause of a result that waits for others.
  func noteResult(_ number: Int, _ cause: UInt64) {
    if let link { note(Self.key(ofResult: number), (cause, false), link) }
  }

  /// Removes the cause of a result that no longer waits; nil if unknown.
  func takeResult(_ number: Int) -> UInt64? {
    causes.withLock { $0.isEmpty ? nil : $0.removeValue(forKey: Self.key(ofResult: number))?.number }
  }

  private func takeCause(of number: UInt64, _ isDropped: Bool) {
    guard let cause = causes.withLock({ $0.removeValue(forKey: number) }), !isDropped else { return }
    CauseTracing.thread.take(cause.number, isTimed: cause.isTimed, of: node)
  }

  /// Discards the causes of waiting values.
  func forgetCauses() { causes.withLock { $0 = [:] } }

  private static var largestCauses: Int { 1_024 }

  /// Discards the waiting times.
  func forgetWaits() { sampling.load()?.forget() }

  /// The waiting times while handlers were profiled; nil if unknown.
  var waitTimes: WaitTimes? { sampling.load()?.reading(ended: ended.load(ordering: .relaxed)) }

  /// Notes that a value was dropped.
  package func addDropped() {
    dropped.wrappingAdd(1, ordering: .relaxed)
  }

  /// Stores the number of waiting values at the disposal of the subscription: they are not delivered any more.
  func noteLost() { lost.store(UInt64(waitingCount), ordering: .relaxed) }

  var lostCount: UInt64 { lost.load(ordering: .relaxed) }

  /// The number of waiting values. A value may begin to wait and be taken before its beginning was noted.
  var waitingCount: Int {
    // In this order: a value that ends between the two is not counted.
    let ended = ended.load(ordering: .relaxed)
    let begun = begun.load(ordering: .relaxed)
    return begun > ended ? Int(clamping: begun - ended) : 0
  }

  var droppedCount: UInt64 { dropped.load(ordering: .relaxed) }
}

extension NodeReference {
  /// Creates the counts of the values that wait in the node.
  ///
  /// - Parameter schedule: The scheduler that delivers them, if there is one.
  package func makeQueueCounts(on schedule: NodeSchedule? = nil) -> QueueCounts {
    let counts = QueueCounts(of: identifier, on: schedule, recorder?.link)
    record.note(counts, of: identifier)
    return counts
  }
}
