public import Foundation

extension Duration {
  /// Creates a duration from a measurement with a unit.
  ///
  /// ```swift
  /// import Foundation
  /// import SignalFoundation
  /// import Signals
  ///
  /// let texts = Emitter<String>()
  /// let pause = Measurement(value: 0.3, unit: UnitDuration.seconds)
  /// let settled = texts.signal.debounce(for: Duration(pause), on: .main)
  /// ```
  ///
  /// The result is clamped to the longest and the shortest duration; NaN counts as zero.
  ///
  /// - Parameter measurement: The time span.
  public init(_ measurement: Measurement<UnitDuration>) {
    let seconds = measurement.converted(to: .seconds).value
    let longest = 2e20
    switch seconds {
    case _ where seconds.isNaN: self = .zero
    case longest...: self = Duration(attoseconds: .max)
    case ...(-longest): self = Duration(attoseconds: .min)
    default:
      // Separately, so that long spans keep their fraction, and without trapping beyond the seconds that an integer
      // holds.
      let whole = seconds.rounded(.towardZero)
      let (product, isBeyond) = Int128(whole).multipliedReportingOverflow(by: 1_000_000_000_000_000_000)
      let (sum, isStillBeyond) = product.addingReportingOverflow(Int128(((seconds - whole) * 1e18).rounded()))
      self = isBeyond || isStillBeyond ? Duration(attoseconds: seconds < 0 ? .min : .max) : Duration(attoseconds: sum)
    }
  }
}

extension Measurement where UnitType == UnitDuration {
  /// Creates a measurement in seconds from a duration, for display or conversion.
  ///
  /// ```swift
  /// import Foundation
  /// import SignalFoundation
  ///
  /// let minutes = Measurement(Duration.seconds(90)).converted(to: .minutes)
  /// print(minutes.value)  // 1.5
  /// ```
  ///
  /// - Parameter duration: The time span.
  public init(_ duration: Duration) {
    // Not its components: the seconds of a long one are no Int64.
    let (seconds, attoseconds) = duration.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
    self.init(value: Double(seconds) + Double(attoseconds) / 1e18, unit: .seconds)
  }
}
