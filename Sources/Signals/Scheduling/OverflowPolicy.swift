/// What becomes of a value that comes when too many wait already.
///
/// A signal pushes: whoever sends does not wait for a slow handler. Where values come faster than they are taken, they wait in a queue:
/// those of ``Signal/receive(on:overflow:fileID:line:function:)`` for the scheduler, for example. Usually all of them are kept. Where a queue might grow
/// without end, choose what is to be given up instead.
///
/// The limit counts values only. The end of a signal always finds room, behind the values that wait. A limit of less than 0 counts as 0: with it
/// nothing waits.
public enum OverflowPolicy: Hashable, Sendable {
  /// All values wait, however many they are.
  case keepAll
  /// So many values wait at most; a further one drops the oldest of them.
  case newest(Int)
  /// So many values wait at most; a further one is dropped.
  case oldest(Int)
  /// So many values wait at most; a further one is dropped, and the signal fails with ``OverflowError``. Whether those that wait come first, the
  /// operator's page says.
  case fail(Int)

  /// How many values may wait; `nil` if there is no limit.
  @inlinable
  public var limit: Int? {
    switch self {
    case .keepAll: nil
    case .newest(let limit), .oldest(let limit), .fail(let limit): max(0, limit)
    }
  }
}

/// The failure of a signal for which too many values waited; see ``OverflowPolicy/fail(_:)``.
public struct OverflowError: Error, Equatable, CustomStringConvertible {
  /// How many values may wait.
  public let limit: Int

  /// Makes the error.
  ///
  /// - Parameter limit: How many values may wait.
  public init(limit: Int) { self.limit = limit }

  /// What happened, with the limit.
  public var description: String { "more values wait than the limit of \(limit)" }
}

extension OverflowPolicy {
  /// What to do with a value that comes.
  @usableFromInline
  enum Decision: Equatable, Sendable {
    case keep
    /// The value waits, in the place of the oldest one.
    case dropOldest
    case drop
    /// The value is dropped, and nothing is taken any more.
    case fail
  }

  /// What to do with a value that comes while so many wait.
  @inlinable
  func decision(whileWaiting count: Int) -> Decision {
    guard let limit, count >= limit else { return .keep }
    return switch self {
    case .keepAll: .keep
    case .newest: limit == 0 ? .drop : .dropOldest
    case .oldest: .drop
    case .fail: .fail
    }
  }
}
