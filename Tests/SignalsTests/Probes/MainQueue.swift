import Dispatch
import Testing

/// The main queue, which all tests of the process share.
@MainActor
enum MainQueue {
  /// Returns once everything has run that is on the main queue now.
  static func turn() async {
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
  }

  /// Tries until an attempt succeeds.
  ///
  /// What is delivered on the main actor comes at once where nothing waits that was scheduled earlier, and that may be another test's.
  static func whenNothingWaits(_ location: SourceLocation = #_sourceLocation, _ attempt: () -> Bool) async {
    for _ in 0..<1_000 {
      if attempt() { return }
      await turn()
    }
    Issue.record("a value of the main actor was never delivered at once", sourceLocation: location)
  }
}
