extension Signal {
  /// Turns a signal of events into a signal: delivers their values, and ends with the first event that is an end.
  ///
  /// It is the inverse of ``materialize(fileID:line:function:)``.
  ///
  /// ![dematerialize, as a marble diagram](dematerialize)
  ///
  /// ```text
  /// source             -1-2-3-|
  ///                    source.map { $0 < 3 ? Event.value($0) : .finished }.dematerialize()
  /// result             -1-2-|
  /// source subscribed  ^----!
  /// ```
  ///
  /// ```swift
  /// struct Refused: Error {}
  /// let bag = DisposeBag()
  /// let replayed: [Event<String>] = [.value("a draft"), .value("a letter"), .failed(Refused())]
  /// Signal.sequence(replayed)
  ///   .dematerialize()
  ///   .subscribe(onValue: { print($0) }, onFailure: { error in print("it ended with \(error)") })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** fails with the first event that is a failure, or with a failure of this signal itself.
  /// - **Ends:** with the first event that is an end, and then unsubscribes; or earlier, with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  ///
  /// See also ``Producer/send(event:)`` and ``Emitter/send(event:)``, which take events one by one.
  @inlinable
  public func dematerialize<Wrapped: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Wrapped> where Value == Event<Wrapped> {
    let upstream = self
    let site = Site("dematerialize", fileID: fileID, line: line, function: function)
    return Signal<Wrapped>(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
      junction.connect(upstream) { event in
        switch event {
        case .value(let value): try junction.emit(value)
        case .failed(let error): junction.end(.failed(error))
        case .finished: junction.end(.finished)
        }
      } end: { completion in
        junction.end(completion)
      }
    }
  }
}
