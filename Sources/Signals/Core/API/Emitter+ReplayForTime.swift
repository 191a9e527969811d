extension Emitter {
  /// Makes an emitter that hands a new subscriber the latest values, as long as they are not too old.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let alarms = Emitter<String>(replay: 10, for: .seconds(60), on: .main)
  /// alarms.send("the door is open")
  /// alarms.signal.subscribe { print("in the last minute: \($0)") }.store(in: bag)
  /// ```
  ///
  /// After the end too a subscriber gets first what is not too old. A value is kept until newer ones have taken its place, also when it is too old.
  /// Each `send` asks the scheduler for the time.
  ///
  /// - Parameters:
  ///   - replay: How many of the latest values a new subscriber gets first. A negative number counts as 0.
  ///   - duration: From which age on a value is not replayed. None is with zero or less, but for those of the same moment.
  ///   - scheduler: Whose time counts. Nothing is delivered on it.
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
