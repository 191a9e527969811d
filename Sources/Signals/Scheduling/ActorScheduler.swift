import DequeModule
import Dispatch

#if !SIGNALS_THREAD_SANITIZER
  import Synchronization
#endif

/// Runs work on an actor, in order.
///
/// Code that is called there may use the actor with `assumeIsolated`:
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
/// It runs on the actor's executor, also for the main actor and custom executors. Work of one scheduler runs in the
/// order in which it was scheduled. It is always asynchronous, even for a caller on the actor.
///
/// The scheduler references the actor weakly, so an actor that stores its own subscriptions can be deallocated. After
/// that, scheduled work is released and does not run. An operator that delivers there then unsubscribes from its
/// source: its subscription ends with the next value for the actor, without an event. (Those of `window` and `grouped`
/// stay, and get no more events.)
/// ``Signal/subscribe(onActor:fileID:line:function:_:)`` ends with the actor too.
public struct ActorScheduler: Scheduler {
  private let line: ActorLine
  private let recorder: Recorder

  /// Creates a scheduler that runs work on an actor.
  ///
  /// - Parameter actor: The actor, referenced weakly.
  public init(_ actor: any Actor) {
    line = ActorLine(actor)
    recorder = .current
  }

  /// The system's uptime.
  public var now: SchedulerInstant { .uptime }

  /// Runs work on the actor as soon as possible, never before returning.
  ///
  /// - Parameter work: Called once, on the actor, unless it is deallocated.
  public func schedule(_ work: @escaping @Sendable () -> Void) { schedule(work, orElse: nil) }

  /// Runs work on the actor as soon as possible, never before returning; or `orElse`, anywhere, if the actor is
  /// deallocated.
  func schedule(_ work: @escaping @Sendable () -> Void, orElse: (@Sendable () -> Void)?) {
    guard Recorder.isAnyOn else { return line.add(work, orElse: orElse) }
    let scheduled = ScheduledWork(stage: .onItsWay, recorder: recorder, work)
    line.add({ scheduled.run() }, orElse: orElse)
  }

  /// Runs work on the actor after a delay, never before returning.
  ///
  /// - Parameters:
  ///   - delay: The delay; a negative one counts as zero.
  ///   - tolerance: The accepted additional delay, to save energy; `nil` leaves that to the system.
  ///   - work: Called once, on the actor, unless it is cancelled before or the actor is deallocated.
  /// - Returns: Cancels the work when it is disposed. Releasing it does not cancel anything.
  public func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    schedule(after: delay, tolerance: tolerance, work, orElse: nil)
  }

  /// Runs work on the actor after a delay, never before returning; or `orElse`, anywhere, if the actor is deallocated.
  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void,
    orElse: (@Sendable () -> Void)?
  ) -> any Disposable {
    let scheduled = ScheduledWork(recorder: recorder, work)
    let timer = ActorLine.timers.run(after: delay, tolerance: tolerance, recorder: .nobody) { [line] in
      if !scheduled.isDisposed { line.add({ scheduled.run() }, orElse: orElse) }
    }
    return ActorTimer(scheduled, timer)
  }
}

extension ActorScheduler {
  /// Nil once it is deallocated.
  var actor: (any Actor)? { line.servedActor }
}

extension Scheduler where Self == ActorScheduler {
  /// Runs work on an actor, in order.
  ///
  /// - Parameter actor: The actor, referenced weakly.
  public static func actor(_ actor: any Actor) -> ActorScheduler { ActorScheduler(actor) }
}

extension Scheduler {
  /// Runs work after a delay, like ``schedule(after:tolerance:_:)``; or `orElse`, anywhere, if its actor is
  /// deallocated.
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

/// Work after a delay, and the timer that enqueues it for the actor.
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

/// The queue of an actor's work. One task at a time runs the waiting work on the actor.
// Safe: `actor` is written only by the initialiser, and the run-time library clears weak references atomically; the rest has a lock.
private final class ActorLine: @unchecked Sendable {
  /// Enqueues delayed work for all actors: serial, so that the order of work with the same deadline is preserved.
  static let timers = DispatchQueue(label: "signals.actors")

  private weak var actor: (any Actor)?
  private let state = Mutex(State())

  private struct Entry {
    let work: @Sendable () -> Void
    let orElse: (@Sendable () -> Void)?
  }

  private struct State {
    var waiting: Deque<Entry> = []
    /// Whether a task has been started.
    var isServed = false
  }

  init(_ actor: any Actor) {
    self.actor = actor
  }

  /// Nil once it is deallocated.
  var servedActor: (any Actor)? { actor }

  /// - Parameter orElse: Called, anywhere, if the actor is deallocated.
  func add(_ work: @escaping @Sendable () -> Void, orElse: (@Sendable () -> Void)?) {
    let isFirst = state.withLock { state in
      state.waiting.append(Entry(work: work, orElse: orElse))
      defer { state.isServed = true }
      return !state.isServed
    }
    if isFirst { serve() }
  }

  private func serve() {
    // Detached: work must not inherit the task-locals of the first caller.
    Task.detached(priority: Task.currentPriority) {
      if let actor = self.actor {
        await self.run(on: actor)
      } else {
        self.dropAll()
      }
    }
  }

  private func dropAll() {
    // Released after the lock: a release may run any code, and schedule further work.
    let dropped = state.withLock { state in
      defer { state = State() }
      return state.waiting
    }
    for entry in dropped { entry.orElse?() }
  }

  /// Runs the work that is waiting now. Later work is run separately, behind the actor's other work.
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
