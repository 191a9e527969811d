/// Formats the times of a marble diagram, as text and as ticks.
package enum MarbleTime {
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("ns", 1), ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
  ]

  /// A time in the largest unit that needs at most three decimal places: `1.5 s`, `300 ms`.
  package static func words(_ nanoseconds: Int64) -> String {
    guard nanoseconds != 0 else { return "0" }
    let length = nanoseconds.magnitude
    for unit in units.reversed() where length >= UInt64(unit.nanoseconds) {
      let size = UInt64(unit.nanoseconds)
      let thousandths = length % size
      // Minutes have no readable decimal places.
      let step = unit.nanoseconds > 1_000_000_000 ? size : max(1, size / 1_000)
      guard thousandths % step == 0 else { continue }
      var fraction = String(1_000 + thousandths / max(1, size / 1_000)).dropFirst()
      if size == 1 || thousandths == 0 { fraction = "" }
      while fraction.last == "0" { fraction.removeLast() }
      let sign = nanoseconds < 0 ? "−" : ""
      return "\(sign)\(length / size)\(fraction.isEmpty ? "" : ".")\(fraction) \(unit.name)"
    }
    return "\(nanoseconds) ns"
  }

  /// The shortest round time that is not below a minimum.
  static func step(atLeast nanoseconds: Int64) -> Int64 {
    for unit in units {
      let factors: [Int64] =
        switch unit.name {
        case "s", "min": [1, 2, 5, 10, 15, 30]
        case "h": [1, 2, 6, 12, 24, 48, 120, 240, 1_200, 12_000, 120_000, 1_200_000]
        default: [1, 2, 5, 10, 20, 50, 100, 200, 500]
        }
      for factor in factors where unit.nanoseconds * factor >= nanoseconds { return unit.nanoseconds * factor }
    }
    return Int64.max / 2
  }
}
