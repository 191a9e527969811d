import Synchronization
import Testing

/// The issues that a test saw.
final class Issues: Sendable {
  private let issues = Mutex<[Issue]>([])

  var all: [Issue] { issues.withLock { $0 } }

  /// Notes an issue, but for the requirement behind the error that a stopped test throws: only those who ask before all others see it.
  func add(_ issue: Issue) {
    if issue.sourceLocation?.fileID != "SignalTesting/ReportedFailure.swift" { issues.withLock { $0.append(issue) } }
  }
}
