/// Everything one run measured.
struct BenchReport: Codable {
  var machine: Machine
  var rounds: Int
  var scale: Double
  var rows: [RowResult]
  var memory: MemoryResult?
}
