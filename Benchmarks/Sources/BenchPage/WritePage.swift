import ArgumentParser
import Curves
import Foundation
import Measuring
import OperatorCosts
import Results

/// Fills the generated parts of the page from the files with results.
struct WritePage: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page", abstract: "Fills the generated parts of a page from the files with results.")

  @Option(help: "The results of the rows.")
  var rows = "out/bench.json"

  @Option(help: "The results of the curves.")
  var curves = "out/curves.json"

  @Option(help: "The results of the operators.")
  var operators = "out/operators.json"

  @Option(help: "What was counted with the graph built in, and off.")
  var graphOff = "out/graph-off.json"

  @Option(help: "What was counted in a build without the graph.")
  var withoutGraph = "out/without-graph.json"

  @Option(help: "The results of whole programs.")
  var programs = "out/program.json"

  @Option(help: "Why goals are not reached.")
  var reasons = "Benchmarks/reasons.md"

  @Option(help: "The page.")
  var page = "docs/what-it-costs.md"

  @Option(help: "The folder of the curves' pictures.")
  var pictures = "docs/curves"

  func run() throws {
    let parts = PageParts(
      report: try ResultFile.read(BenchReport.self, from: rows),
      curves: try ResultFile.read([CurveResult].self, from: curves),
      operators: try ResultFile.read([OperatorResult].self, from: operators),
      graphOffCounts: try ResultFile.read([Count].self, from: graphOff),
      withoutGraphCounts: try ResultFile.read([Count].self, from: withoutGraph),
      program: try ResultFile.read(ProgramResult.self, from: programs))
    try checkCompleteness(parts)
    let reasons = try Reasons(path: reasons)
    var marked = MarkedPage(text: try String(contentsOfFile: page, encoding: .utf8))
    try marked.fill("machine", with: parts.machine)
    try marked.fill("rows", with: parts.rows)
    try marked.fill("instructions", with: parts.instructions)
    try marked.fill("forms", with: parts.forms)
    try marked.fill("memory", with: parts.memory)
    try marked.fill("operators", with: parts.operatorTable(.operator))
    try marked.fill("sources", with: parts.operatorTable(.source))
    try marked.fill("graph off", with: parts.graphOff)
    try marked.fill("graph on", with: parts.graphOn)
    try marked.fill("program", with: ProgramPart(parts.program).text)
    try marked.fill("curves", with: parts.curvePictures)
    try marked.fill("not reached", with: parts.notReached(reasons))
    try Data(marked.text.utf8).write(to: URL(fileURLWithPath: page), options: .atomic)
    try CurvePicture.write(parts.curves, to: pictures)
    let names = Set(parts.missed.map(\.name))
    for name in names.sorted() where reasons.reason(for: name) == nil {
      print("no reason is written down for '\(name)'; add one to \(self.reasons) below the heading '## \(name)'")
    }
    for name in reasons.superfluous(missed: names) { print("'\(name)' in \(self.reasons) misses no goal in this run") }
  }

  /// A run of a few rows or curves leaves files that are no page's worth.
  private func checkCompleteness(_ parts: PageParts) throws {
    let missing =
      Set(Curve.all.map(\.name)).subtracting(parts.curves.map(\.name)).map { "'\($0)' in \(curves)" }
      + (parts.report.isComplete ? [] : ["some rows in \(rows)"])
      + (parts.program.isComplete ? [] : ["some programs in \(programs)"])
    guard missing.isEmpty else {
      throw ValidationError(
        "these are missing: \(missing.sorted().joined(separator: ", ")). Run scripts/bench --all, or scripts/bench, "
          + "scripts/bench --curves and scripts/bench --program without --only and --contender.")
    }
  }
}
