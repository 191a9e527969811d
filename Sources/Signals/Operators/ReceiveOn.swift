extension Signal {
  /// Delivers everything on a scheduler, one event at a time, in the same order.
  ///
  /// Values, a failure and the end are delivered on the scheduler, never on the sender's thread, to everything directly
  /// below: down to the next operator that has another input, such as `merge` or `combineLatest`, or that has several
  /// subscribers, such as `share`. Beyond that, a value is delivered where its input delivers it (law 14). So put the
  /// hop last.
  ///
  /// ![receive, as a marble diagram](receive-on-overflow)
  ///
  /// ```text
  /// source   -a-b-|
  ///          source.receive(on: scheduler)
  /// result   -a-b-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let query = Property("marble")
  /// let settings = Property("all")
  /// query.signal.combineLatest(settings.signal)
  ///   .map { text, scope in "\(text) in \(scope)" }
  ///   .receive(on: .main)
  ///   .subscribe { title in MainActor.assumeIsolated { print(title) } }
  ///   .store(in: bag)
  /// ```
  ///
  /// Values that come faster than the scheduler runs work are queued, all of them unless a limit is given:
  ///
  /// ![receive, as a marble diagram](receive-on-overflow-2)
  ///
  /// ```text
  /// source   -(abcd)-|
  ///          source.receive(on: scheduler, overflow: .newest(2))
  /// result   -(cd)-|
  ///
  ///          source.receive(on: scheduler, overflow: .oldest(2))
  /// result   -(ab)-|
  ///
  ///          source.receive(on: scheduler, overflow: .fail(2))
  /// result   -(ab#)
  ///
  /// # = OverflowError
  /// ```
  ///
  /// The graph shows how many values are queued, and how many were dropped.
  ///
  /// - **Errors:** a failure is delivered after the values before it. ``OverflowPolicy/fail(_:)`` adds its own,
  ///   ``OverflowError``: the source is unsubscribed at once, and the failure is delivered after the queued values.
  /// - **Ends:** with this signal, once the queued values have been delivered.
  /// - **Order and threads:** on the scheduler. Only `.immediate`, and `.mainImmediate` for a sender on the main queue,
  ///   may deliver inside `send`. A value that a handler sends comes after the value that is being handled. After the
  ///   subscription was disposed, no pending value is delivered (law 7).
  /// - **Allocations:** none for a value, except those of the scheduler for a work item.
  /// - Parameters:
  ///   - scheduler: The scheduler to deliver on: `.main`, `.queue(queue)`, `.qos(.utility)`, `.actor(actor)` or a
  ///     custom one.
  ///   - overflow: What happens to a value when the queue is full. The queue holds at least one, as each value waits
  ///     for the scheduler.
  /// - Complexity: O(1) amortised for a value. One work item delivers the events that are queued when it begins, up to
  ///   1,024; for the rest, and for later ones, another one is enqueued behind the scheduler's other work.
  ///
  /// See also ``Scheduler``, ``OverflowPolicy``, ``subscribed(on:fileID:line:function:)`` and ``delay(for:on:fileID:line:function:)``.
  @inlinable
  public func receive(
    on scheduler: any Scheduler, overflow: OverflowPolicy = .keepAll,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site(
      "receive(on:)", behavior: overflow.canFail ? .hops : [.runsNoClosure, .cannotFail, .hops],
      fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
      let hop = Hop(to: junction, on: scheduler, overflow: overflow)
      junction.connect(upstream, to: hop)
    }
  }
}
