import Synchronization

/// The code of the address by which `serve --open` has the browser open the page: it leads to the page once, and only for
/// a short time.
///
/// Every user of a machine can read the arguments of a process, so the token, which is valid until the end, must not be
/// one. A file that only this user can read would be no alternative: a browser may be confined to other folders.
final class OpeningCode: Sendable {
  enum Use {
    case first
    /// Someone else has been faster.
    case another
    case invalid
  }

  let text = Secret.random()
  private let limit: ContinuousClock.Instant
  private let isUsed = Atomic(false)

  /// - Parameter time: The time for which it is valid.
  init(validFor time: Duration = .seconds(60)) { limit = .now + time }

  /// Notes that a client presents a code.
  func use(_ words: String) -> Use {
    guard Secret.isEqual(words, text), .now < limit else { return .invalid }
    return isUsed.exchange(true, ordering: .relaxed) ? .another : .first
  }
}

/// Texts that cannot be guessed.
enum Secret {
  static func random() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let part = String(UInt32.random(in: .min ... .max, using: &random), radix: 16)
      return String(repeating: "0", count: 8 - part.count) + part
    }.joined()
  }

  /// Compares in constant time, which reveals nothing about the secret.
  static func isEqual(_ words: String, _ secret: String) -> Bool {
    let (given, own) = (Array(words.utf8), Array(secret.utf8))
    guard given.count == own.count else { return false }
    return zip(given, own).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
