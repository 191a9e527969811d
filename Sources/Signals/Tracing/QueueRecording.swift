/// What the graph keeps of the values that wait in an operator: nothing, while it is off.
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

    /// Of the values that wait in an operator. One for each operator.
    @usableFromInline
    init(of node: OperatorNode) {
      counts = node.reference?.makeQueueCounts()
    }

    /// The same where a scheduler delivers them.
    ///
    /// - Parameters:
    ///   - interval: How long the operator waits each time, if it has to do with time.
    ///   - leadTime: How long it waits the first time, if that is something else.
    @usableFromInline
    init(of node: OperatorNode, on scheduler: any Scheduler, interval: Duration?, leadTime: Duration?) {
      counts = node.reference.map { node in
        node.makeQueueCounts(
          on: NodeSchedule(on: RecordedScheduler(scheduler), interval: interval, leadTime: leadTime))
      }
    }
  #endif

  // Each of these may be called on any thread.

  /// Notes that a value begins to wait.
  @inlinable
  func begin() {
    if counts != nil { noteBegin() }
  }

  /// Notes that a value does not wait any more: it is being delivered, or nobody wants it.
  @inlinable
  func end() {
    if counts != nil { noteEnd() }
  }

  /// Notes that a value that was waiting is dropped for another one.
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

  /// Goes on with the value that was just taken out, where the graph is on.
  @usableFromInline
  func goOn(_ body: () throws -> Void) rethrows {
    guard let counts else { return try body() }
    try counts.goOn(body)
  }

  /// In whose name a task goes on with the value that was just taken out; nil where that has not changed.
  func nextAuthor() -> JobAuthor? { counts?.nextAuthor() }

  /// Notes that the task that runs has a result, which another one may hand down.
  func noteResult(_ number: Int) { counts?.noteResult(number) }

  /// Hands a result down in the name of what caused it.
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

/// What a task of an operator knows of what caused its work.
typealias JobAuthor = TaskAuthor
