import Foundation

/// What is said beside the result.
enum Terminal {
  /// A line on standard error.
  static func note(_ words: String) {
    // Standard error may be closed; `write(_:)` would trap then.
    try? FileHandle.standardError.write(contentsOf: Data((words + "\n").utf8))
  }
}
