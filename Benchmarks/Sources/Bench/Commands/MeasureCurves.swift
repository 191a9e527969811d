import ArgumentParser
import Curves
import Foundation
import Measuring

/// Measures how cost grows.
struct MeasureCurves: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "curves",
    abstract: "Measures how cost grows, prints the fitted exponents, and fails when one is above its bound.")

  @Option(help: "Measure only curves whose name contains this.")
  var only: String?

  @Option(help: "How many rounds; the fastest counts.")
  var rounds = 5

  @Option(help: "Also write the results as JSON to this file.")
  var json: String?

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("--rounds must be above 0") }
  }

  func run() throws {
    SecondThread.park()
    let curves = Curve.all.filter { curve in only.map { curve.name.contains($0) } ?? true }
    guard !curves.isEmpty else {
      throw ValidationError(
        "no curve's name contains '\(only ?? "")'; there are: \(Curve.all.map(\.name).joined(separator: ", "))")
    }
    let results = curves.map { curve in
      let result = CurveResult.measured(curve, rounds: rounds)
      print(Self.line(result))
      return result
    }
    if let json { try ResultFile.write(results, to: json) }
    let above = results.filter { !$0.isWithinBounds }
    guard above.isEmpty else {
      print("above the bound: \(above.map(\.name).joined(separator: ", "))")
      throw ExitCode.failure
    }
  }

  private static func line(_ result: CurveResult) -> String {
    let points = result.points.map { "\(Figures.grouped($0.size)): \(Figures.short($0.nanoseconds)) ns" }
    return """
      \(result.title)
        \(result.formula) in \(result.axis), at most \(result.bound); steepest decade of the upper half \
      \(CurveResult.text(result.steepest)), at most \(result.steepestBound) \
      - \(result.isWithinBounds ? "within bounds" : "ABOVE ITS BOUND")
        \(points.joined(separator: ", "))
      """
  }
}
