import SignalMarbles
public import Signals

/// A test written as marble diagrams, under virtual time.
///
/// ```swift
/// @Test func debounce() {
///   marbles { m in
///     let typing = m.hot("-a-b----c--|")
///     m.expect(typing.signal.debounce(for: .milliseconds(3), on: m.scheduler), "------b----(c|)")
///     m.expectSubscriptions(of: typing, "^----------!")
///   }
/// }
/// ```
///
/// The notation; every character for an event, every `-`, every group and a `^` take one frame, a millisecond by
/// default:
/// - `-`: nothing happens;
/// - `a`, `1`, `<found>`, `'two words'`: a value, which is a key of `values` or the value itself;
/// - `|`: the end; `#` and `#name`: a failure;
/// - `(ab|)`: several events at the same instant, in this order; `(a & b)`, in an expectation, in any order;
/// - `{ab}`, at the beginning of a cold source or of an expectation: values inside subscribe; it takes no time;
/// - `?`: any value, in an expectation;
/// - ` 300ms `, with spaces around it: a duration (`us`, `ms`, `s`, `m`, `h`); other spaces mean nothing;
/// - `^` in a hot source: the start of the test; in a subscription diagram, `^` and `!` are its beginning and its end.
///
/// First sources and expectations are declared, then everything runs at once, without waiting. At the same instant the
/// test's own work (subscribing, unsubscribing) runs first, then hot sources in the order of their creation, then all
/// other work in the order in which it was scheduled.
///
/// Failures are reported to Swift Testing or XCTest, whichever runs the test, at the line of the diagram. A test also
/// fails if it checks nothing: without an expectation, with an unused source, with an expectation without a diagram, or
/// if it never runs. And it fails if a failure reaches a subscription without a failure closure, such as
/// `subscribe { }`, at the location of that subscription; see `UnhandledFailure`.
public final class MarbleTest {
  /// The virtual time. Pass it to every time-based operator; it is also a Swift `Clock` and a task executor.
  public let scheduler: VirtualTimeScheduler
  let dialect: MarbleDialect
  let frame: Duration
  private let timeLimit: Duration
  private let source: MarbleSource
  /// The tasks in the virtual time.
  let world: VirtualWorld
  /// Unhandled failures of the test's declarations and actions.
  let failures = FailureLog()
  /// The remaining work in the test's virtual time.
  let work = WorkLeft()
  private let unrun: UnrunTest?
  /// A source, for drawings and for the check of subscriptions.
  struct Input {
    var log: SubscriptionLog
    var text: MarbleText
    var diagram: MarbleDiagram
    var isHot: Bool
  }

  private var checks: [any MarbleCheck] = []
  /// The sources, also for drawings.
  private(set) var inputs: [Input] = []
  private var assertedLogs: Set<ObjectIdentifier> = []
  private var windowEnd: Int64 = 0
  private var isBroken = false
  private var hasRun = false
  /// Whether it is too late for declarations.
  var hasBegun: Bool { hasRun }

