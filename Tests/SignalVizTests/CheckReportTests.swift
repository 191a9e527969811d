import Foundation
import SampleGraphs
import SignalFindings
import SignalGraph
import SignalPicture
import Testing

@testable import signal_viz

@Suite("What check says") struct CheckReportTests {
  private func finding(
    _ message: String = "12 subscriptions live", rule: String = "growth", line: Int = 7,
    file: String = "App/Feed.swift",
    function: String = "open()", severity: Finding.Severity = .warning, related: [Finding.Related] = []
  ) -> Finding {
    Finding(
      rule: rule, severity: severity, place: Place(fileID: file, line: line, function: function), message: message,
      remedy: "end them", related: related)
  }

  private func report(_ findings: [Finding], known: Int = 0) throws -> CheckReport {
    var report = try CheckReport(of: GraphPair(now: SampleGraphs.searchBox), where: { _ in false })
    report.findings = findings.map(\.displayable)
    report.knownCount = known
    report.watchedSeconds = 2
    return report
  }

  private let nowhere = SourceFolder("/nowhere")

  @Test func textIsThatOfCompilers() throws {
    let related = [Finding.Related("the source", at: Place(fileID: "App/Store.swift", line: 3))]
    let text = try report([
      finding("it\nleaks\u{1B}[31m\u{202E}", rule: "leak", severity: .error, related: related), finding(),
    ]).text(sources: nowhere)
    #expect(
      text == """
        App/Feed.swift:7: error: it leaks[31m (leak)
          App/Store.swift:3: note: the source
          note: end them
        App/Feed.swift:7: warning: 12 subscriptions live (growth)
          note: end them
        1 error, 1 warning in SearchBox (pid 4242), watched for 2 s, 17 live nodes, 3 ended.

        """)
  }

  @Test func theLastLineCounts() throws {
    #expect(
      try report([]).summary
        == "Nothing found in SearchBox (pid 4242), watched for 2 s, 17 live nodes, 3 ended. Some faults show later: try --for 10s."
    )
    #expect(
      try report([], known: 3).summary
        == "Nothing new found in SearchBox (pid 4242), watched for 2 s, 17 live nodes, 3 ended, 3 known.")
    var one = try report([finding(), finding()])
    one.watchedSeconds = 0
    #expect(one.summary == "2 warnings in SearchBox (pid 4242), one snapshot, 17 live nodes, 3 ended.")
  }

  @Test func jsonHasTheKeysThatAreDocumented() throws {
    let json = try report([finding()]).json(sources: nowhere)
    let text = String(decoding: json, as: UTF8.self)
    #expect(try report([finding()]).json(sources: nowhere) == json)
    let form = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(
      form.keys.sorted() == [
        "findings", "knownCount", "liveNodeCount", "nodeCount", "program", "version", "watchedSeconds",
      ], "\(text)")
    let entry = try #require((form["findings"] as? [[String: Any]])?.first)
    #expect(
      entry.keys.sorted() == [
        "fingerprint", "message", "nodes", "place", "related", "remedy", "rule", "severity",
      ])
    #expect((form["program"] as? [String: Any])?.keys.sorted() == ["name", "pid", "startedAt"])
  }

  @Test func sarifHasTheFormOfTheSpecification() throws {
    let related = [Finding.Related("the [source](there)", at: Place(fileID: "App/Über uns.swift", line: 0))]
    let found = [finding("it ends with {0}", rule: "leak", severity: .error, related: related), finding()]
    let json = try report(found).sarif(sources: nowhere)
    let text = String(decoding: json, as: UTF8.self)
    #expect(try SARIFForm.problems(in: json) == [], "\(text)")
    #expect(text.contains("It ends with {{0}}."))
    #expect(text.contains(#"The \\[source\\](there)."#))
    #expect(text.contains("App/%C3%9Cber%20uns.swift"))
    let none = try report([]).sarif(sources: nowhere)
    #expect(try SARIFForm.problems(in: none) == [])
    #expect(String(decoding: none, as: UTF8.self).contains(#""results" : ["#))
  }

  @Test(arguments: ["/etc/passwd", "../../etc/passwd", "App/../../etc/passwd", "//etc/./passwd"])
  func sarifDoesNotLeadOutOfTheSources(file: String) throws {
    let json = try report([finding(file: file)]).sarif(sources: nowhere)
    #expect(try SARIFForm.problems(in: json) == [])
    let text = String(decoding: json, as: UTF8.self)
    #expect(text.contains("etc/passwd\"") && !text.contains("\"/etc") && !text.contains("../"), "\(text)")
  }

  @Test func theCheckOfSARIFSeesWhatIsMissing() throws {
    let text = String(decoding: try report([finding()]).sarif(sources: nowhere), as: UTF8.self)
    func problems(_ old: String, _ new: String) throws -> [String] {
      let changed = text.replacing(old, with: new)
      #expect(changed != text)
      return try SARIFForm.problems(in: Data(changed.utf8))
    }
    #expect(try problems("\"version\" : \"2.1.0\"", "\"version\" : \"2\"") != [])
    #expect(try problems("\"level\"", "\"severity\"") != [])
    #expect(try problems("\"ruleIndex\" : ", "\"ruleIndex\" : 9") != [])
    #expect(try problems("\"startLine\" : 7", "\"startLine\" : 0") != [])
    #expect(try problems("App/Feed.swift", "App/My Feed.swift") != [])
  }

  @Test func fingerprintsStayWhenLinesAndWordsChange() {
    let one = Fingerprint(of: finding("2 of 1,204 live for 2.5 s"))
    #expect(one == Fingerprint(of: finding("31 of 7 live for 10 s; one has waited for 3 ms", line: 99)))
    #expect(one.digest == Fingerprint(of: finding("each of 7 lives for 10 s", line: 99)).digest)
    let others = [
      finding("2 of 1 live for 2 s", rule: "leak"), finding("2 of 1 live for 2 s", file: "App/Other.swift"),
      finding("2 of 1 live for 2 s", function: "close()"),
    ].map { Fingerprint(of: $0) }
    #expect(!others.contains(one))
    #expect(Set(others.map(\.digest) + [one.digest]).count == 4)
    // Files of other people hold these digits: they may not change.
    #expect(Fingerprint(of: finding()).digest == "7ec1c61117bf33d2")
  }

  /// The same fault on another day: its figures, its times and the text of its error are others.
  @Test(arguments: [
    ("40 values wait, 21 more; one has waited for 812 ms", "99 values wait, 50 more"),
    ("ended with a failure: 0x7f31c0a2 at 6BA7B810-9DAD", "ended with a failure: 0x55aa0001 at 1B4E28BA-2FA1"),
    ("each of the last 19 ended", "18 of the last 19 ended"), ("this subscription lives", "4 subscriptions live"),
  ])
  func aBaselineKnowsTheFaultOfAnotherRun(monday: String, tuesday: String) {
    #expect(Baseline([finding(monday)]).newFindings(among: [finding(tuesday)]) == [])
    #expect(Baseline([finding(monday)]).newFindings(among: [finding(tuesday, rule: "leak")]).count == 1)
  }

  @Test func aBaselineStandsForAsManyFindingsAsItHas() {
    let known = finding("this subscription lives", rule: "leak")
    let baseline = Baseline([known])
    #expect(baseline.newFindings(among: [finding("this subscription lives", rule: "leak", line: 50)]) == [])
    let two = [finding("this subscription lives", rule: "leak", line: 3), known]
    #expect(baseline.newFindings(among: two) == [two[0]], "the one at the known line is the known one")
    #expect(baseline.newFindings(among: [two[0], two[0]]) == [two[0]])
    #expect(baseline.newFindings(among: [finding("4 subscriptions live", rule: "leak", file: "A/B.swift")]).count == 1)
    #expect(Baseline([]).newFindings(among: two) == two)
  }

  @Test(arguments: [
    ("10s", 10.0), ("500ms", 0.5), ("2m", 120), ("1h", 3_600), ("3", 3), ("0.25", 0.25), ("0", 0), ("86400", 86_400),
  ])
  func timesAreRead(text: String, seconds: Double) {
    #expect(WatchTime(argument: text)?.seconds == seconds)
  }

  @Test(arguments: ["", "s", "-1s", "1d", "1e3", "nan", "inf", "0x1", "1.2.3", "25h", "1 s", ".5", "٣"])
  func whatIsNoTimeIsRefused(text: String) {
    #expect(WatchTime(argument: text) == nil)
  }

  @Test func timesAreTold() {
    #expect(
      [2, 0.5, 10.04, 0, 86_400].map { WatchTime(seconds: $0).words } == ["2 s", "0.5 s", "10 s", "0 s", "86400 s"])
  }

  @Test func allNodesOfAFindingAreDrawn() throws {
    var graph = SampleBuilder(name: "App", pid: 1)
    let source = graph.add("emitter", "source", file: "App/Feed.swift", line: 1)
    let subscribers = (0..<259).map { _ in graph.add("subscribe", file: "App/Feed.swift", line: 7) }
    for subscriber in subscribers { graph.connect(source, subscriber) }
    let found = Finding(
      rule: "growth", severity: .warning, place: Place(fileID: "App/Feed.swift", line: 7), message: "259 are live",
      remedy: "", nodes: subscribers)
    let picture = FindingsPicture(of: [found], in: graph.snapshot) { _ in "" }
    #expect(picture.part.nodes.count == 260)
    #expect(try picture.part.dot(options: picture.options).contains("× 259"))
  }

  @Test func aSourceIsDrawnWithThoseThatUseIt() {
    var graph = SampleBuilder(name: "App", pid: 1)
    let source = graph.add("interval", file: "App/Feed.swift", line: 1)
    let map = graph.add("map", file: "App/Feed.swift", line: 2)
    let end = graph.add("subscribe", file: "App/Feed.swift", line: 3)
    let other = graph.add("emitter", file: "App/Feed.swift", line: 4)
    let otherEnd = graph.add("subscribe", file: "App/Feed.swift", line: 5)
    graph.connect(source, map)
    graph.connect(map, end)
    graph.connect(other, otherEnd)
    let found = Finding(
      rule: "repeated-source", severity: .warning, place: Place(fileID: "App/Feed.swift", line: 1), message: "",
      remedy: "", nodes: [source])
    let picture = FindingsPicture(of: [found], in: graph.snapshot) { _ in "" }
    #expect(picture.part.nodes.map(\.id) == [source, map, end])
  }

  @Test func thePictureHasWhatFeedsTheNodesOfFindings() {
    var graph = SampleBuilder(name: "P", pid: 1)
    let source = graph.add("emitter", line: 1)
    let (left, right) = (graph.add("map", line: 2), graph.add("map", line: 3))
    let end = graph.add("subscribe", line: 4)
    graph.chain([source, left, end])
    graph.connect(source, right)
    // A ring above is followed once.
    graph.connect(left, source)
    var found = finding()
    found.nodes = [end, 77]
    let picture = FindingsPicture(of: [found], in: graph.snapshot) { "\($0.fileID):\($0.line)" }
    #expect(picture.part.nodes.map(\.id) == [source, left, end])
    #expect(picture.options.marks.map(\.words) == ["12 subscriptions live (growth)"])
    #expect(picture.options.marks.map(\.place) == ["App/Feed.swift:7"])
    let many = (0..<90).map { finding("\($0) live", severity: $0 == 89 ? .error : .warning) }
    let marks = FindingsPicture(of: many, in: graph.snapshot) { _ in "" }.options.marks
    #expect(marks.count == 41 && marks[0].words == "89 live (growth)")
    #expect(marks.last?.words == "50 more findings are not drawn")
    found.nodes = [77]
    let gone = FindingsPicture(of: [found], in: graph.snapshot) { "\($0.fileID):\($0.line)" }
    #expect(gone.options.marks.map(\.place) == ["App/Feed.swift:7 (not drawn: it has ended, and is not kept)"])
  }
}

extension GraphPair {
  /// Graphs that are at hand.
  init(_ before: GraphSnapshot? = nil, now: GraphSnapshot) throws {
    let folder = try TemporaryFolder()
    var files: [String] = []
    for (index, graph) in [before, now].compactMap({ $0 }).enumerated() {
      try graph.json().write(to: folder.file("\(index).json"))
      files.append(folder.file("\(index).json").path)
    }
    self = try withExtendedLifetime(folder) { try GraphPair(files: files) }
  }
}
