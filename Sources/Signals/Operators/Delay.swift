import DequeModule
import Synchronization

extension Signal {
  /// Delivers each value, and the regular end, after a delay.
  ///
  /// The end is delayed like a value, even when none is waiting: the output is the input, later.
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
  /// - **Errors:** a failure of this signal is passed on without delay; the waiting values are dropped.
  /// - **Ends:** with this signal, after the delay.
  /// - **Order and threads:** everything is delivered on the scheduler, in the same order, one event at a time (law
  ///   14), even if a scheduler's timers overtake each other.
  /// - **Allocations:** each value is a work item on the scheduler, which allocates. Values wait without a limit to their number.
  /// - Parameters:
  ///   - interval: The delay. A negative time counts as zero.
  ///   - scheduler: Measures the time, and delivers everything.
  /// - Complexity: O(1) amortised for a value, plus the cost of the scheduler.
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

  /// Creates an operator that delays each value, and passes a failure on at once; a closure decides when to deliver the
  /// end.
  func delayed(
    _ site: Site, for interval: Duration, on scheduler: any Scheduler,
    finish: @escaping @Sendable (DelayLine<Value>) -> Void
  ) -> Signal<Value> {
    let upstream = self
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
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

/// The pending events of one subscription to a delayed signal.
///
/// The scheduler decides when, the line decides what: so the order is preserved even if work items overtake each other.
// Safe: the mutable state is in a mutex; `job` is written by the initialiser only.
final class DelayLine<Value: Sendable>: Disposable, @unchecked Sendable {
  private struct Entry {
    let event: Event<Value>
    var work: (any Disposable)?
  }

  private struct State {
    var entries = Deque<Entry>()
    /// The number of entries that were removed from the front.
    var pastCount = 0
    /// The number of entries that are due.
    var ripeCount = 0
    /// Whether the last entry is the end, which is delivered together with the one before.
    var endsWithLast = false
    var isOver = false
  }

  private let junction: Junction<Value>
  private let scheduler: any Scheduler
  private let state = Mutex(State())
  /// Created once. It may stay in the scheduler after the end, so it retains nothing.
  private var job: @Sendable () -> Void = {}

  init(to junction: Junction<Value>, on scheduler: any Scheduler) {
    self.junction = junction
    self.scheduler = scheduler
    job = { [weak self] in self?.ripen() }
    junction.adopt(self, as: junction.reserveKey())
  }

  /// Schedules an event. One call at a time.
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

  /// Schedules the end together with the last waiting value.
  ///
  /// - Returns: Whether a value is waiting.
  func finishWithLast() -> Bool {
    state.withLock { state in
      guard !state.entries.isEmpty else { return false }
      state.entries.append(Entry(event: .finished))
      state.endsWithLast = true
      return true
    }
  }

  /// Delivers the next event. Only in work of the scheduler.
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

  /// Drops the pending events.
  func drop(forGood: Bool = false) {
    // Disposed and released after the lock: a release may run any code.
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

extension DelayLine: WaitingPlace {}