  /// Creates a test; ``marbles(dialect:frame:systemTime:timeLimit:workLimit:chooser:isolation:fileID:filePath:line:column:_:)``
  /// creates one, declares and runs it.
  ///
  /// - Parameters:
  ///   - dialect: The notation of all diagrams.
  ///   - frame: The length of a `-`; whole nanoseconds.
  ///   - systemTime: What the system's clocks show, and where sleeps on them and work for dispatch queues go.
  ///   - timeLimit: The virtual time after which a test with remaining work fails.
  ///   - workLimit: The maximum number of work items in one stretch of the test, which is one advance of virtual
  ///     time.
  ///   - chooser: Picks among work that is ready at the same instant; scheduling order if nil.
  ///   - isolation: The actor that the test is isolated to, which has to be the main actor or none.
  public init(
    dialect: MarbleDialect = .signals, frame: Duration = MarbleDiagram.defaultFrame,
    systemTime: SystemTime = .real, timeLimit: Duration = .seconds(86_400),
    workLimit: Int = 100_000, chooser: VirtualTimeScheduler.Chooser? = nil,
    isolation: (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.dialect = dialect
    self.frame = frame
    self.timeLimit = timeLimit
    source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    (scheduler, world) = VirtualWorld.scheduler(
      workLimit: workLimit, chooser: chooser, systemTime: systemTime, failures: failures, source: source)
    unrun = UnrunTest(at: source)
    if let foreign = ForeignIsolation(isolation) {
      isBroken = true
      report(foreign.message, at: source)
    }
  }

  init(fixture source: MarbleSource, dialect: MarbleDialect) {
    self.dialect = dialect
    self.source = source
    frame = MarbleDiagram.defaultFrame
    timeLimit = .seconds(86_400)
    (scheduler, world) = VirtualWorld.scheduler(
      workLimit: 100_000, chooser: nil, systemTime: .real, failures: failures, source: source)
    unrun = nil
  }

  deinit {
    if !hasRun {
      report("The marble test never ran. Call run(), or use marbles { }.", at: source)
    }
    unrun?.settle()
    _ = world.close(.abandoned)
  }

  // MARK: Declaring

  /// Parses a declaration; an invalid one fails the test, which then does not run.
  func declare<Result>(at text: MarbleText, _ body: () throws -> Result) -> Result? {
    if hasRun {
      fail("This is declared while the test runs, or after it. Declare everything first.", text)
      return nil
    }
    do {
      return try body()
    } catch {
      fail("\(error)", text)
      return nil
    }
  }

  func fail(_ message: String, _ text: MarbleText) {
    isBroken = true
    report(message, at: text.place ?? source)
  }

  func add(_ check: any MarbleCheck, until end: Int64) {
    checks.append(check)
    windowEnd = max(windowEnd, end)
  }

  func add(_ input: Input) {
    inputs.append(input)
    if input.isHot { windowEnd = max(windowEnd, input.diagram.end) }
  }

  func noteAsserted(_ log: SubscriptionLog) { assertedLogs.insert(ObjectIdentifier(log)) }

  /// Abandons the test: nothing is run and nothing more is reported.
  func abandon() {
    hasRun = true
    unrun?.settle()
    _ = world.close(.abandoned)
  }

  // MARK: Running

  /// Declares the test, in its virtual time, and runs it.
  ///
  /// - Throws: Rethrows the errors of `declare`. Then nothing runs.
  func perform(_ declare: (MarbleTest) throws -> Void) rethrows {
    do {
      try failures.collect {
        try work.record { try world.inside { try VirtualWorld.runningTest { try declare(self) } } }
      }
    } catch {
      abandon()
      throw error
    }
    run()
  }

  /// Runs the test and reports differences and unhandled failures.
  ///
  /// A test runs once: a second call fails. `marbles { }` calls it itself.
  public func run() {
    unrun?.settle()
    failures.collect { work.record { world.inside { runOnce() } } }
    work.forget()
    for failure in failures.conclude(at: source) { report(failure.message, at: failure.source, else: source) }
  }

  private func runOnce() {
    guard !hasRun else {
      return report("The marble test has run already. Create a new one for another run.", at: source)
    }
    hasRun = true
    guard !isBroken else { return }
    guard checks.contains(where: \.isExpectation) else {
      return report("The marble test expects nothing. Add m.expect(signal, \"--a--|\").", at: source)
    }
    for check in checks { check.schedule(on: scheduler) }
    let failures = MarbleFailures()
    var stop: (any Error)?
    // Whether the tasks have had the time to finish.
    var isComplete = false
    do {
      isComplete = try advance()
      for check in checks where isComplete || check.isDecidedWithoutEnd { check.verify(failures) }
      checkInputs(failures)
    } catch {
      // An endless run is compared up to where it stopped. After another error there is nothing to compare.
      if error is EndlessRun { for check in checks where check.isDecidedWithoutEnd { check.verify(failures) } }
      stop = error
    }
    for check in checks { check.dispose() }
    // Not synchronous, as the run has advanced time; see `VirtualWorld.End`.
    // Escapes from virtual time, such as work on a real queue: each may be the reason for missing events.
    let use = Departure.Use(isSystemVirtual: world.system != nil)
    var departures = world.close(isComplete ? .returned(isSynchronous: false) : .stopped)
    MarbleWatching.current?.ended(departures, at: source)
    // A task that waits for work that did not run is a consequence of the event that ended the run.
    if !isComplete, stop == nil { departures.removeAll { $0.cause == .unfinished } }
    DepartureReport(departures, of: source, in: use).add(to: failures)
    failures.report()
    if let stop { report("\(stop)", at: source) }
  }

  /// Advances until no work is left except sleeping background tasks, a limit is reached, or an event comes after the end
  /// of all expectations and hot sources. Such an event is a failure, which further events would not make clearer.
  ///
  /// - Returns: Whether no work is left: false if such an event ended the run.
  private func advance() throws -> Bool {
    guard let limit = timeLimit.exactNanoseconds, let frame = frame.exactNanoseconds else {
      throw MarbleRunError("The frame or the time limit is longer than 292 years, or finer than a nanosecond.")
    }
    guard frame > 0 else {
      throw MarbleRunError(
        "The frame of \(MarbleDuration.spoken(frame)) is not positive. Pass one such as .milliseconds(1).")
    }
    guard windowEnd <= limit else {
      throw MarbleRunError(
        "The diagrams end at \(MarbleDuration.spoken(windowEnd)), after the time limit of \(MarbleDuration.spoken(limit)). "
          + "Shorten them, or pass a longer timeLimit.")
    }
    let remedy = checks.filter(\.isUnlimited).map(\.subscribed).min().map {
      SubscriptionDiagram.remedy(from: $0, until: windowEnd, frame: frame)
    }
    func endless(_ reason: String, scheduledAt place: String? = nil) -> EndlessRun {
      work.endless(reason, count: scheduler.pendingCount, remedy: remedy, scheduledAt: place)
    }
    do {
      try scheduler.advance(to: SchedulerInstant(sinceOrigin: .nanoseconds(windowEnd)))
      // In steps, so that an event after the diagrams ends the run; growing ones, so that hours take few of them. Tasks
      // that may sleep at the end are not work that is left.
      var step = frame
      while scheduler.pendingCount > world.backgroundSleepCount,
        !checks.contains(where: { $0.hasEvent(after: windowEnd) })
      {
        let now = scheduler.nanoseconds
        guard now < limit else {
          throw endless("The test stopped at its time limit of \(MarbleDuration.spoken(limit)).")
        }
        step = min(step, limit - now)
        try scheduler.advance(by: .nanoseconds(step))
        step = step &* 2 > step ? step * 2 : step
      }
      return scheduler.pendingCount <= world.backgroundSleepCount
    } catch VirtualTimeError.workLimit(let limit, let time) {
      let reached = MarbleDuration.spoken(time.exactNanoseconds ?? .max)
      let busiest = world.busiest(ofLimit: limit).map { " " + $0 } ?? ""
      throw endless(
        "The test stopped at \(reached), after \(limit) work items in one stretch." + busiest,
        scheduledAt: world.endlessScheduling)
    }
  }

  private func checkInputs(_ failures: MarbleFailures) {
    for input in inputs where input.log.isEmpty && !assertedLogs.contains(ObjectIdentifier(input.log)) {
      failures.add(
        .consequence,
        "The source \"\(input.text.string)\" has no subscriber. Use it, remove it, or declare that with m.expectNoSubscriptions(of:).",
        at: input.text.place ?? source)
    }
  }
}

/// Declares a marble test and runs it; see ``MarbleTest``.
///
/// ```swift
/// @Test func retriesOnce() {
///   marbles { m in
///     let source = m.cold("-a-#")
///     m.expect(source.signal.retry(1), "-a--a-#")
///     m.expectSubscriptions(of: source, "^--!", "---^--!")
///   }
/// }
/// ```
///
/// - Parameters:
///   - dialect: The notation of all diagrams.
///   - frame: The length of a `-`; whole nanoseconds.
///   - systemTime: What the system's clocks show, and where sleeps on them and work for dispatch queues go.
///   - timeLimit: The virtual time after which a test with remaining work fails.
///   - workLimit: The maximum number of work items in one stretch of the test.
///   - chooser: Picks among work that is ready at the same instant; scheduling order if nil.
///   - isolation: The actor that the test is isolated to, which has to be the main actor or none.
///   - declare: Creates sources and expectations. Nothing runs before it returns. If it throws, nothing runs at all.
/// - Throws: Rethrows the errors of `declare`.
public func marbles(
  dialect: MarbleDialect = .signals, frame: Duration = MarbleDiagram.defaultFrame,
  systemTime: SystemTime = .real, timeLimit: Duration = .seconds(86_400),
  workLimit: Int = 100_000, chooser: VirtualTimeScheduler.Chooser? = nil, isolation: (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ declare: (MarbleTest) throws -> Void
) rethrows {
  let test = MarbleTest(
    dialect: dialect, frame: frame, systemTime: systemTime, timeLimit: timeLimit, workLimit: workLimit,
    chooser: chooser, isolation: isolation,
    fileID: fileID, filePath: filePath, line: line, column: column)
  try test.perform(declare)
}

/// The reason why a marble test could not be declared, or not run to its end.
struct MarbleRunError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A check of a marble test.
protocol MarbleCheck {
  /// Schedules the check's own work.
  func schedule(on scheduler: VirtualTimeScheduler)
  /// Whether there was an event after a time in nanoseconds.
  func hasEvent(after time: Int64) -> Bool
  /// Whether it expects something: a test of which no check does has forgotten its expectation.
  var isExpectation: Bool { get }
  /// Whether the check observes until the end of the run.
  var isUnlimited: Bool { get }
  /// The time of its subscription in nanoseconds.
  var subscribed: Int64 { get }
  /// Whether the check can be verified if the run was stopped before all work was done.
  var isDecidedWithoutEnd: Bool { get }
  /// Notes the differences, once the run is over.
  func verify(_ failures: MarbleFailures)
  /// Releases the subscriptions.
  func dispose()
}

extension MarbleCheck {
  func schedule(on scheduler: VirtualTimeScheduler) {}
  func hasEvent(after time: Int64) -> Bool { false }
  var isExpectation: Bool { true }
  var isUnlimited: Bool { false }
  var subscribed: Int64 { 0 }
  var isDecidedWithoutEnd: Bool { true }
}

extension MarbleText {
  /// The text's own location, or that of its call.
  var place: MarbleSource? { located?.source }

  /// The text and its file, as messages name it.
  var words: String {
    let short = string.count > 30 ? "\(string.prefix(30))…" : string
    return ShownValue.quoted(short) + (source.map { " \($0.fileName):\($0.line)" } ?? "")
  }
}
