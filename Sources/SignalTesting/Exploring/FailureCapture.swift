import Foundation
import Signals
import Synchronization
import Testing

#if canImport(XCTest)
  import XCTest
#endif

/// Takes the failures of runs that are repeated, so that they are told once and not once for each run.
///
/// It gets what this library reports, unhandled failures, what is recorded in Swift Testing, and assertions of XCTest. Assertions in
/// a plain `XCTestCase` cannot be held back: XCTest tells them at once, and they are only noticed here.
final class FailureCapture: Sendable {
  /// One thing that failed.
  struct Failure: Sendable {
    var message: String
    var source: MarbleSource?
    /// Whether the test framework has told it already.
    var isTold = false
  }

  @TaskLocal static var current: FailureCapture?

  private let failures = Mutex<[Failure]>([])
  private let warnings = Mutex<Set<String>>([])

  /// Notes a failure.
  func note(_ failure: Failure) { failures.withLock { $0.append(failure) } }

  /// What has failed since this was asked before.
  func take() -> [Failure] {
    failures.withLock { failures in
      guard !failures.isEmpty else { return [] }
      defer { failures = [] }
      return failures
    }
  }

  /// Runs a closure whose failures are held back.
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

  /// Whether a warning was not told before.
  private func isNew(_ warning: Issue) -> Bool {
    let place = warning.sourceLocation.map { "\($0.fileID):\($0.line):\($0.column) " } ?? ""
    return warnings.withLock { $0.insert(place + warning.told).inserted }
  }

  /// Issues go where the running test's traits want them: a trait of ours takes them. It needs a task, which runs here and now.
  private func holdIssues(_ body: () -> Void) {
    let thread = ObjectIdentifier(Thread.current)
    let trait = IssueHandlingTrait.compactMapIssues { [self] issue in
      // Swift Testing delivers an issue that has no current test to every capture, and reports it itself. Only a detached task of virtual time is ours.
      guard Self.current === self || ObjectIdentifier(Thread.current) == thread else { return nil }
      #if compiler(>=6.3)
        // A warning is no failure. It is told once, and not for each run.
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
    // What was only recorded is nothing but its comment.
    if case .unconditional = kind, !comments.isEmpty { return comments }
    // Without the severity, which is written behind, before what the test says of it.
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
