public import Synchronization

extension Signal {
  /// Holds values while another signal's latest value is `true`, and delivers them in order afterwards.
  ///
  /// A queue in front of a consumer that is not ready, such as a connection that is opening or a hidden screen. The
  /// other signal controls it: values are queued after its `true`, and delivered after its `false`.
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
  /// It takes a signal because signals push: a chain that neither hops nor waits takes each value at once, and a busy
  /// handler blocks the sender. Where an operator itself makes values wait, pass the policy to that operator:
  /// ``receive(on:overflow:fileID:line:function:)`` for a slow scheduler, and
  /// ``flatMap(maxConcurrent:overflow:fileID:line:function:_:)`` for slow work. The graph shows how many values are
  /// queued, and how many were dropped.
  ///
  /// - **Errors:** a failure of this signal is delivered after the queued values. A failure of the other signal is
  ///   delivered at once, and the queued values are dropped. ``OverflowPolicy/fail(_:)`` fails with ``OverflowError``,
  ///   after the queued values; this signal is unsubscribed at once.
  /// - **Ends:** with this signal, once the queue is empty. The end of the other signal counts as `false`: no more
  ///   values are queued.
  /// - **Order and threads:** the other signal is subscribed to first; until its first value nothing is queued. A value
  ///   is delivered where this signal delivers it; a queued one, where the other signal delivers its `false`. If a
  ///   handler makes the other signal send `true`, the next value is queued, but queued values that are already being
  ///   delivered come before it (law 2).
  /// - **Endless inputs:** another signal that delivers inside subscribe blocks this one, and with `true` as its latest
  ///   value the values of an endless signal are queued without a limit: subscribing does not return.
  /// - **Allocations:** none for a value.
  /// - Parameters:
  ///   - isHeld: Whether values are queued.
  ///   - overflow: What happens to a value when the queue is full.
  ///
  /// See also ``OverflowPolicy`` and ``receive(on:overflow:fileID:line:function:)``.
  @inlinable
  public func buffer(
    while isHeld: Signal<Bool>, overflow: OverflowPolicy = .keepAll,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site(
      "buffer",
      behavior: overflow.canFail ? [.collects, .holdsBack] : [.runsNoClosure, .collects, .holdsBack],
      fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let state = BufferState(junction: Junction(downstream, subscription), overflow: overflow)
      state.junction.connect(isHeld, as: .trigger, key: state.holdKey) { isHeld in
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

// Safe: touched only inside the junction's gate. Unchecked exclusivity: none of it is being changed while anything is
// called.
@usableFromInline
final class BufferState<Value: Sendable>: @unchecked Sendable {
  @usableFromInline let junction: Junction<Value>
  @usableFromInline let holdKey: Int
  /// The key of the signal whose values are queued. The greater one, as that signal is disposed first.
  @usableFromInline let key: Int
  @exclusivity(unchecked) @usableFromInline var isHeld = false
  @exclusivity(unchecked) @usableFromInline var waiting: WaitingValues<Value>
  /// The end to deliver after the queued values.
  @exclusivity(unchecked) @usableFromInline var ending: Completion?

  @inlinable
  init(junction: Junction<Value>, overflow: OverflowPolicy) {
    self.junction = junction
    waiting = WaitingValues(in: junction, overflow: overflow)
    holdKey = junction.reserveKey()
    key = junction.reserveKey()
  }

  @inlinable
  func take(_ value: Value) throws {
    if ending != nil { return }
    // A value that comes while queued ones are being delivered is queued behind them.
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
      // A handler may have disposed in the meantime.
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
