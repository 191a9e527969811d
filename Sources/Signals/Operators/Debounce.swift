public import Synchronization

extension Signal {
  /// Delivers a value once nothing has come for a while after it.
  ///
  /// ![debounce, as a marble diagram](debounce-for-on)
  ///
  /// ```text
  /// source   -a-b-----c-|
  ///          source.debounce(for: .milliseconds(3), on: scheduler)
  /// result   ------b----(c|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let keystrokes = Emitter<String>()
  /// keystrokes.signal
  ///   .debounce(for: .milliseconds(300), on: .main)
  ///   .subscribe { text in print("searching for \(text)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal is passed on without delay; the value that is waiting is dropped.
  /// - **Ends:** with this signal. The value that is waiting is delivered without further delay, and then the end (law 16).
  /// - **Order and threads:** everything is delivered on the scheduler, the end and a failure too (law 14). When a value comes at the very
  ///   moment at which the time is over, whichever comes first decides.
  /// - **Allocations:** none for a value, beside those of the scheduler.
  /// - Parameters:
  ///   - interval: How long it has to be quiet. A negative time counts as zero.
  ///   - scheduler: Measures the time, and delivers everything.
  ///
  /// See also ``debounce(fileID:line:function:by:)``, where a signal says how long, and
  /// ``throttle(for:on:latest:fileID:line:function:)``, which delivers also while values keep coming.
  @inlinable
  public func debounce(
    for interval: Duration, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site(
      "debounce", behavior: [.runsNoClosure, .waitsForPause, .settles, .delays, .keepsNewest], fileID: fileID,
      line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let hop = DebounceHop(to: Junction(downstream, subscription), on: scheduler, interval: interval)
      let timer = hop.uncheckedTimer { timer in hop.timeIsOver(timer) }
      let input = DebounceInput(of: hop, timer, interval)
      hop.junction.connect(upstream, as: .hop, key: input.key, input.observer, input)
    }
  }
}

/// The hop of one subscription, and the value that waits.
// Safe: what is added to the superclass is touched only inside the gate. Unchecked exclusivity: it is read or replaced by no call.
@usableFromInline
final class DebounceHop<Value: Sendable>: Hop<Value>, @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var candidate: Value?

  @inlinable
  init(to junction: Junction<Value>, on scheduler: any Scheduler, interval: Duration) {
    super.init(to: junction, on: scheduler, overflow: .keepAll, interval: interval)
  }

  /// Lets a value wait instead of the one that waits.
  @inlinable
  func keep(_ value: Value) {
    assertInside()
    // Released after it was replaced: that may run any code.
    let replaced = candidate
    candidate = value
    withExtendedLifetime(replaced) {}
  }

  @inlinable
  func takeCandidate() -> Value? {
    assertInside()
    defer { candidate = nil }
    return candidate
  }

  /// Delivers the value that waits. In work of the timer.
  @inlinable
  func timeIsOver(_ timer: OperatorTimer) {
    if !junction.isClosed.load(ordering: .relaxed), let value = takeCandidate() { put(.value(value), by: timer) }
  }
}

/// What is above one subscription: the subscription to it and what its events do, in one object, so that its closures need no memory.
// Safe: what is added to the superclass is constant.
@usableFromInline
final class DebounceInput<Value: Sendable>: Subscription, @unchecked Sendable {
  @usableFromInline let hop: DebounceHop<Value>
  @usableFromInline let timer: OperatorTimer
  @usableFromInline let interval: Duration
  @usableFromInline let key: Int

  @inlinable
  init(of hop: DebounceHop<Value>, _ timer: OperatorTimer, _ interval: Duration) {
    self.hop = hop
    self.timer = timer
    self.interval = interval
    key = hop.junction.reserveKey()
    super.init(at: hop.junction.site, tag: hop.junction.tag, isShared: true)
  }

  /// What the signal delivers to.
  @inlinable
  var observer: Observer<Value> {
    Observer(receive: { value in self.take(value) }, end: { completion in self.finish(completion) })
  }

  @inlinable
  func take(_ value: Value) {
    if hop.junction.isClosed.load(ordering: .relaxed) { return }
    if hop.enter() {
      handle(value)
      hop.leave()
    } else {
      hop.perform { self.handle(value) }
    }
  }

  @inlinable
  @inline(__always)
  func handle(_ value: Value) {
    hop.keep(value)
    timer.set(after: interval)
  }

  @inlinable
  func finish(_ completion: Completion) {
    hop.junction.drop(key)
    hop.perform {
      self.timer.dispose()
      let value = self.hop.takeCandidate()
      if case .finished = completion, let value { self.hop.send(.value(value)) }
      self.hop.send(Event(completion))
    }
  }
}
