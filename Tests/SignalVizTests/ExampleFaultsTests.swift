import Foundation
import SignalFindings
import Testing

/// The example with faults: each of them is named at its line, and nothing else.
@Suite("check names the faults of Examples/Faults", .timeLimit(.minutes(20))) struct ExampleFaultsTests {
  private struct Report: Decodable {
    var findings: [Finding]
  }

  private struct Spot: Hashable, CustomStringConvertible {
    var fileID: String
    var line: Int
    var description: String { "\(fileID):\(line)" }
  }

  /// The lines below the comments that tell a fault.
  private func planted() throws -> Set<Spot> {
    let folder = PlantedProgram.package.appendingPathComponent("Examples/Faults")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    return try Set(
      files.flatMap { file in
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
          .filter { $0.element.contains("// The fault:") }.map { Spot(fileID: "Faults/\(file)", line: $0.offset + 2) }
      })
  }

  @Test func eachIsNamedAtItsLineAndNothingElse() async throws {
    let planted = try planted()
    try #require(planted.count >= 10)
    var found: Set<Spot> = []
    var program = try await FaultsProgram()
    // Where the machine is busy, a stream may pause and is not starved then, and a token may be dropped too late: they have several chances.
    for attempt in 1...12 where found != planted {
      if attempt.isMultiple(of: 3) { program = try await FaultsProgram() }
      let result = try await program.ask("check", "--for", "10s", "--json")
      #expect(result.status == 1, "\(result)")
      let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
      let spots = Set(report.findings.map { Spot(fileID: $0.place.fileID, line: $0.place.line) })
      #expect(spots.subtracting(planted) == [], "false alarms: \(result.output)")
      found.formUnion(spots)
    }
    #expect(planted.subtracting(found) == [], "not found")
  }
}
