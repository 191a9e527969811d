/// The delays before the attempts of a retry.
///
/// ```swift
/// let backoff = Backoff.exponential(first: .milliseconds(100), factor: 2, limit: .seconds(10), jitter: 0.5)
/// var generator = SystemRandomNumberGenerator()
/// print(backoff.delay(before: 3, using: &generator))  // Between 0.2 and 0.4 seconds.
/// ```
///
/// Computed delays are whole nanoseconds. They never trap: they are clamped to the range from zero to the longest
/// duration.
///
/// See also ``Signal/retry(_:after:on:resettingOnValue:using:fileID:line:function:)``.
public struct Backoff: Sendable, Hashable {
  private enum Growth: Hashable {
    case none
    case linear(Duration)
    case exponential(Double)
  }

  private let first: Duration
  private let growth: Growth
  private let limit: Duration?
  private let jitter: Double

  private init(_ first: Duration, _ growth: Growth, _ limit: Duration?, _ jitter: Double) {
    self.first = max(.zero, first)
    self.growth = growth
    self.limit = limit.map { max(.zero, $0) }
    // NaN is no jitter.
    self.jitter = jitter > 0 ? min(jitter, 1) : 0
  }

  /// The same delay before each attempt.
  ///
  /// - Parameters:
  ///   - delay: The delay. A negative time counts as zero.
  ///   - jitter: The random part of the delay, from 0 to 1: with 0.25, the delay is between three quarters and the
  ///     whole.
  public static func constant(_ delay: Duration, jitter: Double = 0) -> Backoff {
    Backoff(delay, .none, nil, jitter)
  }

  /// A delay that grows by the same time with each attempt.
  ///
  /// - Parameters:
  ///   - first: The delay before the first retry. A negative time counts as zero.
  ///   - step: The difference between two consecutive delays.
  ///   - limit: The longest delay; `nil` sets no limit.
  ///   - jitter: The random part of the delay, from 0 to 1.
  public static func linear(
    first: Duration, step: Duration, limit: Duration? = nil, jitter: Double = 0
  ) -> Backoff {
    Backoff(first, .linear(step), limit, jitter)
  }

  /// A delay that is multiplied with each attempt.
  ///
  /// - Parameters:
  ///   - first: The delay before the first retry. A negative time counts as zero.
  ///   - factor: The ratio of two consecutive delays. A factor that is negative or not a number counts as 1.
  ///   - limit: The longest delay; `nil` sets no limit.
  ///   - jitter: The random part of the delay, from 0 to 1. With 1, each delay is anything from none to the whole:
  ///     clients that failed together do not retry together.
  public static func exponential(
    first: Duration, factor: Double = 2, limit: Duration? = nil, jitter: Double = 0
  ) -> Backoff {
    Backoff(first, .exponential(factor >= 0 ? factor : 1), limit, jitter)
  }

  /// Returns the delay before a retry.
  ///
  /// - Parameters:
  ///   - attempt: The number of the retry, from 1. A lower number counts as 1.
  ///   - generator: Provides one number if there is jitter: the higher it is, the shorter the delay.
  /// - Returns: The delay, no longer than the limit.
  /// - Complexity: O(log *n*) in the number of the attempt.
  public func delay(before attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
    let whole = min(growth(after: max(attempt, 1) - 1), limit ?? .longest)
    guard jitter > 0, whole > .zero else { return whole }
    // Not `Double.random`, which loops on a generator that returns the same number each time.
    let part = Double(generator.next() >> 11) * 0x1p-53 * jitter
    return whole - min(whole, whole.multiplied(by: part))
  }

  private func growth(after steps: Int) -> Duration {
    switch growth {
    case .none: first
    case .linear(let step): max(.zero, first.addingClamped(step.multiplied(by: Double(steps))))
    case .exponential(let factor): first.multiplied(by: power(factor, steps))
    }
  }

  /// The power, by multiplications alone: they give the same result on every system.
  private func power(_ base: Double, _ exponent: Int) -> Double {
    var (result, square, rest) = (1.0, base, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result *= square }
      square *= square
      rest >>= 1
    }
    return result
  }
}

extension Duration {
  fileprivate static var longest: Duration { Duration(attoseconds: .max) }

  /// The product in whole nanoseconds, the resolution of clocks, clamped to the representable durations.
  fileprivate func multiplied(by factor: Double) -> Duration {
    if self == .zero || factor == 1 { return self }
    let product = Double(attoseconds) / 1e9 * factor
    let (whole, isBeyond) = (Int128(exactly: product.rounded()) ?? .max).multipliedReportingOverflow(by: 1_000_000_000)
    return Duration(attoseconds: isBeyond ? (product > 0 ? .max : .min) : whole)
  }
}
