import SignalGraph
import Synchronization

/// How many values wait in a node, and how many it has dropped. An operator that keeps values has one while it is recorded.
///
/// To keep it while it is read keeps nothing of the operator.
@usableFromInline
package final class QueueCounts: Sendable {
  /// How many values have begun to wait, and how many of them do not wait any more.
  private let begun = Atomic<UInt64>(0)
  private let ended = Atomic<UInt64>(0)
  private let dropped = Atomic<UInt64>(0)
  /// How many waited when the subscription was disposed.
  private let lost = Atomic<UInt64>(0)
  /// What measures how long values wait, once that was asked for.
  private let sampling = OnceReference<WaitSampling>()
  let node: UInt64
  /// On what the values are delivered, if it is a scheduler.
  let schedule: NodeSchedule?
  let link: RecorderLink?
  /// What caused the values that wait, by their number, where that is traced; and results that wait, by theirs, with ``resultBit``.
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

  /// Notes that the value that has waited longest does not wait any more.
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
    // What a subscriber that keeps values takes is its own handler's.
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
      // What ends tracing comes here too, after saying so.
      guard link.isTracing else { return }
      // What was noted when tracing was on before is of no use.
      if causes.count >= Self.largestCauses { causes = [:] }
      causes[key] = cause
    }
  }

  private static var resultBit: UInt64 { 1 << 63 }

  private static func key(ofResult number: Int) -> UInt64 { resultBit | UInt64(truncatingIfNeeded: number) }

  /// Notes what caused a result that waits for others.
  func noteResult(_ number: Int, _ cause: UInt64) {
    if let link { note(Self.key(ofResult: number), (cause, false), link) }
  }

  /// What caused a result that waits no more; nil if that is not known.
  func takeResult(_ number: Int) -> UInt64? {
    causes.withLock { $0.isEmpty ? nil : $0.removeValue(forKey: Self.key(ofResult: number))?.number }
  }

  private func takeCause(of number: UInt64, _ isDropped: Bool) {
    guard let cause = causes.withLock({ $0.removeValue(forKey: number) }), !isDropped else { return }
    CauseTracing.thread.take(cause.number, isTimed: cause.isTimed, of: node)
  }

  /// Forgets what caused the values that wait.
  func forgetCauses() { causes.withLock { $0 = [:] } }

  private static var largestCauses: Int { 1_024 }

  /// Forgets how long values waited.
  func forgetWaits() { sampling.load()?.forget() }

  /// How long values waited while handlers were traced; nil if that is not known.
  var waitTimes: WaitTimes? { sampling.load()?.reading(ended: ended.load(ordering: .relaxed)) }

  /// Notes that a value was dropped.
  package func addDropped() {
    dropped.wrappingAdd(1, ordering: .relaxed)
  }

  /// Keeps how many values wait now that the subscription is being disposed: nobody delivers them any more.
  func noteLost() { lost.store(UInt64(waitingCount), ordering: .relaxed) }

  var lostCount: UInt64 { lost.load(ordering: .relaxed) }

  /// How many values wait. A value may begin to wait and be taken before the first was noted.
  var waitingCount: Int {
    // In this order: what ends between the two is counted out.
    let ended = ended.load(ordering: .relaxed)
    let begun = begun.load(ordering: .relaxed)
    return begun > ended ? Int(clamping: begun - ended) : 0
  }

  var droppedCount: UInt64 { dropped.load(ordering: .relaxed) }
}

extension NodeReference {
  /// What counts the values that wait in the node.
  ///
  /// - Parameter schedule: On what they are delivered, if it is a scheduler.
  package func makeQueueCounts(on schedule: NodeSchedule? = nil) -> QueueCounts {
    let counts = QueueCounts(of: identifier, on: schedule, recorder?.link)
    record.note(counts, of: identifier)
    return counts
  }
}
