extension Signal {
  /// Subscribes to this signal on a scheduler, for sources whose subscription takes long.
  ///
  /// The scheduler runs the work of the source on subscription: the closure of
  /// ``init(behavior:fileID:line:function:_:)`` or of ``deferred(fileID:line:function:_:)``, or a long
  /// ``sequence(_:fileID:line:function:)``. Values delivered during that time are delivered there too. Later values are
  /// delivered where the source delivers them: to choose the scheduler, add
  /// ``receive(on:overflow:fileID:line:function:)`` below.
  ///
  /// ![subscribed, as a marble diagram](subscribed-on)
  ///
  /// ```text
  /// source             {ab}-c-|
  ///                    source.subscribed(on: scheduler)
  /// result             (ab)c-|
  /// ```
  ///
  /// ```swift
  /// import Dispatch
  ///
  /// let bag = DisposeBag()
  /// let report = Signal<String> { producer in
  ///   producer.send("read from a large file")
  ///   producer.finish()
  /// }
  /// report
  ///   .subscribed(on: .qos(.utility))
  ///   .receive(on: .main)
  ///   .subscribe { text in MainActor.assumeIsolated { print(text) } }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** with this signal. If the subscription is disposed before the scheduler runs the work, this signal is
  ///   never subscribed to.
  /// - **Order and threads:** values are delivered where this signal delivers them. It is unsubscribed where the
  ///   subscription is disposed. Values that a hot source, such as an emitter, sends before the scheduler has run the
  ///   work are missed.
  /// - **Allocations:** none for a value.
  /// - Parameter scheduler: The scheduler to subscribe on.
  ///
  /// See also ``receive(on:overflow:fileID:line:function:)`` and ``deferred(fileID:line:function:_:)``.
  @inlinable
  public func subscribed(
    on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site(
      "subscribed(on:)", behavior: [.runsNoClosure, .cannotFail, .subscribesElsewhere], fileID: fileID, line: line,
      function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
      junction.schedule(on: scheduler) {
        junction.connect(upstream) { value in
          try junction.emit(value)
        } end: { completion in
          junction.end(completion)
        }
      }
    }
  }
}
