extension Signal {
  /// Subscribes again when this signal finishes, a number of times or for ever.
  ///
  /// ![repeat, as a marble diagram](repeat)
  ///
  /// ```text
  /// source             -a-|
  ///                    source.repeat(2)
  /// result             -a--a-|
  /// source subscribed  ^--!
  /// source subscribed  ---^--!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// Signal.sequence(["left", "right"])
  ///   .repeat()
  ///   .zip(Signal.interval(every: .seconds(1), on: .main))
  ///   .subscribe { side, _ in print(side) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal is passed on; it is not subscribed to again.
  /// - **Ends:** when this signal has finished `count` times.
  /// - **Order and threads:** this signal is subscribed to again where its end is delivered, without delay.
  /// - **Allocations:** none for a value; each repetition is a new subscription to this signal.
  /// - Parameter count: The total number of subscriptions. `nil` sets no limit: with a source that always finishes at
  ///   once, `subscribe` then never returns, unless the downstream ends. 0 or less finishes at once, without a
  ///   subscription.
  ///
  /// See also ``repeat(_:after:on:fileID:line:function:)``, which waits in between, and ``retry(_:fileID:line:function:)``.
  @inlinable
  public func `repeat`(
    _ count: Int? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    return Signal(
      Site("repeat", behavior: [.runsNoClosure, .repeatsAfterEnd], fileID: fileID, line: line, function: function),
      derivedFrom: self
    ) {
      downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
      let repetitions = Repetitions(upstream: upstream, junction: junction, count: count)
      junction.run { repetitions.begin(again: nil) }
    }
  }

  /// Subscribes again some time after this signal has finished, a number of times or for ever.
  ///
  /// ![repeat, as a marble diagram](repeat-after-on)
  ///
  /// ```text
  /// source             -a-|
  ///                    source.repeat(2, after: .milliseconds(2), on: scheduler)
  /// result             -a----a-|
  /// source subscribed  ^--!
  /// source subscribed  -----^--!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// func weather() -> Signal<String> { .just("rain") }
  /// Signal.deferred { weather() }
  ///   .repeat(after: .seconds(60), on: .main)
  ///   .removeDuplicates()
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal is passed on; it is not subscribed to again.
  /// - **Ends:** when this signal has finished `count` times; there is no delay after the last one.
  /// - **Order and threads:** this signal is subscribed to again on the scheduler. Values and the end are delivered
  ///   where it delivers them: this is no hop.
  /// - **Allocations:** none for a value; each repetition is a new subscription to this signal, and a work item on the
  ///   scheduler.
  /// - Parameters:
  ///   - count: The total number of subscriptions. `nil` sets no limit. 0 or less finishes at once, without a
  ///     subscription.
  ///   - delay: The time from an end to the next subscription. A negative time counts as zero.
  ///   - scheduler: Measures the time, and subscribes again.
  ///
  /// See also ``repeat(_:fileID:line:function:)`` and ``interval(every:on:after:tolerance:fileID:line:function:)``.
  @inlinable
  public func `repeat`(
    _ count: Int? = nil, after delay: Duration, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    return Signal(
      Site(
        "repeat(after:)", behavior: [.runsNoClosure, .repeatsAfterEnd], fileID: fileID, line: line, function: function),
      derivedFrom: self
    ) {
      downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
      let repetitions = Repetitions(upstream: upstream, junction: junction, count: count)
      let timer = junction.timer(on: scheduler, interval: delay) { timer in repetitions.connect(again: (timer, delay)) }
      junction.run { repetitions.begin(again: (timer, delay)) }
    }
  }
}

/// The repetitions of one subscription.
@usableFromInline
struct Repetitions<Value: Sendable>: Sendable {
  @usableFromInline let upstream: Signal<Value>
  @usableFromInline let junction: Junction<Value>
  /// The number of remaining repetitions; nil if there is no limit.
  @usableFromInline let left: SerialState<Int?>

  @inlinable
  init(upstream: Signal<Value>, junction: Junction<Value>, count: Int?) {
    self.upstream = upstream
    self.junction = junction
    left = SerialState(count)
  }

  @inlinable
  func begin(again pause: (timer: OperatorTimer, delay: Duration)?) {
    if let left = left.value, left <= 0 { return junction.end(.finished) }
    connect(again: pause)
  }

  /// - Parameter pause: The action between two repetitions; nil starts the next one at once.
  @inlinable
  func connect(again pause: (timer: OperatorTimer, delay: Duration)?) {
    junction.connectInside(upstream, as: .values) { value in
      try junction.emit(value)
    } end: { completion in
      if case .failed = completion { return junction.end(completion) }
      if let left = left.value {
        if left == 1 { return junction.end(completion) }
        self.left.value = left - 1
      }
      if let pause { return pause.timer.set(after: pause.delay) }
      // Through the gate: a source that finishes while it is being subscribed to needs no stack, however often that
      // happens.
      junction.run { connect(again: nil) }
    }
  }
}
