import Synchronization

/// The number of bytes of a program's response received so far.
final class AnswerProgress: Sendable {
  private let bytes = Mutex(0)

  /// Sets the total number of bytes received.
  func set(_ count: Int) { bytes.withLock { $0 = count } }

  /// The progress as text, such as ", 120 MB so far"; empty until the first byte arrives.
  var words: String {
    let count = bytes.withLock { $0 }
    return count > 0 ? ", \(Self.words(count)) so far" : ""
  }

  /// A number of bytes as text, such as "12 kB" or "3 MB".
  static func words(_ count: Int) -> String {
    switch count {
    case ..<1_000: "\(count) bytes"
    case ..<1_000_000: "\(count / 1_000) kB"
    default: "\(count / 1_000_000) MB"
    }
  }
}
