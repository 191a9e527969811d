import SignalMarbles
import Signals
import Synchronization

extension MarbleTest {
  /// Runs an action at an instant of virtual time, between the events of the diagrams.
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
  /// It comes before everything else of its instant, like subscribing; several actions of one instant run in the order
  /// of their declaration. The closure has the isolation of the test, so it may use state that only the test has,
  /// including main actor state. An error that it throws fails the test at this line.
  ///
  /// - Parameters:
  ///   - time: The time since the start of the test. A negative time, or one longer than 292 years, fails the test.
  ///   - action: The action.
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

/// An action of the test itself at an instant.
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

  func verify(_ failures: MarbleFailures) {
    if let error = error.withLock({ $0 }) {
      failures.add(.reason, "The closure at \(MarbleDuration.spoken(nanoseconds)) threw \(error).", at: source)
    }
  }

  func dispose() {
    work.withLock { $0 }?.dispose()
    action.unbind()
  }
}
