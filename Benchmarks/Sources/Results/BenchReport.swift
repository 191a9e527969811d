/// Everything that one run measured of rows.
package struct BenchReport: Codable {
  package var machine: Machine
  package var rounds: Int
  package var scale: Double
  package var rows: [RowResult]
  package var memory: MemoryResult?
  /// Whether nothing was left out, as with a name of some rows only.
  package var isComplete: Bool

  package init(
    machine: Machine, rounds: Int, scale: Double, rows: [RowResult], memory: MemoryResult?, isComplete: Bool
  ) {
    self.machine = machine
    self.rounds = rounds
    self.scale = scale
    self.rows = rows
    self.memory = memory
    self.isComplete = isComplete
  }
}
