import Foundation
import Synchronization

/// Checks at the exit of the process: no test that could fail is left by then, so the process fails.
enum ProcessEnd {
  typealias Check = @Sendable () -> [(message: String, source: MarbleSource)]

  private static let checks = Mutex<[Check]>([])

  /// Adds a check. The process fails if it finds something.
  static func add(_ check: @escaping Check) {
    let isFirst = checks.withLock { checks in
      checks.append(check)
      return checks.count == 1
    }
    if isFirst { atexit { ProcessEnd.conclude() } }
  }

  private static func conclude() {
    let failures = checks.withLock { $0 }.flatMap { $0() }
      .sorted { ($0.source.filePath, $0.source.line) < ($1.source.filePath, $1.source.line) }
    guard !failures.isEmpty else { return }
    fflush(nil)
    for (message, source) in failures {
      // Standard error may be closed; `write(_:)` would trap then.
      try? FileHandle.standardError.write(
        contentsOf: Data("\(source.filePath):\(source.line): error: \(message)\n".utf8))
    }
    _exit(EXIT_FAILURE)
  }
}
