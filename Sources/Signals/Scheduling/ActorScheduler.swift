import DequeModule
import Dispatch

#if !SIGNALS_THREAD_SANITIZER
  import Synchronization
#endif

/// Runs work on an actor, in order.
///
/// What is delivered there may use the actor with `assumeIsolated`:
///
/// ```swift
/// actor Counter {
///   var total = 0
///   let bag = DisposeBag()
///
///   func listen(to numbers: Signal<Int>) {
///     numbers
///       .receive(on: .actor(self))
///       .subscribe { [weak self] number in
///         self?.assumeIsolated { $0.total += number }
///       }
///       .store(in: bag)
///   }
/// }
/// ```
///
/// It runs on the actor's own executor, whatever that is, and works for the main actor too. Work of one scheduler runs in the order in which it
/// was scheduled. It is always asynchronous, also for who is on the actor already.
///
/// The scheduler does not keep the actor, so an actor that keeps its subscriptions goes when nobody else needs it. When it has gone, what was
/// scheduled is released, and does not run. An operator that delivers there then leaves its source: its subscription ends with the next value that is
/// brought to the actor, without an event. ``Signal/subscribe(onActor:fileID:line:function:_:)`` ends with the actor too.
public struct ActorScheduler: Scheduler {
  private let line: ActorLine
  private let recorder: Recorder

  /// Runs work on an actor.
  ///
  /// - Parameter actor: The actor. It is not kept.
  public init(_ actor: any Actor) {
    line = ActorLine(actor)
    recorder = .current
  }

  /// The system's uptime.
  public var now: SchedulerInstant { .uptime }

  /// Runs work on the actor as soon as possible, never before returning.
  ///
  /// - Parameter work: Called once, on the actor, unless that has gone.
  public func schedule(_ work: @escaping @Sendable () -> Void) { schedule(work, orElse: nil) }

  /// Runs work on the actor as soon as possible, never before returning; or something else, anywhere, if the actor has gone.
  func schedule(_ work: @escaping @Sendable () -> Void, orElse: (@Sendable () -> Void)?) {
    guard Recorder.isAnyOn else { return line.add(work, orElse: orElse) }
    let scheduled = ScheduledWork(stage: .onItsWay, recorder: recorder, work)
    line.add({ scheduled.run() }, orElse: orElse)
  }

  /// Runs work on the actor after a delay, never before returning.
  ///
  /// - Parameters:
  ///   - delay: How much later; a negative delay counts as zero.
  ///   - tolerance: How much later still it may run, to save energy; `nil` leaves that to the system.
  ///   - work: Called once, on the actor, unless it is cancelled before or the actor has gone.
  /// - Returns: Cancels the work when it is disposed. Releasing it does not cancel anything.
  public func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    schedule(after: delay, tolerance: tolerance, work, orElse: nil)
  }

  /// Runs work on the actor after a delay, never before returning; or something else, anywhere, if the actor has gone.
  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void,
    orElse: (@Sendable () -> Void)?
  ) -> any Disposable {
    let scheduled = ScheduledWork(recorder: recorder, work)
    let timer = DispatchQueue.global().run(after: delay, tolerance: tolerance, recorder: .nobody) { [line] in
      if !scheduled.isDisposed { line.add({ scheduled.run() }, orElse: orElse) }
    }
    return ActorTimer(scheduled, timer)
  }
}

extension ActorScheduler {
  /// Nil when it has gone.
  var actor: (any Actor)? { line.servedActor }
}

extension Scheduler where Self == ActorScheduler {
  /// Runs work on an actor, in order.
  ///
  /// - Parameter actor: The actor. It is not kept.
  public static func actor(_ actor: any Actor) -> ActorScheduler { ActorScheduler(actor) }
}

extension Scheduler {
  /// Runs work after a delay, as ``schedule(after:tolerance:_:)`` does; or something else, anywhere, if it is to run on an actor that has gone.
  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void,
    orElse: @escaping @Sendable () -> Void
  ) -> any Disposable {
    if let actor = self as? ActorScheduler {
      actor.schedule(after: delay, tolerance: tolerance, work, orElse: Optional(orElse))
    } else {
      schedule(after: delay, tolerance: tolerance, work)
    }
  }
}

/// Work after a delay, and the timer that brings it to the actor.
private final class ActorTimer: Disposable {
  private let work: ScheduledWork
  private let timer: any Disposable

  init(_ work: ScheduledWork, _ timer: any Disposable) {
    self.work = work
    self.timer = timer
  }

  func dispose() {
    work.dispose()
    timer.dispose()
  }

  var isDisposed: Bool { work.isDisposed }
}

/// Work that stands in line for an actor. One task at a time takes what waits to the actor.
// Safe: `actor` is written only by the initialiser, and the run-time library clears weak references atomically; the rest has a lock.
private final class ActorLine: @unchecked Sendable {
  private weak var actor: (any Actor)?
  private let state = Mutex(State())

  private struct Entry {
    let work: @Sendable () -> Void
    let orElse: (@Sendable () -> Void)?
  }

  private struct State {
    var waiting: Deque<Entry> = []
    /// Whether a task is on its way.
    var isServed = false
  }

  init(_ actor: any Actor) {
    self.actor = actor
  }

  /// Nil when it has gone.
  var servedActor: (any Actor)? { actor }

  /// - Parameter orElse: What is called, anywhere, if the actor has gone.
  func add(_ work: @escaping @Sendable () -> Void, orElse: (@Sendable () -> Void)?) {
    let isFirst = state.withLock { state in
      state.waiting.append(Entry(work: work, orElse: orElse))
      defer { state.isServed = true }
      return !state.isServed
    }
    if isFirst { serve() }
  }

  private func serve() {
    // Detached: whoever happens to be the first in line does not lend its task-locals to the others.
    Task.detached(priority: Task.currentPriority) {
      if let actor = self.actor {
        await self.run(on: actor)
      } else {
        self.dropAll()
      }
    }
  }

  private func dropAll() {
    // Released after the lock: that may run any code, and bring further work.
    let dropped = state.withLock { state in
      defer { state = State() }
      return state.waiting
    }
    for entry in dropped { entry.orElse?() }
  }

  /// Runs what waits now. What comes meanwhile has a turn of its own, behind the actor's other work.
  private func run(on actor: isolated any Actor) {
    let count = state.withLock { $0.waiting.count }
    for _ in 0..<count { state.withLock { $0.waiting.popFirst() }?.work() }
    let isMore = state.withLock { state in
      state.isServed = !state.waiting.isEmpty
      return state.isServed
    }
    if isMore { serve() }
  }
}
