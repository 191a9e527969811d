import Foundation
import SignalFindings
import SignalGraph
import Testing

/// `why` on the example with faults: three places that fired and three that did not.
@Suite("why explains places of Examples/Faults", .timeLimit(.minutes(5))) struct WhyCommandTests {
  private struct Report: Decodable {
    var explanations: [Explanation]
    var ended: [Ended]
  }

  private struct Ended: Decodable {
    var ends: EndCounts
  }

  /// The line of a piece of an example's code.
  private func line(of code: String, in file: String) throws -> Int {
    let path = PlantedProgram.package.appendingPathComponent("Examples/Faults/\(file)")
    let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    return try #require(lines.firstIndex { $0.contains(code) }) + 1
  }

  @Test func placesThatFiredAndPlacesThatDidNot() async throws {
    let program = try await FaultsProgram()
    func report(_ code: String, in file: String) async throws -> Report {
      let place = "\(file):\(try line(of: code, in: file))"
      let result = try await program.ask("why", place, "--for", "2s", "--json")
      #expect(result.status == 0, "\(result)")
      return try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    }
    func why(_ code: String, in file: String) async throws -> Explanation {
      try #require(try await report(code, in: file).explanations.first)
    }

    // What ended is kept for a while only; what is known of its place stays.
    let late = try await report("subscribe { print(\"language", in: "ListenerThatComesLate.swift")
    if let explanation = late.explanations.first {
      #expect(!explanation.hasFired)
      #expect(explanation.reason.hasSuffix("has finished, so no more can come"), "\(explanation)")
    } else {
      #expect(late.ended.map(\.ends.late) == [1])
    }

    let starved = try await why("texts.debounce", in: "SearchThatNeverStarts.swift")
    #expect(!starved.hasFired)
    #expect(starved.reason.contains("it waits for a pause between them that is long enough"), "\(starved)")

    let failed = try await report("answers.signal.scan", in: "FailureThatNobodyHandles.swift")
    if let explanation = failed.explanations.first {
      #expect(!explanation.hasFired)
      #expect(explanation.reason.contains("has failed, with ConnectionLost()"), "\(explanation)")
    } else {
      #expect(failed.ended.map(\.ends.unhandled) == [1])
    }

    let mixed = try await why("net.combineLatest(tax)", in: "MixedInputs.swift")
    #expect(mixed.hasFired)
    #expect(mixed.reason.contains("came from `property` at Faults/MixedInputs.swift:"), "\(mixed)")

    let loop = try await why("celsius.signal.delay", in: "TwoThermometers.swift")
    #expect(loop.hasFired)
    #expect(
      loop.steps.last?.notes.contains { $0.contains("sent to by the handler at Faults/TwoThermometers.swift:") } == true
    )

    let labels = try await why("price.scan(0, max)", in: "PriceForEachReader.swift")
    #expect(labels.hasFired)
    #expect(labels.steps.last?.title == "`interval`", "\(labels)")
  }

  @Test func aPlaceAtWhichNothingIs() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("graph.json")
    let text =
      #"{"version":1,"process":{"name":"App","pid":1,"startedAt":0},"takenAt":0,"definitions":[],"nodes":[],"edges":[]}"#
    try Data(text.utf8).write(to: file)
    let result = try await Tool.run(["why", "Feed.swift:42", file.path], in: folder.url)
    #expect(result.status == 2)
    #expect(result.errors.contains("Nothing is at `Feed.swift:42` in App"), "\(result)")
  }

  @Test func aChainThatGoesRoundIsExplainedToo() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("graph.json")
    let text = #"""
      {"version":1,"process":{"name":"App","pid":1,"startedAt":0},"takenAt":0,
      "definitions":[{"id":-3,"kind":"map","fileID":"A/A.swift","line":1,"function":"f()"}],
      "nodes":[{"id":1,"definition":-3,"state":"live","valueCount":1},{"id":2,"definition":-3,"state":"live","valueCount":1}],
      "edges":[{"source":1,"target":2,"kind":"data"},{"source":2,"target":1,"kind":"data"}]}
      """#
    try Data(text.utf8).write(to: file)
    let result = try await Tool.run(["why", "map", file.path], in: folder.url)
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("`map` fired"))
  }

  @Test func aPlaceOfWhichNothingIsLeft() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("graph.json")
    let text = #"""
      {"version":1,"process":{"name":"App","pid":1,"startedAt":0},"takenAt":0,"nodes":[],"edges":[],
      "definitions":[{"id":1,"kind":"subscribe","fileID":"A/A.swift","line":7,"function":"f()","ends":{"finished":2,"failed":0,
      "disposed":0,"unused":0,"released":0,"late":1,"unhandled":0,"lost":0,"losing":0,"losingAll":0}}]}
      """#
    try Data(text.utf8).write(to: file)
    let result = try await Tool.run(["why", "A.swift:7", file.path], in: folder.url)
    #expect(result.status == 0, "\(result)")
    #expect(
      result.output
        == "A/A.swift:7: `subscribe`: what was subscribed here has ended, none is left: 2 finished, 1 made after the source had ended\n"
    )
  }
}
