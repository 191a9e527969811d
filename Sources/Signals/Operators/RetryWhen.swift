extension Signal {
  /// Subscribes again after a failure when a signal that a closure derives from the failures delivers a value.
  ///
  /// The closure runs once for each subscription. It gets a signal of the failures, and returns a signal that decides:
  /// a value subscribes again, the end finishes the result, a failure fails it. Its values during an attempt are
  /// ignored.
  ///
  /// ![retry, as a marble diagram](retry-when)
  ///
  /// ```text
  /// source             -a-#
  /// other              -----x---|
  ///                    source.retry(when: { _ in other })
  /// result             -a----a--|
  /// source subscribed  ^--!
  /// source subscribed  -----^--!
  /// other subscribed   ^--------!
  /// ```
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// let bag = DisposeBag()
  /// let isOnline = Emitter<Void>()
  /// let upload = Signal<Int>.fail(Offline())
  /// upload
  ///   .retry(when: { failures in
  ///     failures.flatMapLatest { error in error is Offline ? isOnline.signal : .fail(error) }
  ///   })
  ///   .subscribe(onValue: { print("\($0) %") }, onFailure: { print("given up: \($0)") })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of the signal that the closure returned, or an error that the closure throws. Failures of
  ///   this signal only go into the closure's signal: to give up, fail there.
  /// - **Ends:** when this signal finishes, or the one that the closure returned.
  /// - **Order and threads:** this signal is subscribed to again where the other one delivers. Values are delivered
  ///   where this signal delivers them.
  /// - **Endless inputs:** a signal of the closure that delivers endlessly inside subscribe blocks this one: subscribing
  ///   does not return.
  /// - **Allocations:** none for a value; an attempt is a new subscription to this signal.
  /// - Parameter trigger: Returns the signal whose values subscribe again.
  ///
  /// See also ``retry(_:after:on:resettingOnValue:using:fileID:line:function:)``, for delays and limits.
  @inlinable
  public func retry<Trigger>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    when trigger: @escaping @Sendable (Signal<any Error>) throws -> Signal<Trigger>
  ) -> Signal<Value> {
    let upstream = self
    let site = Site("retry(when:)", behavior: .repeatsAfterFailure, fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let attempts = TriggeredAttempts(upstream: upstream, junction: junction)
      junction.run {
        junction.attempt {
          let again = try trigger(Signal<any Error>(emitter: attempts.failures))
          junction.connectInside(again, as: .trigger) { _ in
            if attempts.isWaiting.value { attempts.connect() }
          } end: { completion in
            junction.end(completion)
          }
          attempts.connect()
        }
      }
    }
  }
}

/// The attempts of one subscription.
@usableFromInline
struct TriggeredAttempts<Value: Sendable>: Sendable {
  @usableFromInline let upstream: Signal<Value>
  @usableFromInline let junction: Junction<Value>
  @usableFromInline let failures: EmitterCore<any Error>
  /// Whether this signal has failed and was not subscribed to again yet.
  @usableFromInline let isWaiting = SerialState(false)

  @usableFromInline
  init(upstream: Signal<Value>, junction: Junction<Value>) {
    self.upstream = upstream
    self.junction = junction
    failures = EmitterCore(newest: nil, limit: 0, site: .hidden)
  }

  @inlinable
  func connect() {
    isWaiting.value = false
    junction.connectInside(upstream, as: .values) { value in
      try junction.emit(value)
    } end: { completion in
      guard case .failed(let error) = completion else { return junction.end(completion) }
      isWaiting.value = true
      junction.triedInVain(error)
      failures.send(error)
    }
  }
}
