import Foundation

/// What is said beside the result.
enum Terminal {
  /// A line on standard error.
  static func note(_ words: String) {
    FileHandle.standardError.write(Data((words + "\n").utf8))
  }
}
