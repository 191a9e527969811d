import ArgumentParser
import Foundation
import Measuring
import Results

/// Compares what was counted with the thresholds.
struct CheckThresholds: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Compares what was counted with the thresholds; fails when a row is above its own.")

  @Option(help: "What was counted.")
  var counts = "out/counts.json"

  @Option(help: "The thresholds.")
  var thresholds = "Benchmarks/thresholds.tsv"

  func run() throws {
    let counted = try ResultFile.read([Count].self, from: counts)
    let limits = try Thresholds(path: thresholds)
    var above = 0
    for count in counted {
      guard let limit = limits[count] else {
        throw ValidationError(
          "\(thresholds) has no line for '\(count.row)', \(count.contender); run scripts/bench --update")
      }
      print(Self.line(count, limit))
      if Self.isAbove(count, limit) {
        print("  above its threshold")
        above += 1
      }
    }
    guard counted.count == limits.lines.count else {
      throw ValidationError(
        "\(thresholds) has other rows than the \(counted.count) counted; run scripts/bench --update")
    }
    guard above == 0 else {
      print(
        "\(above) row(s) cost more than \(thresholds) allows. If that is meant, run scripts/bench --update and say why."
      )
      throw ExitCode.failure
    }
    print("All core rows are within \(thresholds).")
  }

  private static func isAbove(_ count: Count, _ limit: Thresholds.Line) -> Bool {
    if let instructions = count.instructions, let most = limit.instructions, instructions > most { return true }
    return (count.blocks ?? 0) > limit.blocks
  }

  private static func line(_ count: Count, _ limit: Thresholds.Line) -> String {
    func right(_ text: String) -> String { String(repeating: " ", count: max(0, 6 - text.count)) + text }
    func instructions(_ number: Int?) -> String { right(number.map(String.init) ?? "-") }
    func blocks(_ number: Double?) -> String { right(number.map { String(format: "%.2f", $0) } ?? "-") }
    return count.row.padding(toLength: max(26, count.row.count), withPad: " ", startingAt: 0) + " "
      + count.contender.padding(toLength: 8, withPad: " ", startingAt: 0)
      + " \(instructions(count.instructions)) instructions (at most \(instructions(limit.instructions)))"
      + "  \(blocks(count.blocks)) blocks (at most \(blocks(limit.blocks)))"
  }
}
