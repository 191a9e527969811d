/// The graph's record of the values that wait in an operator; empty while the graph is off.
@usableFromInline
struct QueueRecording: Sendable {
  #if SIGNALS_WITHOUT_GRAPH
    @inlinable var counts: QueueCounts? { nil }

    @inlinable
    init(of node: OperatorNode) {}

    @inlinable
    init(of node: OperatorNode, on scheduler: any Scheduler, interval: Duration?, leadTime: Duration?) {}
  #else
    @usableFromInline let counts: QueueCounts?

    /// For the values that wait in an operator. One for each operator.
    @usableFromInline
    init(of node: OperatorNode) {
      counts = node.reference?.makeQueueCounts()
    }

    /// The same for values that a scheduler delivers.
    ///
    /// - Parameters:
    ///   - interval: The operator's repeated delay, if it depends on time.
    ///   - leadTime: The first delay, if it differs.
    @usableFromInline
    init(of node: OperatorNode, on scheduler: any Scheduler, interval: Duration?, leadTime: Duration?) {
      counts = node.reference.map { node in
        node.makeQueueCounts(
          on: NodeSchedule(on: RecordedScheduler(scheduler), interval: interval, leadTime: leadTime))
      }
    }
  #endif

  // All of these are thread-safe.

  /// Notes that a value begins to wait.
  @inlinable
  func begin() {
    if counts != nil { noteBegin() }
  }

  /// Notes that a value no longer waits: it is being delivered, or was withdrawn.
  @inlinable
  func end() {
    if counts != nil { noteEnd() }
  }

  /// Notes that a waiting value is dropped for another one.
  @inlinable
  func dropWaiting() {
    guard counts != nil else { return }
    noteDroppedWaiting()
  }

  /// Notes that a value is dropped that did not wait.
  @inlinable
  func drop() {
    if counts != nil { noteDropped() }
  }

  /// Continues with the value that was just removed, if the graph is on.
  @usableFromInline
  func goOn(_ body: () throws -> Void) rethrows {
    guard let counts else { return try body() }
    try counts.goOn(body)
  }

  /// The author for a task that continues with the value that was just removed; nil if unchanged.
  func nextAuthor() -> JobAuthor? { counts?.nextAuthor() }

  /// Notes that the running task has a result, which another one may deliver.
  func noteResult(_ number: Int) { counts?.noteResult(number) }

  /// Delivers a result, attributed to its cause.
  func handDown(_ number: Int, _ body: () -> Void) {
    if let counts { counts.handDown(number, body) } else { body() }
  }

  @usableFromInline
  func noteBegin() {
    counts?.begin()
  }

  @usableFromInline
  func noteEnd() {
    counts?.end()
  }

  @usableFromInline
  func noteDroppedWaiting() {
    counts?.end(isDropped: true)
    counts?.addDropped()
  }

  @usableFromInline
  func noteDropped() {
    counts?.addDropped()
  }
}

/// The cause of a task's work in an operator.
typealias JobAuthor = TaskAuthor
