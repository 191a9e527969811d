/// Formats durations for readers.
enum TimeText {
  /// Formats seconds as `1.5 s`, `300 ms` or `0.25 ms`, exact to a thousandth of the unit.
  static func words(_ seconds: Double) -> String {
    let microseconds = Int(exactly: (min(max(seconds, 0), 1e11) * 1_000_000).rounded()) ?? 0
    return microseconds >= 1_000_000 ? "\(decimal(microseconds / 1_000)) s" : "\(decimal(microseconds)) ms"
  }

  /// Formats seconds roughly, as `1.5 s` or `300 ms`.
  static func about(_ seconds: Double) -> String {
    words(seconds >= 1 ? (seconds * 10).rounded() / 10 : (seconds * 1_000).rounded() / 1_000)
  }

  /// Formats a number of thousandths as a decimal.
  private static func decimal(_ thousandths: Int) -> String {
    let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
    guard rest > 0 else { return "\(whole)" }
    let digits = String(1_000 + rest).dropFirst()
    return "\(whole).\(digits.reversed().drop { $0 == "0" }.reversed().map(String.init).joined())"
  }
}
