public import Signals
import Synchronization

/// Runs a closure with a scheduler whose time the closure advances, for tests of any code that takes a `Clock`.
///
/// ```swift
/// import Synchronization
///
/// actor Cache<C: Clock<Duration>> {
///   private(set) var isFresh = false
///   private let clock: C
///
///   init(clock: C) { self.clock = clock }
///
///   func refresh() {
///     isFresh = true
///     Task {
///       try await clock.sleep(for: .seconds(60))
///       isFresh = false
///     }
///   }
/// }
///
/// @Test func isFreshForAMinute() throws {
///   try withVirtualTime { time in
///     let cache = Cache(clock: time)
///     let states = Mutex<[Bool]>([])
///     time.task {
///       await cache.refresh()
///       for _ in 1...2 {
///         try await time.sleep(for: .seconds(59))
///         let isFresh = await cache.isFresh
///         states.withLock { $0.append(isFresh) }
///       }
///     }
///     try time.advance(by: .seconds(118))
///     #expect(states.withLock { $0 } == [true, false])
///   }
/// }
/// ```
///
/// Tasks that code in the closure starts are in virtual time, and so are theirs: `Task { }`, detached tasks, task
/// groups, `async let`, actors, asynchronous sequences. They run on this thread while the closure advances the
/// scheduler, always in the same order. At the end of the closure due work runs, and remaining tasks are cancelled.
///
/// The test fails if code leaves virtual time: if a task sleeps in real time, switches to the main actor while the test
/// does not run on it, was resumed by another thread, or has not finished at the end although it was cancelled. It
/// fails if a task is asleep at the end, unless it was started in `background { }`, and if work is left although the
/// closure never advanced time. It also fails if a failure reaches a subscription without a failure closure.
/// <doc:VirtualTimeForAnyCode> lists the exceptions.
///
/// - Parameters:
///   - systemTime: What the system's clocks show, and where sleeps on them and work for dispatch queues go.
///   - workLimit: The maximum number of work items in one stretch.
///   - chooser: Picks among work that is ready at the same instant; scheduling order if nil.
///   - isolation: The actor that the test is isolated to, which has to be the main actor or none.
///   - body: Uses the scheduler, which is also a `Clock` and a task executor, and advances it.
/// - Returns: The result of the closure.
/// - Throws: Rethrows the errors of the closure.
@discardableResult
public func withVirtualTime<Result>(
  systemTime: SystemTime = .real, workLimit: Int = 100_000, chooser: VirtualTimeScheduler.Chooser? = nil,
  isolation: (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: (VirtualTimeScheduler) throws -> Result
) rethrows -> Result {
  let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
  let failures = FailureLog()
  let (scheduler, world) = VirtualWorld.scheduler(
    workLimit: workLimit, chooser: chooser, systemTime: systemTime, failures: failures, source: source)
  let work = WorkLeft()
  var end = VirtualWorld.End.threw
  let foreign = ForeignIsolation(isolation)
  if let foreign { report(foreign.message, at: source) }
  defer { conclude(world, foreign == nil ? end : .abandoned, work, failures, at: source, .closure) }
  return try failures.collect {
    try work.record {
      let result = try world.inside { () throws in try body(scheduler) }
      end = .returned(isSynchronous: true)
      return result
    }
  }
}

/// Runs an asynchronous closure in virtual time: while it sleeps on the scheduler, and all other work waits too, time
/// advances at once.
///
/// ```swift
/// @Test func comesAfterAMinute() throws {
///   try withVirtualTime { time in
///     let start = time.now
///     let answer = Task.detached {
///       try await time.sleep(for: .seconds(60))
///       return 42
///     }
///     let value = try await answer.value
///     #expect(value == 42)
///     #expect(start.duration(to: time.now) == .seconds(60))
///   }
/// }
/// ```
///
/// It returns without waiting once the closure has returned, and needs no `await` itself. The closure has the isolation
/// of the test: it runs on the main actor if this is called there. See the synchronous overload for the code that is in
/// virtual time, and the reasons for failures. It also fails if no work is left and the closure has not returned: then
/// it waits for something outside virtual time, or for something that never comes. The failure names the location where
/// it waits.
///
/// - Parameters:
///   - systemTime: What the system's clocks show, and where sleeps on them and work for dispatch queues go.
///   - timeLimit: The virtual time after which the test fails.
///   - workLimit: The maximum number of work items.
///   - chooser: Picks among work that is ready at the same instant; scheduling order if nil.
///   - isolation: The actor that the test is isolated to, which has to be the main actor or none.
///   - body: Uses the scheduler, which is also a `Clock` and a task executor. Time advances while it sleeps on it.
/// - Returns: The result of the closure.
/// - Throws: Rethrows the errors of the closure. If it does not return, an error that ends the test without a second
///   failure: in Swift Testing that of `#require`, in XCTest ``VirtualTimeStopped``, which XCTest reports nevertheless.
@discardableResult
public func withVirtualTime<Result: Sendable>(
  systemTime: SystemTime = .real, timeLimit: Duration = .seconds(86_400), workLimit: Int = 100_000,
  chooser: VirtualTimeScheduler.Chooser? = nil,
  isolation: (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  @_inheritActorContext _ body: @escaping @Sendable (VirtualTimeScheduler) async throws -> Result
) throws -> Result {
  let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
  if let foreign = ForeignIsolation(isolation) {
    report(foreign.message, at: source)
    throw reportedFailure(VirtualTimeStopped())
  }
  let limits = VirtualTimeLimits(
    systemTime: systemTime, timeLimit: timeLimit, workLimit: workLimit, chooser: chooser)
  return try runInVirtualTime(
    limits, at: source, Site("withVirtualTime", fileID: fileID, line: line, function: ""), body)
}

/// The arguments of an asynchronous closure in virtual time.
struct VirtualTimeLimits {
  var systemTime = SystemTime.real
  var timeLimit = Duration.seconds(86_400)
  var workLimit = 100_000
  var chooser: VirtualTimeScheduler.Chooser?
  var form = Departure.Use.Form.closure
}

/// Runs an asynchronous closure in virtual time.
///
/// - Parameters:
///   - source: The test, for messages.
///   - site: The call, for the graph.
func runInVirtualTime<Result: Sendable>(
  _ limits: VirtualTimeLimits, at source: MarbleSource, _ site: Site,
  @_inheritActorContext _ body: @escaping @Sendable (VirtualTimeScheduler) async throws -> Result
) throws -> Result {
  let failures = FailureLog()
  let (scheduler, world) = VirtualWorld.scheduler(
    workLimit: limits.workLimit, chooser: limits.chooser, systemTime: limits.systemTime, failures: failures,
    source: source)
  let work = WorkLeft()
  var end = VirtualWorld.End.stopped
  defer { conclude(world, end, work, failures, at: source, limits.form) }
  let outcome = Outcome<Result>()
  return try failures.collect {
    try work.record {
      try world.inside { () throws in
        world.starting(from: source) {
          _ = scheduler.task(at: site, isWatched: true) {
            do { outcome.result = .success(try await body(scheduler)) } catch { outcome.result = .failure(error) }
          }
        }
        do throws(VirtualTimeError) {
          try scheduler.run(until: SchedulerInstant(sinceOrigin: limits.timeLimit)) { outcome.isSet }
        } catch {
          report(stopped(error, world, work), at: source)
          throw reportedFailure(VirtualTimeStopped())
        }
        if let result = outcome.result {
          // Threads that wait do not return at the limit.
          if scheduler.now.sinceOrigin > limits.timeLimit {
            report(
              "The closure has returned at \(ProbeText.spoken(scheduler.now.sinceOrigin)), after the time limit of "
                + "\(ProbeText.spoken(limits.timeLimit)). Pass a longer timeLimit, or find what waits so long.",
              at: source)
          }
          if case .success = result { end = .returned(isSynchronous: false) } else { end = .threw }
          return try result.get()
        }
        if let next = scheduler.nextMoment, next > SchedulerInstant(sinceOrigin: limits.timeLimit) {
          let limit = ProbeText.spoken(limits.timeLimit)
          report(
            "The closure has not returned at the time limit of \(limit), and work is scheduled after it. Pass a longer timeLimit, or find "
              + "what sleeps so long.", at: source)
        } else {
          world.noteUnfinished(source)
        }
        throw reportedFailure(VirtualTimeStopped())
      }
    }
  }
}

/// The reason why the run of an asynchronous closure was stopped.
private func stopped(_ error: VirtualTimeError, _ world: VirtualWorld, _ work: WorkLeft) -> String {
  guard case .workLimit(let limit, let moment) = error else { return "\(error)" }
  let reason = "Virtual time stopped at \(ProbeText.spoken(moment)), after \(limit) work items in one stretch. "
  if let busiest = world.busiest(ofLimit: limit) { return reason + busiest }
  let lines = work.lines(scheduledAt: world.endlessScheduling)
  return reason + "Something reschedules itself endlessly: dispose it, or pass a higher workLimit."
    + (lines.isEmpty ? "" : " Work left:\n" + lines.prefix(8).map { "  \($0)" }.joined(separator: "\n"))
}

/// The asynchronous closure of
/// ``withVirtualTime(systemTime:timeLimit:workLimit:chooser:isolation:fileID:filePath:line:column:_:)`` did not return. Another
/// failure of the test gives the reason.
public struct VirtualTimeStopped: Error, CustomStringConvertible {
  /// A description of the error.
  public var description: String { "The closure of withVirtualTime did not return; see the other failure." }
}

private func conclude(
  _ world: VirtualWorld, _ end: VirtualWorld.End, _ work: WorkLeft, _ failures: FailureLog, at source: MarbleSource,
  _ form: Departure.Use.Form
) {
  let use = Departure.Use(form: form, isSystemVirtual: world.system != nil)
  let departures = world.close(end) { work.lines(scheduledAt: $0) }
  work.forget()
  if case .abandoned = end {} else { DepartureReport(departures, of: source, in: use).record() }
  for failure in failures.conclude(at: source) { report(failure.message, at: failure.source, else: source) }
}

/// The result or the error of a closure.
final class Outcome<Success: Sendable>: Sendable {
  private let value = Mutex<Swift.Result<Success, any Error>?>(nil)
  private let hasValue = Atomic(false)

  /// Whether there is one: much faster than reading it.
  var isSet: Bool { hasValue.load(ordering: .acquiring) }

  var result: Swift.Result<Success, any Error>? {
    get { value.withLock { $0 } }
    set {
      value.withLock { $0 = newValue }
      hasValue.store(newValue != nil, ordering: .releasing)
    }
  }
}
