import Signals

/// The amount of work that a step may run without an event: an interval whose values are filtered out has no end.
struct ProbePatience {
  private let scheduler: VirtualTimeScheduler
  private let before: Int
  private let limit: Int

  /// - Parameter longest: The maximum amount of work; never more than the scheduler runs in one stretch.
  init(_ scheduler: VirtualTimeScheduler, atMost longest: Int = 1_000_000) {
    self.scheduler = scheduler
    before = scheduler.ranCount
    limit = min(scheduler.workLimit, longest)
  }

  var isOver: Bool { scheduler.ranCount - before >= limit }

  var words: String {
    "\(limit) work items ran until \(ProbeText.spoken(scheduler.now.sinceOrigin)), and none of them sent an event"
  }
}

// The synchronous steps: under virtual time, or with events that have already arrived.
extension SignalProbe {
  /// Returns the next value.
  ///
  /// - Parameter timeout: The maximum virtual time to advance; a day by default.
  /// - Returns: The value.
  /// - Throws: ``ProbeError`` if none comes, or the end.
  public func next(
    timeout: Duration? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws -> Value {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    return try value(nextEvent(timeout, "a value", source), source)
  }

  /// Returns the failure of the signal, if that is the next event.
  ///
  /// - Parameter timeout: The maximum virtual time to advance; a day by default.
  /// - Returns: The error.
  /// - Throws: ``ProbeError`` if another event comes, or none.
  @discardableResult
  public func failure(
    timeout: Duration? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws -> any Error {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    return try error(nextEvent(timeout, "the failure", source), source)
  }

  /// Expects the regular end of the signal as the next event.
  ///
  /// - Parameter timeout: The maximum virtual time to advance; a day by default.
  /// - Throws: ``ProbeError`` if another event comes, or none.
  public func finish(
    timeout: Duration? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    try checkFinished(nextEvent(timeout, "the end", source), source)
  }

  /// Advances virtual time, and expects that no event arrives during that time and that none is unread.
  ///
  /// - Parameter duration: The time to advance, at least a nanosecond; none by default. An event at the last instant
  ///   counts. Without a scheduler no duration can be passed, as then no event can come.
  /// - Throws: ``ProbeError`` if an event came.
  public func expectNoEvents(
    for duration: Duration? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    try checkIsSomeTime(duration, source)
    if let scheduler {
      try advance(scheduler, to: scheduler.now.advanced(by: duration ?? .zero), source)
    } else if duration != nil {
      throw failure("A probe without a scheduler cannot advance time. Create it with probe(on:), or use await.", source)
    }
    try checkNothing(duration, source)
  }

  // MARK: Helpers

  private func nextEvent(_ timeout: Duration?, _ wanted: String, _ source: MarbleSource) throws -> Event<Value> {
    if let event = take() { return event }
    guard let scheduler else {
      throw failure(
        "expected \(wanted), but nothing has arrived. If it arrives later, use await, or a scheduler: probe(on:).",
        source)
    }
    let limit = scheduler.now.advanced(by: max(.zero, timeout ?? .seconds(86_400)))
    let patience = ProbePatience(scheduler)
    repeat {
      guard let moment = scheduler.nextMoment, moment <= limit else { break }
      if patience.isOver { throw nothing(wanted, patience.words, source) }
      try advance(scheduler, to: max(moment, scheduler.now), source)
    } while queue.isEmpty
    if let event = take() { return event }
    if timeout != nil { try advance(scheduler, to: limit, source) }
    throw nothing(
      wanted,
      scheduler.pendingCount == 0
        ? "no work is left" : "no remaining work is due before \(ProbeText.spoken(limit.sinceOrigin))",
      source)
  }

  private func advance(_ scheduler: VirtualTimeScheduler, to moment: SchedulerInstant, _ source: MarbleSource) throws {
    do {
      try scheduler.advance(to: moment)
    } catch {
      throw failure("\(error)", source)
    }
  }

  func nothing(_ wanted: String, _ reason: String, _ source: MarbleSource) -> ProbeError {
    failure("expected \(wanted), but nothing arrives: \(reason)", source)
  }

  func value(_ event: Event<Value>, _ source: MarbleSource) throws -> Value {
    if case .value(let value) = event { return value }
    throw failure("expected a value, got \(event.words)", source)
  }

  func error(_ event: Event<Value>, _ source: MarbleSource) throws -> any Error {
    if case .failed(let error) = event { return error }
    throw failure("expected the failure, got \(event.words)", source)
  }

  func checkFinished(_ event: Event<Value>, _ source: MarbleSource) throws {
    if case .finished = event { return }
    throw failure("expected the end, got \(event.words)", source)
  }

  func checkIsSomeTime(_ duration: Duration?, _ source: MarbleSource) throws {
    guard let duration, duration < .nanoseconds(1) else { return }
    throw failure(
      "for: \(ProbeText.spoken(duration)) is too short. Pass at least 1 ns, or none to check the events so far.",
      source)
  }

  func checkNothing(_ duration: Duration?, _ source: MarbleSource) throws {
    let rest = queue.rest
    guard !rest.isEmpty else { return }
    let time = duration.map { " for \(ProbeText.spoken($0))" } ?? ""
    while queue.take() != nil {}
    throw failure(
      "expected nothing\(time), but \(ProbeText.count(rest)) arrived\n\n\(ProbeText.diagram(rest))".framed, source)
  }
}
