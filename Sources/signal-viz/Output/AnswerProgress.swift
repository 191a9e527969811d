import Synchronization

/// How much of a program's answer has come.
final class AnswerProgress: Sendable {
  private let bytes = Mutex(0)

  /// So many bytes have come in all.
  func set(_ count: Int) { bytes.withLock { $0 = count } }

  /// Such as ", 120 MB so far"; nothing as long as there is none.
  var words: String {
    let count = bytes.withLock { $0 }
    return count > 0 ? ", \(Self.words(count)) so far" : ""
  }

  /// Such as "12 kB", or "3 MB".
  static func words(_ count: Int) -> String {
    switch count {
    case ..<1_000: "\(count) bytes"
    case ..<1_000_000: "\(count / 1_000) kB"
    default: "\(count / 1_000_000) MB"
    }
  }
}
