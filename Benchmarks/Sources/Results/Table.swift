import Measuring

/// The printed table.
package enum Table {
  private static let columns: [(title: String, width: Int)] = [
    ("nanoseconds per operation", 51), ("signals", 8), ("limit", 8), ("x limit", 7), ("goal", 5), ("OpenCombine", 11),
    ("x faster", 8), ("graph on", 8), ("goal", 5), ("blocks", 6), ("instr", 6), ("goal", 6), ("verdict", 8),
  ]

  package static var header: String {
    line(columns.map(\.title)) + "\n" + String(repeating: "-", count: columns.map { $0.width + 1 }.reduce(0, +))
  }

  package static func line(_ result: RowResult) -> String {
    line(cells(result) + [([result.verdict] + (result.missed ?? [])).joined(separator: "; ")])
  }

  /// What stands in the table for a row, without the verdict.
  package static func cells(_ result: RowResult) -> [String] {
    let own = result.measurements["signals"]
    let limitGoal =
      result.goals.timesLimit.map { Figures.short($0) } ?? result.goals.nanoseconds.map { Figures.short($0) + " ns" }
    return [
      result.name,
      Figures.short(own?.nanoseconds),
      Figures.short(result.measurements["limit"]?.nanoseconds),
      Figures.short(result.ratio(to: "limit")),
      limitGoal ?? "-",
      Figures.short(result.measurements["OpenCombine"]?.nanoseconds),
      Figures.short(result.ratio(to: "OpenCombine").map { 1 / $0 }),
      Figures.short(result.measurements["graph on"]?.nanoseconds),
      Figures.short(result.goals.graphNanoseconds),
      Figures.short(own?.blocks),
      Figures.short(own?.instructions),
      Figures.short(result.goals.instructions),
    ]
  }

  package static func lines(_ memory: MemoryResult) -> String {
    let list = memory.contenders.sorted { $0.value.bytes < $1.value.bytes }.map { name, live in
      "  \(name): \(Figures.short(live.bytes)) bytes in \(Figures.short(live.blocks)) blocks"
    }
    return """
      A live chain of 3 operators, of \(Figures.grouped(memory.chains)) off one emitter \
      (goal \(Figures.short(memory.goalBytes)) bytes in \(Figures.short(memory.goalBlocks)) blocks; stretch \
      \(Figures.short(memory.stretchBytes)) bytes):
      \(list.joined(separator: "\n"))
      Each node with the graph on: \(Figures.short(memory.graphBytesPerNode)) bytes more, \
      \(Figures.short(memory.graphBytesPerNodeOfOwnSignals)) where each chain is a signal of its own \
      (goal \(Figures.short(memory.goalGraphBytesPerNode)))
      \(memory.missed.isEmpty ? "reached" : "not reached: " + memory.missed.joined(separator: "; "))
      """
  }

  private static func line(_ cells: [String]) -> String {
    zip(cells, columns).enumerated().map { index, cell in
      let padding = String(repeating: " ", count: max(0, cell.1.width - cell.0.count))
      return index == 0 ? cell.0 + padding : index == columns.count - 1 ? "  " + cell.0 : padding + cell.0
    }.joined(separator: " ")
  }
}
