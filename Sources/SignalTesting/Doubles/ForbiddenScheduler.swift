public import Signals
import Synchronization

/// A scheduler that fails the test when it is used: for code paths that must not need time.
///
/// ```swift
/// func search(_ text: Signal<String>, on scheduler: any Scheduler) -> Signal<String> {
///   text.flatMapLatest { $0.isEmpty ? Signal.just("") : Signal.just($0).delay(for: .seconds(1), on: scheduler) }
/// }
///
/// @Test func anEmptyTextNeedsNoTime() {
///   let recorder = search(.just(""), on: ForbiddenScheduler()).record()
///   #expect(recorder.values == [""])
/// }
/// ```
///
/// The failure is reported where the scheduler was created, once for each kind of use. Work passed to it does not run.
public final class ForbiddenScheduler: Scheduler {
  private let reason: String
  private let source: MarbleSource
  private let reported = Mutex<Set<String>>([])

  /// Creates a scheduler that must not be used.
  ///
  /// - Parameter reason: The reason, for the message.
  public init(
    _ reason: String = "",
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.reason = reason
    source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  private func complain(of use: String) {
    guard reported.withLock({ $0.insert(use).inserted }) else { return }
    let why = reason.isEmpty ? "" : " \(reason)"
    report("The scheduler that must not be used \(use).\(why)", at: source)
  }

  /// Fails the test.
  public var now: SchedulerInstant {
    complain(of: "was queried for the time")
    return SchedulerInstant(sinceOrigin: .zero)
  }

  /// Fails the test.
  ///
  /// - Parameter work: It does not run.
  public func schedule(_ work: @escaping @Sendable () -> Void) { complain(of: "received work") }

  /// Fails the test.
  ///
  /// - Parameters:
  ///   - delay: The delay of the work.
  ///   - tolerance: The accepted additional delay.
  ///   - work: It does not run.
  /// - Returns: A disposable without effect.
  public func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    complain(of: "received work for \(ProbeText.spoken(delay)) later")
    return Subscription {}
  }
}
