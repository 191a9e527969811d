/// What an operator does with a value that it let wait goes back to what caused the value, not to what ended the waiting.
extension QueueCounts {
  private var isTracing: Bool { link?.isTracing == true }

  /// Goes on with the value that was just taken out as if it had come only now.
  package func goOn(_ body: () throws -> Void) rethrows {
    guard isTracing else { return try body() }
    let thread = CauseTracing.thread
    // What waited already when tracing began is not known to come from anything.
    let number = thread.takeTaken(of: node)?.number ?? 0
    try thread.with(CauseFrame(place: .way(to: node), number: number), body)
  }

  /// The author of what the operator's task that runs does next, with the value that was just taken out; nil where it is still the same.
  package func nextAuthor() -> TaskAuthor? {
    guard let current = TaskAuthor.current else { return nil }
    guard isTracing else { return current.frame == nil ? nil : current.with(nil) }
    let number = CauseTracing.thread.takeTaken(of: node)?.number ?? 0
    return current.with(CauseFrame(place: .task(of: node), number: number))
  }

  /// Notes that the operator's task that runs has a result, which another one may hand down.
  ///
  /// - Parameter number: Which one it is.
  package func noteResult(_ number: Int) {
    if isTracing, let frame = TaskAuthor.current?.frame { noteResult(number, frame.number) }
  }

  /// Hands a result down in the name of what caused it.
  package func handDown(_ number: Int, _ body: () -> Void) {
    let cause = takeResult(number)
    guard isTracing else { return body() }
    CauseTracing.thread.with(CauseFrame(place: .task(of: node), number: cause ?? 0), body)
  }
}
