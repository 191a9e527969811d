/// Attributes an operator's handling of a queued value to the value's cause, not to the event that ended the wait.
///
/// None of this is inlined into asynchronous functions: the address of a mutex's thread-local memory must not be used
/// across a suspension.
extension QueueCounts {
  private var isTracing: Bool { link?.isTracing == true }

  /// Continues with the value that was just removed, as if it had just arrived.
  package func goOn(_ body: () throws -> Void) rethrows {
    guard isTracing else { return try body() }
    let thread = CauseTracing.thread
    // The cause of values that were already waiting when tracking began is unknown.
    let number = thread.takeTaken(of: node)?.number ?? 0
    try thread.with(CauseFrame(place: .way(to: node), number: number), body)
  }

  /// The author for the next work of the operator's running task, with the value that was just removed; nil if
  /// unchanged.
  @inline(never)
  package func nextAuthor() -> TaskAuthor? {
    guard let current = TaskAuthor.current else { return nil }
    guard isTracing else { return current.frame == nil ? nil : current.with(nil) }
    let number = CauseTracing.thread.takeTaken(of: node)?.number ?? 0
    return current.with(CauseFrame(place: .task(of: node), number: number))
  }

  /// Notes that the operator's running task has a result, which another one may deliver.
  ///
  /// - Parameter number: The number of the result.
  @inline(never)
  package func noteResult(_ number: Int) {
    if isTracing, let frame = TaskAuthor.current?.frame { noteResult(number, frame.number) }
  }

  /// Delivers a result, attributed to its cause.
  @inline(never)
  package func handDown(_ number: Int, _ body: () -> Void) {
    let cause = takeResult(number)
    guard isTracing else { return body() }
    CauseTracing.thread.with(CauseFrame(place: .task(of: node), number: cause ?? 0), body)
  }
}
