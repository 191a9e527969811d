import Dispatch
import Foundation
import Signals
import Synchronization
public import Testing

/// Prints what a test waits for if it takes too long in real time: its live subscriptions, its waiting work, its tasks and their
/// graph.
///
/// A test that hangs ends with the message of its time limit, which tells nothing. With this trait it first tells what is still
/// there, on standard error and as an attachment of the test:
///
/// ```swift
/// @Test(.timeLimit(.minutes(1)), .hangReport(after: .seconds(20))) func connects() async throws {
///   let replies = Emitter<String>()
///   let reply = Task { try await replies.signal.first().firstValue() }
///   replies.send("hello")
///   reply.cancel()
///   _ = try? await reply.value
/// }
/// ```
///
/// It reports what the test creates, in its tasks too, except in detached ones. Of tasks only those of operators and readers of
/// signals are known. On a suite it applies to every test in it. Beside ``NoLeaksTrait`` or ``HealthyTrait``, put it last.
public struct HangReportTrait: TestTrait, SuiteTrait, TestScoping {
  let patience: Duration

  /// A trait on a suite applies to the tests in it.
  public var isRecursive: Bool { true }

  /// Provides a scope around each case of a test. Swift Testing calls this.
  ///
  /// - Parameters:
  ///   - test: The test, or a suite.
  ///   - testCase: The test case; `nil` for all cases of a test, and for a suite.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

  /// Runs a test case. Swift Testing calls this.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The test case.
  ///   - function: Runs the test case.
  /// - Throws: Rethrows the errors of the test case.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let place = MarbleSource(test.sourceLocation)
    let watch = HangWatch(of: test.displayName ?? test.name, at: place, patience)
    watch.start()
    defer { watch.stop() }
    try await watch.recorder.record(function)
  }
}

extension Trait where Self == HangReportTrait {
  /// Prints what a test waits for if it takes too long in real time.
  ///
  /// - Parameter patience: The time after which the report is printed, once; shorter than the time limit of the test.
  /// - Returns: The trait.
  public static func hangReport(after patience: Duration = .seconds(30)) -> HangReportTrait {
    HangReportTrait(patience: patience)
  }
}

/// Watches one test case.
final class HangWatch: Sendable {
  /// Prints the reports, for tests of this type.
  @TaskLocal static var output: @Sendable (String) -> Void = { FileHandle.standardError.write(Data($0.utf8)) }

  let recorder = GraphRecorder(endedLimit: 0, unhandledFailures: nil, findsSubscriptions: true)
  private let name: String
  private let place: MarbleSource
  private let patience: Duration
  private let isOver = DispatchSemaphore(value: 0)

  init(of name: String, at place: MarbleSource, _ patience: Duration) {
    (self.name, self.place, self.patience) = (name, place, patience)
  }

  func start() {
    let output = Self.output
    // With the task-local values of the test, to which the attachment belongs.
    let tell = InlineTask.prepare { [self] in
      let text = report
      output(text)
      _ = FailureAttachment.add(text, named: "hang of \(name)", kind: "txt", at: place)
    }
    // A thread, as the threads of the queues may all be blocked.
    Thread.detachNewThread { [self] in
      if isOver.wait(timeout: .now() + patience / .seconds(1)) == .timedOut { tell() }
    }
  }

  func stop() {
    isOver.signal()
    recorder.close()
  }

  private var report: String {
    let finder = LeakFinder(recorder)
    let leaks = finder.leaks()
    var lines = ["\(place.fileName):\(place.line): \"\(name)\" has not ended after \(ProbeText.spoken(patience))."]
    for (title, kinds) in [
      ("Live subscriptions", [Leak.Kind.neverDisposed, .upstreamStillSubscribed, .stillReported]),
      ("Waiting work", [.workStillPending]), ("Running tasks", [.taskStillRunning]),
    ] {
      let own = leaks.filter { kinds.contains($0.kind) }
      if !own.isEmpty { lines.append("\(title):") }
      lines += own.prefix(40).map { "  \($0.chain)" + ($0.count > 1 ? " (\($0.count) times)" : "") }
      if own.count > 40 { lines.append("  … and \(own.count - 40) more") }
    }
    if leaks.isEmpty { lines.append("It has no live subscription, no waiting work and no known task.") }
    let snapshot = recorder.snapshot().part(of: finder.leakedChains)
    if !snapshot.nodes.isEmpty, let graph = try? snapshot.mermaid() { lines += ["", graph] }
    return lines.joined(separator: "\n") + "\n"
  }
}
