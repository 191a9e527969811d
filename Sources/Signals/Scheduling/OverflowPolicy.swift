/// What happens to a value when a queue is full.
///
/// Signals push: a sender does not wait for a slow handler. Values that arrive faster than they are handled are
/// queued, for example by ``Signal/receive(on:overflow:fileID:line:function:)``. By default the queue is unlimited. If
/// it might grow without bound, choose which values to drop instead.
///
/// The limit counts values only. The end of a signal is always queued, behind the values. A limit of less than 0 counts
/// as 0: with it no value is queued.
public enum OverflowPolicy: Hashable, Sendable {
  /// All values are queued, without a limit.
  case keepAll
  /// At most this many values are queued; a further one drops the oldest of them.
  case newest(Int)
  /// At most this many values are queued; a further one is dropped.
  case oldest(Int)
  /// At most this many values are queued; a further one is dropped, and the signal fails with ``OverflowError``. The
  /// operator's page states whether the queued ones are delivered first.
  case fail(Int)

  /// The maximum number of queued values; `nil` if there is no limit.
  @inlinable
  public var limit: Int? {
    switch self {
    case .keepAll: nil
    case .newest(let limit), .oldest(let limit), .fail(let limit): max(0, limit)
    }
  }
}

/// The failure of a signal whose queue overflowed; see ``OverflowPolicy/fail(_:)``.
public struct OverflowError: Error, Equatable, CustomStringConvertible {
  /// The maximum number of queued values.
  public let limit: Int

  /// Creates the error.
  ///
  /// - Parameter limit: The maximum number of queued values.
  public init(limit: Int) { self.limit = limit }

  /// A description with the limit.
  public var description: String { "more values wait than the limit of \(limit)" }
}

extension OverflowPolicy {
  /// Whether a full queue is a failure.
  @inlinable var canFail: Bool {
    if case .fail = self { true } else { false }
  }

  /// The decision about a new value.
  @usableFromInline
  enum Decision: Equatable, Sendable {
    case keep
    /// The value replaces the oldest one.
    case dropOldest
    case drop
    /// The value is dropped, and no more values are taken.
    case fail
  }

  /// Decides about a new value from the number of queued ones.
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
