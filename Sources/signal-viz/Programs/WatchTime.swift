import ArgumentParser

/// The time for which a program is watched: `10s`, `500ms`, `2m`, `1h`, or a number of seconds.
struct WatchTime: ExpressibleByArgument, Equatable {
  /// The maximum: a day.
  static let limit = 86_400.0

  var seconds: Double

  init(seconds: Double) { self.seconds = seconds }

  init?(argument: String) {
    let units = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600)]
    let unit = units.first { argument.hasSuffix($0.0) } ?? ("", 1)
    let digits = argument.dropLast(unit.0.count)
    guard digits.first?.isNumber == true, digits.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }),
      let number = Double(digits), number * unit.1 <= Self.limit
    else { return nil }
    seconds = number * unit.1
  }

  var defaultValueDescription: String { words }

  /// The time as text, such as `2 s` or `0.5 s`.
  var words: String {
    let tenths = (seconds * 10).rounded()
    guard tenths < 1e9 else { return "\(seconds) s" }
    return tenths.remainder(dividingBy: 10) == 0 ? "\(Int(tenths / 10)) s" : "\(Int(tenths) / 10).\(Int(tenths) % 10) s"
  }
}
