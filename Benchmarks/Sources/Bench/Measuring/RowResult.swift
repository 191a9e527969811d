/// What was measured of one contender in one row, per operation.
struct Measurement: Codable {
  /// Median over the rounds.
  var nanoseconds: Double
  /// Heap blocks allocated.
  var blocks: Double
  /// How many times this contender's time the library takes: the median of the ratios within each round, so that a change of the machine's
  /// mood between rounds does not matter.
  var ratio: Double?
  /// Instructions, when they were counted.
  var instructions: Double?
}

/// What was measured of one row.
struct RowResult: Codable {
  var name: String
  var goals: Goals
  var measurements: [String: Measurement]
  /// The goals that were not reached; nil when the row has none.
  var missed: [String]?

  /// Whether the goals were reached, as it is written in tables.
  var verdict: String {
    guard let missed else { return "-" }
    return missed.isEmpty ? "reached" : "not reached"
  }

  /// How many times the time of another contender the library takes.
  func ratio(to contender: String) -> Double? { measurements[contender]?.ratio }
}

/// A contender delivered something else than it should have.
struct WrongResult: Error, CustomStringConvertible {
  let description: String
}
