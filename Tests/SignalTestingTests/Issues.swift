import Synchronization
import Testing

/// The issues that a test saw.
final class Issues: Sendable {
  private let issues = Mutex<[Issue]>([])

  var all: [Issue] { issues.withLock { $0 } }

  func add(_ issue: Issue) { issues.withLock { $0.append(issue) } }
}
