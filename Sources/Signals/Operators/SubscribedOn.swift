extension Signal {
  /// Subscribes to this signal on a scheduler, for sources whose subscribing takes long.
  ///
  /// What the source does when it is subscribed to runs on the scheduler: the closure of ``init(behavior:fileID:line:function:_:)`` or of
  /// ``deferred(fileID:line:function:_:)``, or a long ``sequence(_:fileID:line:function:)``. What it delivers meanwhile comes there too. What it
  /// delivers later comes where it delivers it: to choose that place, put ``receive(on:overflow:fileID:line:function:)`` below.
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
  /// - **Ends:** with this signal. If the subscription is disposed before its turn has come, this signal is never subscribed to.
  /// - **Order and threads:** values come where this signal delivers them. It is left where the subscription is disposed. A source that sends
  ///   without being asked, such as an emitter, is heard only from the moment on which the scheduler has run the work.
  /// - **Allocations:** none for a value.
  /// - Parameter scheduler: Where this signal is subscribed to.
  ///
  /// See also ``receive(on:overflow:fileID:line:function:)`` and ``deferred(fileID:line:function:_:)``.
  @inlinable
  public func subscribed(
    on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site(
      "subscribed(on:)", behavior: [.cannotFail, .subscribesElsewhere], fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
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
