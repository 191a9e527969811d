/// Durations in the notation of diagrams, in whole nanoseconds.
package enum MarbleDuration {
  /// The units; of those with a common prefix the longest comes first.
  package static let units: [(name: String, nanoseconds: Int64)] = [
    ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000),
  ]

  /// The result of parsing a duration.
  enum Reading: Equatable {
    case nanoseconds(Int64)
    case tooFine
    case tooLong
  }

  /// Parses digits, an optional fraction and a unit at the beginning of `characters`.
  static func read(_ characters: ArraySlice<Character>, units: [String]) -> (length: Int, reading: Reading)? {
    var index = characters.startIndex
    func digits() -> String { String(characters[index...].prefix { $0.isASCII && $0.isNumber }) }
    let whole = digits()
    guard !whole.isEmpty else { return nil }
    index += whole.count
    var fraction = ""
    if index < characters.endIndex, characters[index] == "." {
      index += 1
      fraction = digits()
      if fraction.isEmpty { return nil }
      index += fraction.count
    }
    let rest = characters[index...]
    guard let unit = Self.units.first(where: { units.contains($0.name) && rest.starts(with: $0.name) }) else {
      return nil
    }
    let length = index - characters.startIndex + unit.name.count
    return (length, value(whole: whole, fraction: fraction, unit: unit.nanoseconds))
  }

  private static func value(whole: String, fraction: String, unit: Int64) -> Reading {
    guard let number = Int64(whole) else { return .tooLong }
    let (scaled, overflow) = number.multipliedReportingOverflow(by: unit)
    if overflow { return .tooLong }
    var result = scaled
    var step = unit
    var exactness: Int64 = 1
    for digit in fraction.reversed().drop(while: { $0 == "0" }).reversed() {
      exactness *= 10
      guard unit % exactness == 0, let value = digit.wholeNumberValue else { return .tooFine }
      step = unit / exactness
      let (sum, overflow) = result.addingReportingOverflow(Int64(value) * step)
      if overflow { return .tooLong }
      result = sum
    }
    return .nanoseconds(result)
  }

  /// The shortest exact text, for example `1.5s`.
  package static func compact(_ nanoseconds: Int64, units names: [String] = units.map(\.name)) -> String {
    if nanoseconds == 0 { return "0ms" }
    var best: String?
    for unit in units.reversed() where names.contains(unit.name) {
      // 200ms reads better than 0.2s.
      if nanoseconds < unit.nanoseconds, nanoseconds > 0, unit.nanoseconds > 1_000, names.contains("us") { continue }
      guard let number = decimal(nanoseconds, unit: unit.nanoseconds) else { continue }
      let text = number + unit.name
      guard let shortest = best else {
        best = text
        continue
      }
      // Of two texts of equal length the one without a fraction reads better.
      if text.count < shortest.count || text.count == shortest.count && shortest.contains(".") { best = text }
    }
    return best ?? "\(nanoseconds)ns"
  }

  /// The form for sentences: `1.5 s`.
  package static func spoken(_ nanoseconds: Int64) -> String {
    let text = compact(nanoseconds.magnitude > UInt64(Int64.max) ? Int64.max : abs(nanoseconds))
    let unit = text.drop { !$0.isLetter }
    let number = text.dropLast(unit.count)
    return "\(nanoseconds < 0 ? "-" : "")\(number) \(unit == "m" ? "min" : unit)"
  }

  private static func decimal(_ nanoseconds: Int64, unit: Int64) -> String? {
    var rest = nanoseconds % unit
    guard rest != 0 else { return "\(nanoseconds / unit)" }
    var power: Int64 = 1
    var fraction = ""
    while rest != 0 {
      power *= 10
      guard unit % power == 0 else { return nil }
      fraction += "\(rest / (unit / power))"
      rest %= unit / power
    }
    return "\(nanoseconds / unit).\(fraction)"
  }
}

extension Duration {
  /// The duration in whole nanoseconds; nil if it is longer than 292 years or finer than a nanosecond.
  package var exactNanoseconds: Int64? {
    attoseconds % 1_000_000_000 == 0 ? Int64(exactly: attoseconds / 1_000_000_000) : nil
  }
}
