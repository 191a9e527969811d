import Foundation
import SampleGraphs
import SignalGraph
import SignalPicture
import SignalRendering
import Testing

@Suite("SVG for people and programs") struct SVGForPeopleTests {
  private func picture(_ graph: GraphSnapshot, _ options: DrawingOptions = DrawingOptions()) throws -> SVGElement {
    try .read(graph.rendered(as: .svg, options: options))
  }

  @Test func theWholeHasATitleAndADescription() throws {
    var options = DrawingOptions(showsEnded: false)
    options.headings = ["it fired"]
    options.marks = [PictureMark(nodes: [1], words: "leaks", place: "A.swift:1", remedy: "keep it", isError: true)]
    let root = try picture(SampleGraphs.searchBox, options)
    #expect(root["role"] == "graphics-document document")
    #expect(root["aria-labelledby"] == root.child("title")?["id"])
    #expect(root["aria-describedby"] == root.child("desc")?["id"])
    #expect(root.child("title")?.words == "Signals of SearchBox")
    let description = try #require(root.child("desc")?.words)
    for part in [
      "pid 4242", "17 live nodes, 3 ended", "2 ended not drawn", "connections", "it fired",
      "1: leaks; A.swift:1; keep it",
    ] {
      #expect(description.contains(part), "\(part) in \(description)")
    }
  }

