import Signals
import Synchronization

extension MarbleTest {
  /// Does something at a moment of virtual time, in between what the diagrams say.
  ///
  /// ```swift
  /// @Test func startsAgain() {
  ///   marbles { m in
  ///     let isOn = Property(true)
  ///     let ticks = isOn.signal.flatMapLatest { [scheduler = m.scheduler] isOn in
  ///       isOn ? Signal.interval(every: .milliseconds(2), on: scheduler) : .never()
  ///     }
  ///     m.at(.milliseconds(5)) { isOn.value = false }
  ///     m.at(.milliseconds(304)) { isOn.value = true }
  ///     m.expect(ticks, "--0-1 301ms 0-1", subscription: "^ 308ms !")
  ///   }
  /// }
  /// ```
  ///
  /// It comes before everything else of its moment, like subscribing; several of one moment run in the order in which they were declared. The closure runs
  /// where the test runs, so it may use what only the test has, also what belongs to the main actor when the test does. An error that it throws fails
  /// the test at this line.
  ///
  /// - Parameters:
  ///   - time: How long after the start of the test. What is negative or longer than 292 years fails the test.
  ///   - action: What to do.
  public func at(
    _ time: Duration,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ action: @escaping () throws -> Void
  ) {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    _ = declare(at: MarbleText("", source: source)) {
      guard time >= .zero, let nanoseconds = time.exactNanoseconds else {
        throw MarbleRunError(
          "\(time) is not a moment of the test: it is negative, finer than a nanosecond or too long.")
      }
      add(
        MomentCheck(nanoseconds: nanoseconds, action: ThreadBound<Void, Void>(action), source: source),
        until: nanoseconds)
    }
  }
}

/// Something that the test itself does at a moment.
private final class MomentCheck: MarbleCheck, Sendable {
  private let nanoseconds: Int64
  private let action: ThreadBound<Void, Void>
  private let source: MarbleSource
  private let work = Mutex<(any Disposable)?>(nil)
  private let error = Mutex<(any Error)?>(nil)

  init(nanoseconds: Int64, action: ThreadBound<Void, Void>, source: MarbleSource) {
    self.nanoseconds = nanoseconds
    self.action = action
    self.source = source
  }

  func schedule(on scheduler: VirtualTimeScheduler) {
    action.bind()
    let work = scheduler.schedule(at: SchedulerInstant(sinceOrigin: .nanoseconds(nanoseconds)), phase: .test) {
      [self] in
      do { _ = try VirtualWorld.runningTest { try action.call() } } catch {
        self.error.withLock { $0 = error }
      }
    }
    PieceLabels.current?.noteLast(
      of: scheduler, "at \(MarbleDuration.spoken(nanoseconds)), \(source.fileName):\(source.line)")
    self.work.withLock { $0 = work }
  }

  func hasEvent(after time: Int64) -> Bool { false }

  func verify(_ failures: MarbleFailures) {
    if let error = error.withLock({ $0 }) {
      failures.add(.cause, "The closure at \(MarbleDuration.spoken(nanoseconds)) threw \(error).", at: source)
    }
  }

  func dispose() {
    work.withLock { $0 }?.dispose()
    action.unbind()
  }
}
