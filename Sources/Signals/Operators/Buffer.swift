public import Synchronization

extension Signal {
  /// Lets values wait while another signal says so, and delivers them in order afterwards.
  ///
  /// A queue in front of something that is not ready: a connection that is being made, a screen that is not shown. The other signal tells when:
  /// values wait after its `true`, and come after its `false`.
  ///
  /// ![buffer, as a marble diagram](buffer-while-overflow)
  ///
  /// ```text
  /// source   -a-b-c-d-e-|
  /// busy     --t---f----
  ///          source.buffer(while: busy)
  /// result   -a----(bc)d-e-|
  ///
  ///          source.buffer(while: busy, overflow: .newest(1))
  /// result   -a----cd-e-|
  ///
  ///          source.buffer(while: busy, overflow: .oldest(1))
  /// result   -a----bd-e-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let isOffline = Property(true)
  /// let messages = Emitter<String>()
  /// messages.signal
  ///   .buffer(while: isOffline.signal, overflow: .newest(100))
  ///   .subscribe { message in print("sending \(message)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// It takes a signal to say when, because a signal pushes: a chain in which nothing hops or waits takes each value at once, and a handler
  /// that is busy holds up the sender. Where an operator makes values wait by itself, that operator takes the policy:
  /// ``receive(on:overflow:fileID:line:function:)`` for a slow scheduler, and ``flatMap(maxConcurrent:overflow:fileID:line:function:_:)`` for work
  /// that takes its time. The graph shows how many values wait, and how many were dropped.
  ///
  /// - **Errors:** a failure of this signal keeps its place behind the values that wait. A failure of the other signal comes at once, and what
  ///   waits is dropped. With ``OverflowPolicy/fail(_:)`` it fails with ``OverflowError``, behind the values that wait; this signal is left at
  ///   once.
  /// - **Ends:** with this signal, once no value waits. The end of the other signal counts as `false`: nothing waits any more.
  /// - **Order and threads:** the other signal is subscribed to first; until its first value nothing waits. A value comes where this signal
  ///   delivers it; one that has waited, where the other signal delivers its `false`. A handler may make the other signal say `true`: the next value then
  ///   waits, but for those that have waited already and are being delivered, which come before (law 2).
  /// - **Endless inputs:** another signal that delivers inside subscribe lets this one not come, and with `true` as its latest value the values of
  ///   an endless signal wait without a limit: subscribing does not return.
  /// - **Allocations:** none for a value.
  /// - Parameters:
  ///   - isHeld: Whether values have to wait.
  ///   - overflow: What becomes of a value that comes when too many wait.
  ///
  /// See also ``OverflowPolicy`` and ``receive(on:overflow:fileID:line:function:)``.
  @inlinable
  public func buffer(
    while isHeld: Signal<Bool>, overflow: OverflowPolicy = .keepAll,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site("buffer", behavior: [.collects, .holdsBack], fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let state = BufferState(junction: Junction(downstream, subscription), overflow: overflow)
      state.junction.connect(isHeld, as: .trigger) { isHeld in
        state.hold(isHeld)
      } end: { completion in
        if case .failed = completion { return state.junction.end(completion) }
        state.hold(false)
      }
      state.junction.connect(upstream, key: state.key) { value in
        try state.take(value)
      } end: { completion in
        state.end(completion)
      }
    }
  }
}

// Safe: touched only inside the junction's gate. Unchecked exclusivity: none of it is being changed while anything is called.
@usableFromInline
final class BufferState<Value: Sendable>: @unchecked Sendable {
  @usableFromInline let junction: Junction<Value>
  /// The key of the signal whose values wait.
  @usableFromInline let key: Int
  @exclusivity(unchecked) @usableFromInline var isHeld = false
  @exclusivity(unchecked) @usableFromInline var waiting: WaitingValues<Value>
  /// The end that comes behind what waits.
  @exclusivity(unchecked) @usableFromInline var ending: Completion?

  @inlinable
  init(junction: Junction<Value>, overflow: OverflowPolicy) {
    self.junction = junction
    waiting = WaitingValues(in: junction, overflow: overflow)
    key = junction.reserveKey()
  }

  @inlinable
  func take(_ value: Value) throws {
    if ending != nil { return }
    // A value that comes while others are on their way out waits behind them.
    if !isHeld, waiting.isEmpty { return try junction.emit(value) }
    var dropped: Value?
    let error = waiting.add(value, dropped: &dropped)
    withExtendedLifetime(dropped) {}
    if let error {
      junction.drop(key)
      end(.failed(error))
    }
  }

  @inlinable
  func end(_ completion: Completion) {
    if ending == nil { ending = completion }
    endIfOver()
  }

  @inlinable
  func hold(_ isHeld: Bool) {
    self.isHeld = isHeld
    release()
  }

  @inlinable
  func release() {
    junction.attempt {
      // A handler may have disposed meanwhile.
      while !isHeld, !junction.isClosed.load(ordering: .relaxed), let value = waiting.next() {
        try junction.emit(value)
      }
      endIfOver()
    }
  }

  @inlinable
  func endIfOver() {
    if waiting.isEmpty, let ending { junction.end(ending) }
  }
}
