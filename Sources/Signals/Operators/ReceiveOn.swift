extension Signal {
  /// Delivers everything on a scheduler, one event at a time, in the same order.
  ///
  /// Values, a failure and the end run on the scheduler, never on the sender's thread, in everything directly below: down to the next
  /// operator that has another input, such as `merge` or `combineLatest`, and to the next that hands values to several subscribers,
  /// such as `share`. Beyond that, a value is delivered wherever the input that it came from delivers it (law 14). So put the hop last.
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
  /// Values that come faster than the scheduler runs work wait. All of them do, unless a limit is given:
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
  /// The graph shows how many values wait, and how many were dropped.
  ///
  /// - **Errors:** a failure keeps its place behind the values before it. With ``OverflowPolicy/fail(_:)`` one of its own, ``OverflowError``: the
  ///   source is left at once, and the failure comes behind the values that wait.
  /// - **Ends:** with this signal, once what waits has been delivered.
  /// - **Order and threads:** on the scheduler. Only `.immediate`, and `.mainImmediate` for a sender on the main queue, may deliver inside
  ///   `send`. What a handler sends comes after the value that is being handled. After the subscription was disposed, nothing that is
  ///   still on its way is delivered (law 7).
  /// - **Allocations:** none for a value, beside those of the scheduler for a work item.
  /// - Parameters:
  ///   - scheduler: Where everything is delivered: `.main`, `.queue(queue)`, `.qos(.utility)`, `.actor(actor)` or one of your own.
  ///   - overflow: What becomes of a value that comes when too many wait. One at least may wait, as each waits for the scheduler.
  /// - Complexity: O(1) amortised for a value. One work item delivers what waits when it begins, up to 1,024 events; for the rest, and for
  ///   what comes meanwhile, there is another one, behind the other work that the scheduler has.
  ///
  /// See also ``Scheduler``, ``OverflowPolicy``, ``subscribed(on:fileID:line:function:)`` and ``delay(for:on:fileID:line:function:)``.
  @inlinable
  public func receive(
    on scheduler: any Scheduler, overflow: OverflowPolicy = .keepAll,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site("receive(on:)", behavior: [.cannotFail, .hops], fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let hop = Hop(to: junction, on: scheduler, overflow: overflow)
      junction.connect(upstream, to: hop)
    }
  }
}
