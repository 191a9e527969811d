import DequeModule
import Synchronization

extension Signal {
  /// Delivers each value, and the regular end, after a delay.
  ///
  /// The end takes as long as a value would, even when none is waiting: what comes out is what came in, later.
  /// ``delayValues(for:on:fileID:line:function:)`` does not delay the end.
  ///
  /// ![delay, as a marble diagram](delay-for-on)
  ///
  /// ```text
  /// source   -a-b-|
  ///          source.delay(for: .milliseconds(3), on: scheduler)
  /// result   ----a-b-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let messages = Emitter<String>()
  /// messages.signal
  ///   .delay(for: .seconds(2), on: .main)
  ///   .subscribe { message in print(message) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal is passed on without delay; the values that are waiting are dropped.
  /// - **Ends:** with this signal, after the delay.
  /// - **Order and threads:** everything is delivered on the scheduler, in the same order, one event at a time (law 14), also where a
  ///   scheduler's timers overtake each other.
  /// - **Allocations:** each value is a work item on the scheduler, which allocates. Values wait without a limit to their number.
  /// - Parameters:
  ///   - interval: How much later. A negative time counts as zero.
  ///   - scheduler: Measures the time, and delivers everything.
  /// - Complexity: O(1) amortised for a value, beside what the scheduler needs.
  ///
  /// See also ``delayValues(for:on:fileID:line:function:)``, ``delay(fileID:line:function:by:)`` and
  /// ``receive(on:overflow:fileID:line:function:)``.
  public func delay(
    for interval: Duration, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    delayed(
      Site("delay", behavior: [.runsNoClosure, .delays], fileID: fileID, line: line, function: function), for: interval,
      on: scheduler
    ) { line in
      line.add(.finished, after: interval)
    }
  }

  /// Makes an operator that delivers each value later, and a failure at once; a closure says when the end comes.
  func delayed(
    _ site: Site, for interval: Duration, on scheduler: any Scheduler,
    finish: @escaping @Sendable (DelayLine<Value>) -> Void
  ) -> Signal<Value> {
    let upstream = self
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      junction.works(on: scheduler, interval: interval)
      let line = DelayLine(to: junction, on: scheduler)
      junction.connectOutside(upstream) { value in
        line.add(.value(value), after: interval)
      } end: { completion in
        guard case .failed = completion else { return finish(line) }
        line.drop()
        line.add(Event(completion), after: .zero)
      }
    }
  }
}

/// The events that one subscription to a delayed signal is waiting for.
///
/// The scheduler's work says when, the line says what: so the order holds even if work overtakes other work.
// Safe: what can change is in a mutex; `job` is written by the initialiser only.
final class DelayLine<Value: Sendable>: Disposable, @unchecked Sendable {
  private struct Entry {
    let event: Event<Value>
    var work: (any Disposable)?
  }

  private struct State {
    var entries = Deque<Entry>()
    /// How many entries there were before the first that is left.
    var pastCount = 0
    /// How many entries' time has come.
    var ripeCount = 0
    /// Whether the last entry is the end, which comes together with the one before.
    var endsWithLast = false
    var isOver = false
  }

  private let junction: Junction<Value>
  private let scheduler: any Scheduler
  private let state = Mutex(State())
  /// Made once. It may stay in the scheduler after the end, so it keeps nothing.
  private var job: @Sendable () -> Void = {}

  init(to junction: Junction<Value>, on scheduler: any Scheduler) {
    self.junction = junction
    self.scheduler = scheduler
    job = { [weak self] in self?.ripen() }
    junction.adopt(self, as: junction.reserveKey())
  }

  /// Has an event delivered when its time has come. One call at a time.
  func add(_ event: Event<Value>, after interval: Duration) {
    let number: Int? = state.withLock { state in
      guard !state.isOver else { return nil }
      state.entries.append(Entry(event: event))
      return state.pastCount + state.entries.count - 1
    }
    guard let number else { return }
    let work = junction.schedule(after: interval, on: scheduler, job)
    let isOver = state.withLock { state in
      if !state.isOver, number >= state.pastCount { state.entries[number - state.pastCount].work = work }
      return state.isOver
    }
    if isOver { work.dispose() }
  }

  /// Has the end delivered together with the last value that is waiting.
  ///
  /// - Returns: Whether one is waiting.
  func finishWithLast() -> Bool {
    state.withLock { state in
      guard !state.entries.isEmpty else { return false }
      state.entries.append(Entry(event: .finished))
      state.endsWithLast = true
      return true
    }
  }

  /// Delivers the event that comes next. Only in work of the scheduler.
  private func ripen() {
    state.withLock { $0.ripeCount += 1 }
    if junction.enter() {
      deliverRipe()
      junction.leave()
    } else {
      junction.perform { self.deliverRipe() }
    }
  }

  /// Inside the junction's gate.
  private func deliverRipe() {
    while let entry = takeRipe() {
      switch entry.event {
      case .value(let value): junction.attempt { try junction.emit(value) }
      case .failed(let error): junction.end(.failed(error))
      case .finished: junction.end(.finished)
      }
    }
  }

  private func takeRipe() -> Entry? {
    state.withLock { state in
      if state.endsWithLast, state.entries.count == 1 {
        state.ripeCount += 1
        state.endsWithLast = false
      }
      guard state.ripeCount > 0, let entry = state.entries.popFirst() else { return nil }
      state.ripeCount -= 1
      state.pastCount += 1
      return entry
    }
  }

  func dispose() { drop(forGood: true) }

  /// Drops what waits.
  func drop(forGood: Bool = false) {
    // Disposed and released after the lock: that may run any code.
    let dropped = state.withLock { state in
      if forGood { state.isOver = true }
      state.pastCount += state.entries.count
      state.ripeCount = 0
      defer { state.entries = [] }
      return state.entries
    }
    for entry in dropped { entry.work?.dispose() }
  }

  var isDisposed: Bool { state.withLock { $0.isOver } }
}
