import Curves
import Foundation
import Measuring
import OperatorCatalogue
import OperatorCosts
import Results

/// The generated parts of the page, from results.
struct PageParts {
  static let memoryName = "a live chain of 3 operators"

  let report: BenchReport
  let curves: [CurveResult]
  let operators: [OperatorResult]
  /// Instructions with the graph built in and off.
  let graphOffCounts: [Count]
  /// Those of a build without it.
  let withoutGraphCounts: [Count]
  let program: ProgramResult

  var machine: String {
    let machine = report.machine
    return "Measured on \(machine.date): \(machine.processor), \(machine.cores) cores, \(machine.system), "
      + "Swift \(machine.swift); medians of \(report.rounds) rounds."
  }

  var rows: String {
    MarkdownTable.text(
      [
        "ns per operation", "Signals", "limit", "x limit", "goal", "OpenCombine", "x faster", "graph on", "goal",
        "blocks",
        "instructions", "goal", "goals",
      ],
      report.rows.map { Table.cells($0) + [$0.verdict] }, leftColumns: [0, 12])
  }

  var instructions: String {
    let counted = report.rows.filter { $0.measurements["signals"]?.instructions != nil }
    guard !counted.isEmpty else { return "They were not counted in this run: `scripts/bench --instructions` does." }
    return MarkdownTable.text(
      ["instructions per operation", "Signals", "goal", "limit", "OpenCombine", "graph on"],
      counted.map { row in
        [row.name, Figures.short(row.measurements["signals"]?.instructions), Figures.short(row.goals.instructions)]
          + ["limit", "OpenCombine", "graph on"].map { Figures.short(row.measurements[$0]?.instructions) }
      })
  }

  /// Hand-written forms other than the limit.
  var forms: String {
    let lines = report.rows.flatMap { row in
      row.measurements.filter { $0.key.hasPrefix("limit") }.sorted { $0.value.nanoseconds < $1.value.nanoseconds }
        .map { [row.name, $0.key, Figures.short($0.value.nanoseconds), Figures.short($0.value.blocks)] }
    }
    let names = Set(lines.filter { $0[1] != "limit" }.map { $0[0] })
    return MarkdownTable.text(
      ["row", "by hand", "ns", "blocks"], lines.filter { names.contains($0[0]) }, leftColumns: [0, 1])
  }

  var memory: String {
    guard let memory = report.memory else { return "Not measured in this run." }
    let rows = memory.contenders.sorted { $0.value.bytes < $1.value.bytes }.map {
      [$0.key, Figures.short($0.value.bytes), Figures.short($0.value.blocks)]
    }
    return MarkdownTable.text(["a live chain of 3 operators", "bytes", "blocks"], rows)
      + "\n\nThe goal is \(Figures.short(memory.goalBytes)) bytes in \(Figures.short(memory.goalBlocks)) blocks, better still "
      + "\(Figures.short(memory.stretchBytes)) bytes. With the graph on each node takes "
      + "\(Figures.short(memory.graphBytesPerNode)) bytes more, "
      + "\(Figures.short(memory.graphBytesPerNodeOfOwnSignals)) where each chain is a signal of its own; the goal is "
      + "\(Figures.short(memory.goalGraphBytesPerNode))."
  }

  func operatorTable(_ kind: OperatorEntry.Kind) -> String {
    MarkdownTable.text(
      [
        kind.rawValue, "blocks made", "blocks kept", "bytes kept", "blocks per value", "on: made", "on: kept",
        "on: bytes", "on: per value",
      ],
      operators.filter { $0.kind == kind }.map {
        ["`\($0.name)`"] + OperatorTable.cells($0.off) + OperatorTable.cells($0.on)
      })
  }

  var graphOff: String { MarkdownTable.graphOff(graphOffCounts, withoutGraphCounts) }

  var graphOn: String {
    MarkdownTable.text(
      ["ns per operation", "graph off", "graph on", "goal on", "blocks on"],
      report.rows.compactMap { row in
        guard let off = row.measurements["signals"], let on = row.measurements["graph on"] else { return nil }
        return [
          row.name, Figures.short(off.nanoseconds), Figures.short(on.nanoseconds),
          Figures.short(row.goals.graphNanoseconds), Figures.short(on.blocks),
        ]
      })
  }

  var curvePictures: String {
    let rows = curves.map {
      [
        $0.title, $0.axis, $0.formula, String(format: "%.1f", $0.bound), CurveResult.text($0.steepest),
        String(format: "%.1f", $0.steepestBound), $0.isWithinBounds ? "within" : "above",
      ]
    }
    let table = MarkdownTable.text(
      ["operation", "n", "time grows with", "at most", "steepest decade", "at most", "bounds"], rows,
      leftColumns: [0, 1, 2, 6])
    return table + "\n\n"
      + curves.map { "![\($0.title): \($0.formula)](curves/\($0.name).svg)" }.joined(separator: "\n\n")
  }

  /// What is missed, by name.
  var missed: [(name: String, what: [String])] {
    report.rows.compactMap { row in (row.missed ?? []).isEmpty ? nil : (row.name, row.missed ?? []) }
      + (report.memory.map { $0.missed.isEmpty ? [] : [(Self.memoryName, $0.missed)] } ?? [])
      + ProgramPart(program).missed
      + curves.filter { !$0.isWithinBounds }.map {
        (
          $0.title,
          [
            "\($0.formula), bound \($0.bound); steepest decade \(CurveResult.text($0.steepest)), bound \($0.steepestBound)"
          ]
        )
      }
  }

  func notReached(_ reasons: Reasons) -> String {
    guard !missed.isEmpty else { return "Every goal is reached." }
    return missed.map { name, what in
      "- **\(name)**: \(what.joined(separator: "; ")). \(reasons.reason(for: name) ?? "*No reason is written down.*")"
    }.joined(separator: "\n")
  }
}
