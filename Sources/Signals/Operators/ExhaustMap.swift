extension Signal {
  /// Maps a value to a signal, and drops all values that come before that signal has finished.
  ///
  /// ![exhaustMap, as a marble diagram](exhaustMap)
  ///
  /// ```text
  /// source        -a-x----b---|
  /// a             -1-2-3|
  /// b             -8-9|
  ///               source.exhaustMap { $0 == "b" ? b : a }
  /// result        --1-2-3--8-9|
  /// a subscribed  -^-----!
  /// b subscribed  --------^---!
  /// ```
  ///
  /// Use it where a second request makes no sense during the first one: a login button, a pull to refresh.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let taps = Emitter<Void>()
  /// taps.signal
  ///   .exhaustMap { Signal.timer(after: .seconds(1), on: .main).map { "logged in" } }
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// for _ in 1...3 { taps.send() }  // Logs in once.
  /// ```
  ///
  /// - **Errors:** fails with the first failure of this signal or of the inner one, and if the closure throws.
  /// - **Ends:** when this signal and the running inner one have finished.
  /// - **Order and threads:** a value is delivered where its inner signal delivers it, one at a time. A value that a
  ///   handler sends comes after the one that is being handled (law 2): if the inner signal has finished by then, it is
  ///   not dropped.
  /// - **Allocations:** none for a dropped value, and for one whose signal is a ``just(_:fileID:line:function:)``. Any
  ///   other inner signal is a separate subscription.
  /// - Parameter transform: Returns the inner signal for a value. Not called for a dropped value.
  ///
  /// See also ``flatMapLatest(fileID:line:function:_:)``, which prefers the newer value, and
  /// ``concatMap(fileID:line:function:_:)``, which queues it.
  @inlinable
  public func exhaustMap<Output: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ transform: @escaping @Sendable (Value) throws -> Signal<Output>
  ) -> Signal<Output> {
    let upstream = self
    let site = Site(
      "exhaustMap", behavior: [.runsInner, .ignoresDuringInner], fileID: fileID, line: line, function: function)
    return Signal<Output>(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let state = SerialState(OnlyInner())
      junction.connect(upstream) { value in
        if state.value.isActive { return }
        let inner = try transform(value)
        if let output = junction.onlyValue(of: inner) { return try junction.emit(output) }
        state.value.isActive = true
        junction.connectInside(inner) { value in
          try junction.emit(value)
        } end: { completion in
          state.value.isActive = false
          if case .failed = completion { return junction.end(completion) }
          if state.value.isOuterFinished { junction.end(.finished) }
        }
      } end: { completion in
        state.value.isOuterFinished = true
        if case .failed = completion { return junction.end(completion) }
        if !state.value.isActive { junction.end(.finished) }
      }
    }
  }
}

/// The state of one subscription's inner signal.
@usableFromInline
struct OnlyInner: Sendable {
  @usableFromInline var isActive = false
  @usableFromInline var isOuterFinished = false

  @inlinable
  init() {}
}