  @Test func boxesAreToldInWords() throws {
    let root = try picture(SampleGraphs.searchBox)
    func label(_ id: String) -> String? { root.all.first { $0["id"] == id }?["aria-label"] }
    #expect(label("n1") == "emitter “keystrokes”, SearchBox.swift line 18, 1,204 values, live")
    #expect(label("n8") == "fromTask “fetch page”, Results.swift line 12, 0 values, failed: timed out after 5 s")
    #expect(label("n17") == "map, SearchBox.swift line 52, 3 values, live, leaked")
    let boxes = root.all("node")
    #expect(boxes.count == 20)
    #expect(boxes.allSatisfy { $0["role"] == "graphics-symbol" })
    #expect(boxes.allSatisfy { $0.child("title")?.words.isEmpty == false && $0.child("a") == nil })
    let first = try #require(boxes.first { $0["id"] == "n1" })
    #expect(first["data-kind"] == "emitter" && first["data-file"] == "SearchBox/SearchBox.swift")
    #expect(first["data-line"] == "18" && first["data-values"] == "1204" && first["data-name"] == "keystrokes")
    #expect(first["class"] == "node live" && first["data-state"] == "live")
    #expect(
      first.child("title")?.words == "emitter “keystrokes”  SearchBox.swift:18\n#1, in start()\n1,204 values")
  }

  @Test func manyAreToldAsMany() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    for index in 0..<4 {
      let node = graph.add("map", line: 2, values: 10, waiting: 500)
      graph.connect(graph.add("emitter", line: 1, values: 10), node)
      graph.connect(node, graph.add("subscribe", "s", line: 3, values: index == 0 ? 1 : 10))
    }
    let bundled = try picture(graph.snapshot).all("node").compactMap { $0["aria-label"] }
    #expect(bundled.contains("4 times map, Feed.swift line 2, 40 values, 2,000 waiting, live"), "\(bundled)")
    let folded = try picture(graph.snapshot, DrawingOptions(foldsLinearRuns: true)).all("node")
      .compactMap { $0["aria-label"] }
    #expect(
      folded == [
        "4 times emitter, then map, then subscribe “s”, Feed.swift line 1, 31 values, 2,000 waiting, live"
      ])
  }

  @Test func linksAreToldInWords() throws {
    let root = try picture(SampleGraphs.searchBox)
    let edges = root.all("edge")
    #expect(edges.allSatisfy { $0["role"] == "graphics-symbol" && $0.child("title")?.words == $0["aria-label"] })
    let hop = try #require(edges.first { $0["id"] == "n6_n9_hop" })
    #expect(hop["aria-label"] == "scheduler hop, from requests to parser queue")
    #expect(hop["data-source"] == "n6" && hop["data-target"] == "n9" && hop["data-kind"] == "hop")
    #expect(edges.contains { $0["aria-label"]?.hasPrefix("inner subscription, from fetch page to requests") == true })
  }

  @Test func framesAreToldInWords() throws {
    let frames = try picture(SampleGraphs.searchBox, DrawingOptions(clustersByFile: true)).all("cluster")
    #expect(Set(frames.map { $0["aria-label"] }) == ["File SearchBox/Results.swift", "File SearchBox/SearchBox.swift"])
    #expect(frames.allSatisfy { $0["role"] == "group" })
  }

  /// A symbol's contents are hidden from who listens, so what has a link in it is an object.
  @Test func linksToTheSourceCanBeReached() throws {
    let link = try SourceLink(pattern: "https://example.com/{file}?a=1&b#L{line}")
    let root = try picture(SampleGraphs.searchBox, DrawingOptions(sourceLink: link))
    for box in root.all("node") {
      #expect(box["role"] == "graphics-object" && box["aria-label"] != nil)
      let place = try #require(box.child("a"))
      #expect(place["aria-label"]?.hasPrefix("Open ") == true && place["xlink:title"] == nil)
    }
    let first = root.all("node").first { $0["id"] == "n1" }?.child("a")
    #expect(first?["xlink:href"] == "https://example.com/SearchBox/SearchBox.swift?a=1&b#L18")
    #expect(first?["aria-label"] == "Open SearchBox.swift:18")
  }

  /// They belong to nodes and definitions, not to where something stands in the file.
  @Test func idsAreThoseOfTheNodes() throws {
    let graph = SampleGraphs.searchBox
    let ids = try Set(picture(graph).all.compactMap { $0["id"] })
    let shuffled = try Set(picture(SampleGraphs.shuffled(graph, seed: 3)).all.compactMap { $0["id"] })
    #expect(ids == shuffled && ids.isSuperset(of: ["graph", "n1", "n20", "n1_n2_data"]))
    var fewer = graph
    fewer.nodes.removeAll { $0.id == 3 }
    fewer.edges.removeAll { $0.source == 3 || $0.target == 3 }
    let others = try Set(picture(fewer).all.compactMap { $0["id"] })
    #expect(others.isSubset(of: ids) && others.contains("n20"))
    #expect(!ids.contains { $0.hasPrefix("node") || $0.hasPrefix("edge") || $0.hasPrefix("a_") })
  }

  /// Text on its ground, in both themes.
  @Test(arguments: [false, true]) func lettersCanBeRead(isDark: Bool) throws {
    var options = DrawingOptions(clustersByFile: true, bundlesFrom: nil)
    options.marks = [true, false].map {
      PictureMark(nodes: [1, 2], words: "said", place: "A.swift:1", remedy: "do", isError: $0)
    }
    options.changes = [3: .new, 4: .gone, 17: .new]
    options.notice = PictureNotice("too small", points: 12)
    let root = try picture(Self.everyLook, options)
    let sheet = SVGStyle(root.all.first { $0.name == "style" }?.words ?? "")
    let looks = SVGLooks(root, sheet: sheet, isDark: isDark)
    #expect(looks.texts.count > 100)
    for text in looks.texts where !text.words.allSatisfy(\.isWhitespace) {
      let contrast = text.letters.contrast(with: text.ground)
      #expect(contrast >= 4.5, "“\(text.words)” has \(contrast): \(text.letters) on \(text.ground)")
    }
    // And what is painted in the dark is dark.
    #expect(looks.texts.allSatisfy { ($0.ground.luminance < 0.45) == isDark || $0.words.contains(/^\d+$/) })
  }

  @Test func darkIsForScreensOnly() throws {
    let style = try picture(SampleGraphs.searchBox).all.first { $0.name == "style" }?.words ?? ""
    #expect(style.contains("@media screen and (prefers-color-scheme:dark)"))
    #expect(style.ranges(of: "@media").count == 1)
    // Nothing outside the picture is touched where it stands in a page.
    for rule in style.split(separator: "\n") where rule.contains("{") && !rule.hasPrefix("@media") {
      #expect(rule.hasPrefix(".signals ") || rule.hasPrefix("svg.signals:root"), "\(rule)")
    }
  }

  /// A colour that the style sheet does not know would stay as it is on dark ground.
  @Test func everyColourHasOneForDarkGround() throws {
    let root = try picture(Self.everyLook, DrawingOptions(clustersByFile: true))
    let sheet = SVGStyle(root.all.first { $0.name == "style" }?.words ?? "")
    for property in ["fill", "stroke"] {
      for colour in Set(root.all.compactMap { $0[property] }) where !["none", "transparent"].contains(colour) {
        #expect(sheet.dark(property, colour) != nil, "\(property) \(colour)")
      }
    }
    // Without a colour they are black.
    #expect(root.all.contains { $0.words == "× 3" })
    #expect(root.all.allSatisfy { $0.name != "text" || $0["fill"] != nil })
  }

  /// Each state, finding, kind of link, and change.
  private static var everyLook: GraphSnapshot {
    var graph = SampleGraphs.searchBox
    graph.nodes[4].waiting = 5
    graph.nodes[5].dropped = 7
    graph.nodes[6].findings = [.idle]
    graph.nodes[7].findings = [.leaked]
    graph.nodes[0].scheduler = "main"
    graph.nodes[0].lastValue = "a"
    // A link that has its number itself.
    graph.edges += Array(repeating: Edge(source: 15, target: 14), count: 3)
    for (index, kind) in Edge.Kind.allCases.enumerated() {
      graph.edges.append(Edge(source: 14, target: UInt64(1 + index), kind: kind))
    }
    return graph
  }
}
