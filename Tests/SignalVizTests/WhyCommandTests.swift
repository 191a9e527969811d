import Foundation
import SignalFindings
import SignalGraph
import Testing

/// `why` on the example with faults: three places that fired and three that did not.
@Suite("why explains places of Examples/Faults", .timeLimit(.minutes(20))) struct WhyCommandTests {
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
      #expect(explanation.reason.hasSuffix("has finished, so no more values can come"), "\(explanation)")
    } else {
      #expect(late.ended.map(\.ends.late) == [1])
    }

    let starved = try await why("texts.debounce", in: "SearchThatNeverStarts.swift")
    // On a machine that is very busy there may have been a pause of 900 ms.
    if !starved.hasFired {
      #expect(starved.reason.contains("it waits for a pause between them that is long enough"), "\(starved)")
      #expect(starved.wait?.words.contains("; the last value came to it ") == true, "\(starved)")
      // Those of earlier pauses.
      #expect(starved.trails.allSatisfy { $0.age > 2 })
    }

    let failed = try await report("answers.signal.scan", in: "FailureThatNobodyHandles.swift")
    if let explanation = failed.explanations.first {
      #expect(!explanation.hasFired)
      #expect(explanation.reason.contains("has failed, with ConnectionLost, so"), "\(explanation)")
    } else {
      #expect(failed.ended.map(\.ends.unhandled) == [1])
    }

    let mixed = try await why("net.combineLatest(tax)", in: "MixedInputs.swift")
    #expect(mixed.hasFired)
    #expect(mixed.reason.contains("came from `property` at MixedInputs.swift:"), "\(mixed)")
    let tick = try #require(mixed.trails.first)
    #expect(tick.isComplete)
    #expect(tick.hops.first?.title == "`interval`" && tick.hops.first?.beginning == "sent by its timer", "\(tick)")
    #expect(tick.hops.contains { $0.beginning?.hasPrefix("sent by the handler at MixedInputs.swift:") == true })
    #expect(tick.hops.last?.title == "`subscribe`" && tick.age < 60, "\(tick)")

    let loop = try await why("celsius.signal.delay", in: "TwoThermometers.swift")
    #expect(loop.hasFired)
    let turns = loop.trails.first?.hops.compactMap(\.beginning) ?? []
    #expect(turns.contains { $0.hasPrefix("sent by the handler at TwoThermometers.swift:") }, "\(loop)")
    #expect(
      loop.steps.last?.notes.contains { $0.contains("sent to by the handler at TwoThermometers.swift:") } == true
    )

    let labels = try await why("price.scan(0, max)", in: "PriceForEachReader.swift")
    #expect(labels.hasFired)
    #expect(labels.steps.last?.title == "`interval`", "\(labels)")
    #expect(labels.trails.first?.hops.map(\.title) == ["`interval`", "`map`", "`scan`", "`subscribe`"], "\(labels)")
    #expect(Set(labels.trails.map(\.number)).count == labels.trails.count)

    let check = try await program.ask("check", "--for", "2s", "--only", "glitch")
    #expect(check.output.contains(" values gave 2 here: "), "\(check)")
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
      "definitions":[{"id":1,"kind":"subscribe","behavior":["subscribes"],"fileID":"A/A.swift","line":7,"function":"f()","ends":{"finished":2,"failed":0,
      "disposed":0,"unused":0,"released":0,"late":1,"unhandled":0,"lost":0,"losing":0,"losingAll":0}}]}
      """#
    try Data(text.utf8).write(to: file)
    let result = try await Tool.run(["why", "A.swift:7", file.path], in: folder.url)
    #expect(result.status == 0, "\(result)")
    #expect(
      result.output
        == "A.swift:7: `subscribe`: no subscription here is alive: 2 finished; of these 1 made after the source had ended\n"
    )
  }

  @Test func aNameOfWhichNothingIsLeft() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("graph.json")
    let text = #"""
      {"version":1,"process":{"name":"App","pid":1,"startedAt":0},"takenAt":0,"nodes":[],"edges":[],
      "definitions":[{"id":1,"kind":"emitter","behavior":["sendsUnasked","of another version"],"fileID":"A/A.swift","line":7,"function":"f()",
      "gone":{"names":["names"],"nodes":1,"values":5}},
      {"id":2,"kind":"receive(on:)","fileID":"A/A.swift","line":9,"function":"f()","gone":{"names":[],"nodes":1,"values":5}},
      {"id":3,"kind":"subscribe","behavior":["subscribes"],"fileID":"A/A.swift","line":9,"function":"f()","ends":{"finished":0,"failed":0,
      "disposed":1,"unused":1,"released":0,"late":0,"unhandled":0,"lost":0,"losing":0,"losingAll":0}}]}
      """#
    try Data(text.utf8).write(to: file)
    let named = try await Tool.run(["why", "names", file.path], in: folder.url)
    #expect(
      named.output
        == "A.swift:7: `emitter`: no node here is alive: 1 ended, 5 values passed, named `names`\n",
      "\(named)")
    // One subscription is told once, whatever operators are in its line.
    let line = try await Tool.run(["why", "A.swift:9", file.path], in: folder.url)
    #expect(
      line.output
        == "A.swift:9: `subscribe`: no subscription here is alive: 1 disposed; of these 1 released as soon as made\n",
      "\(line)")
  }

  @Test func aPlaceBesideOnesAtWhichSomethingIs() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("graph.json")
    try Data(Self.search.utf8).write(to: file)
    let line = try await Tool.run(["why", "Feed.swift:42", file.path], in: folder.url)
    #expect(line.status == 2)
    #expect(
      line.errors.contains(
        "the nearest lines there that have something are 12 (emitter), 40 (debounce), 44 (subscribe)."), "\(line)")
    let word = try await Tool.run(["why", "nobody", file.path], in: folder.url)
    #expect(word.errors.contains("It has, for example, `keys`, `results`, `search`, "), "\(word)")
  }

  @Test func nearestLinesOfTheSmallestNumberAreNamed() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("graph.json")
    try Data(Self.search.utf8).write(to: file)
    let result = try await Tool.run(["why", "Feed.swift:\(Int.min)", file.path], in: folder.url)
    #expect(result.status == 2)
    #expect(result.errors.contains("that have something are 12 (emitter), 40 (debounce), 44 (subscribe)."), "\(result)")
  }

  /// `search` (1), to which the handler of `subscribe` (3) below `keys` (2) sends, above `debounce` (4) and `subscribe` (5).
  private static let search = #"""
    {"version":1,"process":{"name":"App","pid":1,"startedAt":0},"takenAt":102,
    "definitions":[{"id":1,"kind":"emitter","behavior":["sendsUnasked","of another version"],"fileID":"A/Feed.swift","line":12,"function":"f()"},
    {"id":2,"kind":"emitter","behavior":["sendsUnasked","of another version"],"fileID":"A/Keys.swift","line":7,"function":"f()"},
    {"id":3,"kind":"subscribe","behavior":["subscribes"],"fileID":"A/Keys.swift","line":9,"function":"f()"},
    {"id":4,"kind":"debounce","fileID":"A/Feed.swift","line":40,"function":"f()"},
    {"id":5,"kind":"subscribe","behavior":["subscribes"],"fileID":"A/Feed.swift","line":44,"function":"f()"}],
    "nodes":[{"id":1,"definition":1,"name":"search","state":"live","valueCount":2,
    "causes":[{"number":640,"at":99.3,"thread":"main","origin":"handler","by":3,"parent":639},
    {"number":812,"at":101.3,"thread":"main","origin":"handler","by":3,"parent":811}]},
    {"id":2,"definition":2,"name":"keys","state":"live","valueCount":2,
    "causes":[{"number":811,"at":101.3,"thread":"main","origin":"program"}]},
    {"id":3,"definition":3,"state":"live","valueCount":2,
    "causes":[{"number":811,"at":101.3,"thread":"main"}]},
    {"id":4,"definition":4,"state":"live","valueCount":2,
    "causes":[{"number":640,"at":99.6,"thread":"thread 3"},{"number":812,"at":101.6,"thread":"thread 3"}]},
    {"id":5,"definition":5,"name":"results","state":"live","valueCount":2,
    "causes":[{"number":640,"at":99.6,"thread":"main"},{"number":812,"at":101.602,"thread":"main"}]}],
    "edges":[{"source":2,"target":3,"kind":"data"},{"source":1,"target":4,"kind":"hop"},
    {"source":4,"target":5,"kind":"data"}]}
    """#

  @Test func theLastCauseHopByHop() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("graph.json")
    try Data(Self.search.utf8).write(to: file)
    let result = try await Tool.run(["why", "results", file.path], in: folder.url)
    #expect(result.status == 0, "\(result)")
    #expect(
      result.output == """
        Feed.swift:44: `results` fired: 2 values came from `search` at Feed.swift:12
          last 398 ms ago on main, by cause 812:
                      main      `keys`  Keys.swift:7
                                sent by the program, cause 811
                      main      `subscribe`  Keys.swift:9
                      main      `search`
                                sent by the handler above, cause 812
             +300 ms  thread 3  `debounce`  Feed.swift:40
               +2 ms  main      `results`
          before: 2.4 s ago on main, by cause 640: `search`, sent by the handler at Keys.swift:9; through `debounce` (300 ms, on to thread 3); through `results` (on to main)
          `results`  got 2 values
          `debounce`  gave 2 values
          `search`  sent 2 values

        """)
    let hops = result.output.split(separator: "\n").filter { $0.hasPrefix("    ") }
    #expect(hops.allSatisfy { $0.count <= 80 })
  }

  @Test func theLastCauseInAPicture() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("graph.json")
    try Data(Self.search.utf8).write(to: file)
    let picture = folder.file("why.mmd")
    let result = try await Tool.run(["why", "results", file.path, "-o", picture.path], in: folder.url)
    #expect(result.status == 0, "\(result)")
    let text = try String(contentsOf: picture, encoding: .utf8)
    for words in ["<b>(1)</b><br/><b>emitter", "sent by the program", "+300 ms, on thread 3", "2 values came from"] {
      #expect(text.contains(words), "\(words) in \(text)")
    }
    // What is said of the whole is no hop: so it has no number.
    #expect(text.contains("<b>#96;results#96; fired: 2 values"), "\(text)")
    #expect(!text.contains("(6)"), "\(text)")
    let refused = try await Tool.run(["why", "results", file.path, "-o", "why.json"], in: folder.url)
    #expect(refused.status == 64)
  }

  /// A handler that sends to an emitter which has no subscribers; two modules have a file of one name.
  private func sending(at time: Double, _ values: Int, isTraced: Bool = true) -> Data {
    let sent = #",{"source":2,"target":3,"kind":"feedback","count":\#(values)}"#
    return Data(
      #"""
      {"version":1,"process":{"name":"App","pid":1,"startedAt":0},"takenAt":\#(time),
      "definitions":[{"id":1,"kind":"emitter","behavior":["sendsUnasked","of another version"],"fileID":"A/Feed.swift","line":1,"function":"f()"},
      {"id":2,"kind":"subscribe","behavior":["subscribes"],"fileID":"A/Keys.swift","line":2,"function":"f()"},
      {"id":3,"kind":"emitter","behavior":["sendsUnasked","of another version"],"fileID":"B/Feed.swift","line":1,"function":"f()"}],
      "nodes":[{"id":1,"definition":1,"name":"keys","state":"live","valueCount":\#(values),"findings":[]},
      {"id":2,"definition":2,"state":"live","valueCount":\#(values),"findings":[]},
      {"id":3,"definition":3,"name":"results","state":"live","valueCount":\#(values),"findings":[]}],
      "edges":[{"source":1,"target":2,"kind":"data"}\#(isTraced ? sent : "")]}
      """#.utf8)
  }

  @Test func whatAHandlerSendsIsDrawn() async throws {
    let folder = try TemporaryFolder()
    try sending(at: 1, 3).write(to: folder.file("graph.json"))
    for place in ["results", "subscribe"] {
      let result = try await Tool.run(["why", place, "graph.json", "-o", "why.dot"], in: folder.url)
      #expect(result.status == 0, "\(result)")
      let dot = try String(contentsOf: folder.file("why.dot"), encoding: .utf8)
      #expect(dot.contains("n2 -> n3 [") && dot.contains("n2_n3_feedback"), "\(dot)")
    }
    // The shortest that is unambiguous, in the text and in the picture.
    let text = try await Tool.run(["why", "results", "graph.json"], in: folder.url).output
    #expect(
      text == """
        B/Feed.swift:1: `results` fired: 3 values came, sent to `results` by the program
          `results`  sent 3 values
            sent to by the handler at Keys.swift:2, 3 times since handlers are profiled

        """, "\(text)")
  }

  @Test func aDifferenceDrawsWhatHandlersSentWhileTheyWereTraced() async throws {
    let folder = try TemporaryFolder()
    try sending(at: 1, 3).write(to: folder.file("before.json"))
    try sending(at: 2, 5, isTraced: false).write(to: folder.file("now.json"))
    let result = try await Tool.run(["diff", "before.json", "now.json", "-o", "diff.dot"], in: folder.url)
    #expect(result.status == 0 && result.output.contains(" B/Feed.swift:1\n"), "\(result)")
    #expect(try String(contentsOf: folder.file("diff.dot"), encoding: .utf8).contains("n2_n3_feedback"))
  }

  @Test(arguments: [
    (["why", "results", "graph.json", "-o", "-"], "-o needs a file: the report goes to the standard output."),
    (["check", "graph.json", "-o", "-"], "-o needs a file: the report goes to the standard output."),
    (["why", "results", "graph.json", "-o", "why.json"], "--json prints the answer as JSON."),
    (["why", "results", "graph.json", "-o", "why"], "use one of svg, png, pdf, dot, mmd."),
    (["list", "--dead", "--for", "1s"], "--dead lists those that do not."),
  ]) func whatCannotBeIsRefused(arguments: [String], words: String) async throws {
    let folder = try TemporaryFolder()
    try sending(at: 1, 3).write(to: folder.file("graph.json"))
    let result = try await Tool.run(arguments, in: folder.url)
    #expect(result.status == 64 && result.errors.contains(words), "\(result)")
  }

  @Test func inputsAtOnePlaceAreToldTogether() async throws {
    let folder = try TemporaryFolder()
    let (definition, node) = (
      { (id: Int, kind: String) in
        #"{"id":\#(id),"kind":"\#(kind)","fileID":"A/Feed.swift","line":\#(id),"function":"f()"}"#
      },
      { (id: Int, definition: Int, values: Int) in
        #"{"id":\#(id),"definition":\#(definition),"state":"live","valueCount":\#(values),"findings":[]}"#
      }
    )
    let text = #"""
      {"version":1,"process":{"name":"App","pid":1,"startedAt":0},"takenAt":1,"definitions":[\#(definition(1, "emitter")),
      \#(definition(2, "interval")),\#(definition(3, "flatMap"))],"nodes":[\#(node(1, 1, 4)),\#(node(2, 2, 5)),\#(node(3, 2, 6)),
      \#(node(4, 2, 7)),\#(node(5, 3, 18))],"edges":[{"source":1,"target":5,"kind":"data"},
      {"source":2,"target":5,"kind":"inner"},{"source":3,"target":5,"kind":"inner"},{"source":4,"target":5,"kind":"inner"}]}
      """#
    try Data(text.utf8).write(to: folder.file("graph.json"))
    let result = try await Tool.run(["why", "5", "graph.json"], in: folder.url)
    #expect(
      result.output == """
        Feed.swift:3: `flatMap` fired: 18 values came from 3 times `interval` at Feed.swift:2 (sent 18), `emitter` at Feed.swift:1 (sent 4)
          `flatMap`  gave 18 values
            another input is `emitter`: it sent 4 values, 4 in all
            2 inner signals are `interval`: they sent 11 values, 11 in all
          `interval`  sent 7 values

        """, "\(result)")
  }

  @Test func numbersThatMakeNoSense() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("graph.json")
    let text = Self.search
      .replacingOccurrences(of: #""at":101.6,"#, with: #""at":-1e300,"#)
      .replacingOccurrences(of: #""parent":811"#, with: #""parent":812"#)
      .replacingOccurrences(of: #""thread":"main"}]}],"#, with: #""thread":"\u001b[31m\nmain"}]}],"#)
    try Data(text.utf8).write(to: file)
    let result = try await Tool.run(["why", "results", file.path], in: folder.url)
    #expect(result.status == 0, "\(result)")
    #expect(!result.output.contains("\u{1b}"))
  }
}
