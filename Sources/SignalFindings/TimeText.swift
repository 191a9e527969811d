/// Durations as people write them.
enum TimeText {
  /// So many seconds: `1.5 s`, `300 ms`, `0.25 ms`. At least a thousandth of a unit is told.
  static func words(_ seconds: Double) -> String {
    let microseconds = Int(exactly: (min(max(seconds, 0), 1e11) * 1_000_000).rounded()) ?? 0
    return microseconds >= 1_000_000 ? "\(decimal(microseconds / 1_000)) s" : "\(decimal(microseconds)) ms"
  }

  /// About so many seconds: `1.5 s`, `300 ms`.
  static func about(_ seconds: Double) -> String {
    words(seconds >= 1 ? (seconds * 10).rounded() / 10 : (seconds * 1_000).rounded() / 1_000)
  }

  /// A number of thousandths.
  private static func decimal(_ thousandths: Int) -> String {
    let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
    guard rest > 0 else { return "\(whole)" }
    let digits = String(1_000 + rest).dropFirst()
    return "\(whole).\(digits.reversed().drop { $0 == "0" }.reversed().map(String.init).joined())"
  }
}
