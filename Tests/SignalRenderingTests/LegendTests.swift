import SampleGraphs
import SignalGraph
import SignalPicture
import SignalRendering
import Testing

/// Graphviz gives a table all the room that there is. The legend and the numbers stay as they are.
@Suite("The legend and the numbers of marks") struct LegendTests {
  private struct Size: Hashable {
    var width: Double
    var height: Double
  }

  /// How large the shapes of a colour are, in what stands above the graph or in the boxes.
  private func sizes(_ root: SVGElement, fill: String, inBoxes: Bool) -> [Size] {
    let boxes = root.all("node").flatMap(\.all)
    let all = inBoxes ? boxes : root.all.filter { element in !boxes.contains { $0 === element } }
    return all.filter { $0["fill"] == fill }.compactMap { $0["points"] }.map { points in
      let numbers = points.matches(of: /-?[0-9.]+/).compactMap { Double($0.output) }
      let (xs, ys) = (stride(from: 0, to: numbers.count, by: 2), stride(from: 1, to: numbers.count, by: 2))
      let (x, y) = (xs.map { numbers[$0] }, ys.map { numbers[$0] })
      return Size(width: (x.max() ?? 0) - (x.min() ?? 0), height: (y.max() ?? 0) - (y.min() ?? 0))
    }
  }

  private func picture(_ words: [String], _ heading: String) throws -> SVGElement {
    var options = DrawingOptions()
    options.headings = heading.isEmpty ? [] : [heading]
    options.marks = words.enumerated().map {
      PictureMark(nodes: [UInt64($0 + 1)], words: $1, place: "A.swift:1", remedy: $1, isError: false)
    }
    return try SVGElement.read(SampleGraphs.searchBox.rendered(as: .svg, options: options))
  }

  @Test func theyAreAsLargeWhateverIsBesideThem() throws {
    let long = String(repeating: "many words ", count: 20)
    let pictures = try [
      picture(["short"], ""), picture(["short"], long), picture([long], ""),
      picture([long, "short", "short", long], long),
      picture((0..<9).map { "\($0) \(long)" }, ""),
    ]
    // The chip of what lives.
    let chips = pictures.flatMap { sizes($0, fill: "#e6f1fa", inBoxes: false) }
    #expect(chips.count == pictures.count && Set(chips) == [Size(width: 30, height: 19)], "\(chips)")
    // And as far from each other.
    let distances = try pictures.map { root in
      func place(_ words: String) throws -> Double {
        try #require(root.all.first { $0.words == words }?["x"].flatMap(Double.init))
      }
      return try (place("inner subscription") - place("live")).rounded()
    }
    #expect(Set(distances).count == 1, "\(distances)")
    for isInBox in [false, true] {
      let numbers = pictures.flatMap { sizes($0, fill: "#a54500", inBoxes: isInBox) }
      #expect(numbers.count == 1 + 1 + 1 + 4 + 9)
      #expect(Set(numbers) == [Size(width: 16, height: isInBox ? 17 : 15)], "\(Set(numbers))")
    }
  }

  @Test func theLegendHasWhatOccurs() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    let (source, target) = (graph.add("emitter", line: 1), graph.add("merge", line: 2))
    func words() throws -> [String] {
      let root = try SVGElement.read(graph.snapshot.rendered(as: .svg))
      let boxes = root.all("node").flatMap(\.all)
      return root.all.filter { element in element.name == "text" && !boxes.contains { $0 === element } }
        .map(\.words).filter { !$0.allSatisfy(\.isWhitespace) }
    }
    #expect(try words() == ["P", "pid 1 · 2 nodes", "live"])
    let meanings: [(Edge.Kind, String)] = [
      (.data, "values"), (.trigger, "trigger"), (.inner, "inner subscription"), (.hop, "scheduler hop"),
      (.feedback, "sent by a handler"), (.sampled, "kept until asked for"),
    ]
    var found: Set<String> = ["P", "pid 1 · 2 nodes", "live"]
    for (kind, meaning) in meanings {
      graph.connect(source, target, kind)
      found.insert(meaning)
      #expect(try Set(words()) == found)
    }
    #expect(meanings.count == Edge.Kind.allCases.count)
  }
}
