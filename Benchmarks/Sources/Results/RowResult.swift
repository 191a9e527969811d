/// What was measured of one contender in one row, per operation.
package struct Measurement: Codable {
  /// Median over the rounds.
  package var nanoseconds: Double
  /// Heap blocks allocated.
  package var blocks: Double
  /// How many times this contender's time the library takes: the median of the ratios within each round, so that a change of the machine's
  /// mood between rounds does not matter.
  package var ratio: Double?
  /// Instructions, when they were counted.
  package var instructions: Double?

  package init(nanoseconds: Double, blocks: Double, ratio: Double?) {
    self.nanoseconds = nanoseconds
    self.blocks = blocks
    self.ratio = ratio
  }
}

/// What was measured of one row.
package struct RowResult: Codable {
  package var name: String
  package var goals: Goals
  package var measurements: [String: Measurement]
  /// The goals that were not reached; nil when the row has none.
  package var missed: [String]?

  package init(name: String, goals: Goals, measurements: [String: Measurement] = [:]) {
    self.name = name
    self.goals = goals
    self.measurements = measurements
  }

  /// Whether the goals were reached, as it is written in tables.
  package var verdict: String {
    guard let missed else { return "-" }
    return missed.isEmpty ? "reached" : "not reached"
  }

  /// How many times the time of another contender the library takes.
  package func ratio(to contender: String) -> Double? { measurements[contender]?.ratio }
}
