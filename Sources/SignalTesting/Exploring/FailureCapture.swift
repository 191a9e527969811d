import Foundation
import Signals
import Synchronization
import Testing

#if canImport(XCTest)
  import XCTest
#endif

/// Captures the failures of repeated runs, so that they are reported once and not once for each run.
///
/// It captures this library's reports, unhandled failures, issues of Swift Testing, and assertions of XCTest.
/// Assertions in a plain `XCTestCase` cannot be withheld: XCTest reports them at once, and they are only noticed here.
final class FailureCapture: Sendable {
  /// A failure.
  struct Failure: Sendable {
    var message: String
    var source: MarbleSource?
    /// Whether the test framework has already reported it.
    var isTold = false
  }

  @TaskLocal static var current: FailureCapture?

  private let failures = Mutex<[Failure]>([])
  private let observer = Mutex<(@Sendable () -> Void)?>(nil)
  private let warnings = Mutex<Set<String>>([])

  /// Notes a failure.
  func note(_ failure: Failure) {
    failures.withLock { $0.append(failure) }
    observer.withLock { $0 }?()
  }

  /// Notes an error that has ended a run, unless the run has noted its reason, such as the issue of a `#require`.
  func note(_ error: any Error, of subject: String) {
    if error.isReported, failures.withLock({ !$0.isEmpty }) { return }
    note(Failure(message: "\(subject) threw \(error)."))
  }

  /// Calls a closure for each failure, when it occurs.
  func observe(_ observer: (@Sendable () -> Void)?) { self.observer.withLock { $0 = observer } }

  /// The failures since the last call.
  func take() -> [Failure] {
    failures.withLock { failures in
      guard !failures.isEmpty else { return [] }
      defer { failures = [] }
      return failures
    }
  }

  /// Runs a closure whose failures are withheld.
  func hold(_ body: () -> Void) {
    func held() {
      Self.$current.withValue(self) {
        UnhandledFailure.withHandler({ [self] in note($0) }, operation: body)
      }
    }
    if Test.current != nil { return holdIssues(held) }
    #if canImport(XCTest)
      if RunningFramework.isXCTestProcess { return AssertionObserver(self).observe(held) }
    #endif
    held()
  }

  private func note(_ failure: UnhandledFailure) {
    note(Failure(message: "unhandled failure of the subscription at \(Chains.place(failure.site)): \(failure.error)"))
  }

  // MARK: Swift Testing

  /// Whether a warning was not reported before.
  private func isNew(_ warning: Issue) -> Bool {
    let place = warning.sourceLocation.map { "\($0.fileID):\($0.line):\($0.column) " } ?? ""
    return warnings.withLock { $0.insert(place + warning.told).inserted }
  }

  /// The traits of the running test handle its issues: one of this library captures them. That needs a task, which runs
  /// here and now.
  private func holdIssues(_ body: () -> Void) {
    let thread = ObjectIdentifier(Thread.current)
    let trait = IssueHandlingTrait.compactMapIssues { [self] issue in
      // Swift Testing delivers an issue without a current test to every capture, and reports it itself. Only a detached
      // task of virtual time belongs to this capture.
      guard Self.current === self || ObjectIdentifier(Thread.current) == thread else { return nil }
      #if compiler(>=6.3)
        // A warning is no failure. It is reported once, and not for each run.
        if issue.severity < .error { return isNew(issue) ? issue : nil }
      #endif
      note(Failure(message: issue.told, source: issue.sourceLocation.map { MarbleSource($0) }))
      return nil
    }
    InlineTask.run(body) { body in
      guard let test = Test.current else { return body() }
      try? await trait.provideScope(for: test, testCase: Test.Case.current) { body() }
    }
  }
}

extension Issue {
  fileprivate var told: String {
    let comments = comments.map(\.rawValue).joined(separator: "\n")
    // A recorded issue consists of its comment.
    if case .unconditional = kind, !comments.isEmpty { return comments }
    // Without the severity, which is written last, before the test's comments.
    let text = "\(self)"
    if text.hasSuffix(" (error)") { return String(text.dropLast(8)) }
    return comments.isEmpty ? text : text.replacingOccurrences(of: " (error): \(comments)", with: ": \(comments)")
  }
}

extension MarbleSource {
  init(_ location: SourceLocation) {
    self.init(
      fileID: location.fileID, filePath: location.filePath, line: location.line, column: location.column)
  }
}

#if canImport(XCTest)
  /// Notices assertions that fail in a plain test case.
  private final class AssertionObserver: NSObject, XCTestObservation {
    private let capture: FailureCapture

    init(_ capture: FailureCapture) { self.capture = capture }

    func observe(_ body: () -> Void) {
      #if canImport(Darwin)
        // Observers belong to the main thread there.
        guard Thread.isMainThread else { return body() }
      #endif
      XCTestObservationCenter.shared.addTestObserver(self)
      defer { XCTestObservationCenter.shared.removeTestObserver(self) }
      body()
    }

    #if canImport(Darwin)
      func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) {
        capture.note(FailureCapture.Failure(message: issue.compactDescription, isTold: true))
      }
    #else
      func testCase(
        _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?, atLine line: Int
      ) {
        capture.note(FailureCapture.Failure(message: description, isTold: true))
      }
    #endif
  }
#endif
