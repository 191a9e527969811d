import SampleGraphs
import SignalGraph
import Testing

@testable import SignalPicture

@Suite struct GraphTextTests {
  /// Else what lies side by side looks joined.
  @Test(arguments: [3, 30]) func chainsThatAreNotConnectedAreFurtherApartThanRanks(length: Int) throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    for line in 0..<3 { graph.chain((0..<(line == 0 ? length : 3)).map { graph.add("map", line: 10 * line + $0) }) }
    let dot = try graph.snapshot.dot(options: DrawingOptions(bundlesFrom: nil))
    let ranks = try #require(dot.firstMatch(of: /ranksep="([0-9.]+)"/).flatMap { Double($0.1) })
    let packing = try #require(dot.firstMatch(of: /pack="([0-9]+)"/).flatMap { Double($0.1) })
    // In inches, and in points.
    #expect(packing >= 1.5 * 72 * ranks, "\(packing), \(ranks)")
  }

  @Test func lastValuesAreInBoxes() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    graph.chain([graph.add("emitter", line: 1), graph.add("map", line: 2)])
    var snapshot = graph.snapshot
    snapshot.nodes[1].lastValue = "<42>"
    #expect(try snapshot.dot().contains("last value &lt;42&gt;</FONT>"))
    #expect(try !graph.snapshot.dot().contains("last value"))
  }

  @Test func whatIsSaidOfTheWholeHasNoNumber() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    graph.add("emitter", line: 1)
    var options = DrawingOptions()
    options.headings = ["it <fired>"]
    options.notice = PictureNotice("Too small: write x.svg", points: 40)
    let dot = try graph.snapshot.dot(options: options)
    #expect(dot.contains("<B>it &lt;fired&gt;</B>"))
    #expect(dot.contains("POINT-SIZE=\"40\"") && dot.contains("<B>Too small: write x.svg</B>"))
    #expect(!dot.contains("<B>1</B>"))
    #expect(try graph.snapshot.mermaid(options: options).contains("<b>it #60;fired#62;</b>"))
  }

  @Test func goldenDOT() throws {
    try GoldenFile.check(SampleGraphs.searchBox.dot(), name: "search-box.dot")
    try GoldenFile.check(
      SampleGraphs.searchBox.dot(options: DrawingOptions(direction: .right, clustersByFile: true, showsLegend: false)),
      name: "search-box-clusters.dot")
  }

  @Test func goldenMermaid() throws {
    try GoldenFile.check(SampleGraphs.searchBox.mermaid(), name: "search-box.mmd")
  }

  @Test(arguments: SampleGraphs.Shape.allCases, [1, 2, 3] as [UInt64])
  func theOrderOfNodesDoesNotMatter(shape: SampleGraphs.Shape, seed: UInt64) throws {
    let graph = SampleGraphs.large(shape, count: 400)
    let other = SampleGraphs.shuffled(graph, seed: seed)
    #expect(graph != other)
    let options = DrawingOptions(clustersByFile: true, foldsLinearRuns: true)
    #expect(try graph.dot(options: options) == other.dot(options: options))
    #expect(try graph.mermaid(options: options) == other.mermaid(options: options))
  }

  @Test func whatIsSampledHasALineOfItsOwn() throws {
    var graph = SampleBuilder(name: "App", pid: 1)
    let (clicks, text) = (graph.add("emitter", line: 1), graph.add("property", line: 2))
    let join = graph.add("withLatest(from:)", line: 3)
    graph.connect(clicks, join)
    graph.connect(text, join, .sampled)
    let dot = try graph.snapshot.dot()
    #expect(
      dot.contains("arrowhead=\"odot\", class=\"sampled\", color=\"#1B2733\", id=\"n2_n3_sampled\", style=\"dashed\""))
    #expect(dot.contains("kept until asked for"))
    #expect(try graph.snapshot.mermaid().contains("-. sampled .->"))
    // Each kind is told apart by more than its colour.
    let looks = Edge.Kind.allCases.map { PictureStyle.stroke($0) }
    #expect(Set(looks.map { "\($0.style) \($0.arrow) \($0.doubled)" }).count == looks.count)
    #expect(Set(looks.map(\.mermaid)).count == looks.count)
  }

  @Test func ratesAreSaid() throws {
    var graph = SampleBuilder(name: "App", pid: 1).snapshot
    graph.definitions = [Definition(id: 1, kind: "emitter", fileID: "A.swift", line: 1, function: "f()")]
    graph.nodes = zip([1_234.5, 0.25, 0.01, 9.99, 12, 0, nil], 1...).map { rate, id in
      Node(id: id, definition: 1, valueCount: 2_000, rate: rate, findings: id == 1 ? [.hot] : id == 6 ? [.idle] : [])
    }
    let dot = try graph.dot(options: DrawingOptions(bundlesFrom: nil))
    for words in [", 1,235/s<", ", 0.3/s<", ", 10/s<", ", 12/s<"] { #expect(dot.contains(words), "\(words)") }
    #expect(dot.ranges(of: "values<").count == 3)
    #expect(dot.contains("<B>hot</B>") && dot.contains("<B>idle</B>"))
  }

  @Test func aPropertyCountsItsChanges() throws {
    var graph = SampleBuilder(name: "App", pid: 1)
    graph.chain([graph.add("property", line: 1, values: 1), graph.add("subscribe", line: 2, values: 2)])
    let dot = try graph.snapshot.dot()
    #expect(dot.contains("1 change<") && dot.contains("2 values<"))
    // What stands for a whole file counts values.
    var file = try GraphPicture(of: graph.snapshot)
    file.collapseByFile()
    #expect(HTMLLabel.label(of: file.boxes[0]).contains("3 values<"))
  }

  @Test func whatNodesWorkOnIsSaid() throws {
    var graph = SampleBuilder(name: "App", pid: 1).snapshot
    graph.definitions = [
      Definition(id: 1, kind: "delay", fileID: "A.swift", line: 1, function: "f()"),
      Definition(id: 2, kind: "receive(on:)", fileID: "A.swift", line: 2, function: "f()"),
      Definition(id: 3, kind: "map", fileID: "A.swift", line: 3, function: "f()"),
    ]
    graph.nodes = [
      Node(id: 1, definition: 1, scheduler: "main", interval: 0.3),
      Node(id: 2, definition: 2, scheduler: "a<b>"), Node(id: 3, definition: 3),
    ]
    let dot = try graph.dot()
    #expect(dot.contains(">on main<") && dot.contains(">on a&lt;b&gt;<"))
    #expect(dot.ranges(of: ">on ").count == 2)
    #expect(dot.contains("works on main, with an interval of 0.3 s"))
    // Numbers are for those of one name.
    graph.nodes[0].scheduler = "qos.utility #7"
    #expect(try graph.dot().contains(">on utility queue<"))
    #expect(try graph.dot().contains("works on utility queue"))
    graph.nodes[1].scheduler = "qos.utility"
    let both = try graph.dot()
    #expect(both.contains(">on utility queue 7<") && both.contains(">on utility queue 1<"))
    graph.nodes[1].scheduler = "qos.userInitiated #2"
    #expect(try graph.dot().contains(">on user-initiated queue<"))
    graph.nodes[1].scheduler = "my queue #x"
    #expect(try graph.dot().contains(">on my queue #x<"))
    // Copies may work on different ones.
    graph.nodes = (1...4).map { Node(id: $0, definition: 1, scheduler: "queue \($0)") }
    #expect(!(try graph.dot()).contains(">on "))
  }

  @Test func valuesThatWaitAreSaid() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    for index in 0..<4 {
      graph.chain([
        graph.add("emitter", line: 1, values: 1, waiting: index < 3 ? 1_000 : 0), graph.add("subscribe", line: 2),
      ])
    }
    func texts(_ options: DrawingOptions) throws -> [String] {
      [try graph.snapshot.dot(options: options), try graph.snapshot.mermaid(options: options)]
    }
    for text in try texts(DrawingOptions()) { #expect(text.ranges(of: "3,000 waiting").count == 1) }
    for text in try texts(DrawingOptions(foldsLinearRuns: true)) {
      #expect(text.ranges(of: "3,000 waiting").count == 1)
    }
    for text in try texts(DrawingOptions(bundlesFrom: nil)) { #expect(text.ranges(of: "1,000 waiting").count == 3) }
  }

  @Test func valuesThatWereDroppedAreSaid() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    for index in 0..<4 {
      graph.chain([
        graph.add("buffer", line: 1, values: 1, dropped: index < 3 ? 1_000 : 0), graph.add("subscribe", line: 2),
      ])
    }
    func texts(_ options: DrawingOptions) throws -> [String] {
      [try graph.snapshot.dot(options: options), try graph.snapshot.mermaid(options: options)]
    }
    for text in try texts(DrawingOptions()) { #expect(text.ranges(of: "3,000 dropped").count == 1) }
    for text in try texts(DrawingOptions(bundlesFrom: nil)) { #expect(text.ranges(of: "1,000 dropped").count == 3) }
  }

  @Test func nothingOfTheProgramIsSyntax() throws {
    var graph = SampleBuilder(name: "a\"]; evil [b\u{1B}[31m", pid: 1)
    graph.add("<b>&\\N\"", "x\\\" ]\u{0}\n\u{202E}`y`", file: "A\"/B<.swift", line: 1, owner: "\"\\")
    let dot = try graph.snapshot.dot(options: DrawingOptions(clustersByFile: true))
    #expect(dot.contains("<B>&lt;b&gt;&amp;\\\\N&quot;</B>"))
    #expect(dot.contains(#"owner: \"\\"#))
    let mermaid = try graph.snapshot.mermaid()
    #expect(!mermaid.contains("`") && !mermaid.contains("a\"]"))
    for text in [dot, mermaid] {
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
      #expect(!text.unicodeScalars.contains("\u{202E}"))
    }
  }

  @Test func linksAreSafe() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    graph.add("map", file: "A/\"><script>.swift", line: 7)
    let link = try SourceLink(pattern: "https://example.com/{file}?a=1&b=\"<#L{line}")
    let dot = try graph.snapshot.dot(options: DrawingOptions(sourceLink: link))
    #expect(dot.contains("https://example.com/A/%22%3E%3Cscript%3E.swift?a=1&amp;b=%22%3C#L7"))
    let byPath = try SourceLink(pattern: "https://example.com/{path}{x}#L{line}")
    var known = byPath
    known.paths = ["A/\"><script>.swift": "Sources/A/a b.swift"]
    #expect(
      try graph.snapshot.dot(options: DrawingOptions(sourceLink: known)).contains("/Sources/A/a%20b.swift%7Bx%7D#L7"))
    #expect(try !graph.snapshot.dot(options: DrawingOptions(sourceLink: byPath)).contains("URL="))
    for pattern in ["javascript:{file}", "data:text/html,{file}", "https://example.com/", "{file}", ""] {
      #expect(throws: SourceLink.PatternError.self) { try SourceLink(pattern: pattern) }
    }
  }
}
