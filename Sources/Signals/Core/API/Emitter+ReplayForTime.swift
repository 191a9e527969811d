extension Emitter {
  /// Creates an emitter that replays its latest values to a new subscriber, up to an age.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let alarms = Emitter<String>(replay: 10, for: .seconds(60), on: .main)
  /// alarms.send("the door is open")
  /// alarms.signal.subscribe { print("in the last minute: \($0)") }.store(in: bag)
  /// ```
  ///
  /// A subscriber after the end, too, first gets the values that are not too old. A value is retained until newer ones
  /// replace it, even when it is too old. Each `send` reads the scheduler's time.
  ///
  /// - Parameters:
  ///   - replay: The number of latest values that a new subscriber gets first. A negative number counts as 0.
  ///   - duration: The age from which a value is not replayed. With zero or less only values of the same instant are.
  ///   - scheduler: Provides the time. Nothing is delivered on it.
  ///
  /// See also ``init(replay:fileID:line:function:)`` and ``Signal/share(replay:for:on:keepsRunning:fileID:line:function:)``.
  public convenience init(
    replay: Int, for duration: Duration, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) {
    self.init(
      core: AgingEmitterCore(
        limit: max(0, replay), for: duration, on: scheduler,
        site: Site("emitter", behavior: [.passesOn, .sendsUnasked], fileID: fileID, line: line, function: function)))
  }
}
