public import Synchronization

extension Signal {
  /// Delivers a value once no newer one has come for a time.
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
  /// - **Errors:** a failure of this signal is passed on without delay; the waiting value is dropped.
  /// - **Ends:** with this signal. The waiting value is delivered without further delay, and then the end (law 16).
  /// - **Order and threads:** everything is delivered on the scheduler, the end and a failure too (law 14). If a value
  ///   comes at the same instant as the end of the wait, whichever is first decides.
  /// - **Allocations:** none for a value, except those of the scheduler.
  /// - Parameters:
  ///   - interval: The time without values before a delivery. A negative time counts as zero.
  ///   - scheduler: Measures the time, and delivers everything.
  ///
  /// See also ``debounce(fileID:line:function:by:)``, where a signal ends the wait, and
  /// ``throttle(for:on:latest:fileID:line:function:)``, which also delivers during a steady flow of values.
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
      let hop = DebounceHop(
        to: Junction(downstream, subscription, hasOneInput: true), on: scheduler, interval: interval)
      let timer = hop.uncheckedTimer { timer in hop.timeIsOver(timer) }
      let input = DebounceInput(of: hop, timer, interval)
      hop.junction.connect(upstream, as: .hop, key: input.key, input.observer, input)
    }
  }
}

/// The hop of one subscription, and the waiting value.
// Safe: the members that this class adds are touched only inside the gate. Unchecked exclusivity: no call reads or
// replaces them.
@usableFromInline
final class DebounceHop<Value: Sendable>: Hop<Value>, @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var candidate: Value?

  @inlinable
  init(to junction: Junction<Value>, on scheduler: any Scheduler, interval: Duration) {
    super.init(to: junction, on: scheduler, overflow: .keepAll, interval: interval)
  }

  /// Replaces the waiting value.
  @inlinable
  func keep(_ value: Value) {
    assertInside()
    // Released after it was replaced: a release may run any code.
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

  /// Delivers the waiting value. In work of the timer.
  @inlinable
  func timeIsOver(_ timer: OperatorTimer) {
    if !junction.isClosed.load(ordering: .relaxed), let value = takeCandidate() { put(.value(value), by: timer) }
  }
}

/// The upstream of one subscription and the handling of its events, in one object, so that its closures need no memory.
// Safe: the members that this class adds are constant.
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

  @usableFromInline override var operatorBelow: OperatorBelow? { hop.junction.below(of: key) }

  /// The downstream.
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
