import SampleGraphs
import SignalGraph
import Testing

@testable import SignalPicture

@Suite("Marks in pictures") struct PictureMarkTests {
  private func mark(_ nodes: Set<UInt64>, isError: Bool = false) -> PictureMark {
    PictureMark(
      nodes: nodes, words: "it <grows>", place: "Feed.swift:2", remedy: "end the \"earlier\" one", isError: isError)
  }

  /// Four equal chains of a source: 2 to 5 are maps, 6 to 9 their subscribers, of which one has finished.
  private func graph() -> GraphSnapshot {
    var graph = SampleBuilder(name: "P", pid: 1)
    let source = graph.add("emitter", line: 1)
    let maps = (0..<4).map { _ in graph.add("map", line: 2) }
    for map in maps {
      let end = graph.add("subscribe", line: 3, state: map == maps[3] ? .finished : .live)
      graph.chain([source, map, end])
    }
    return graph.snapshot
  }

  private func options(_ marks: PictureMark...) -> DrawingOptions {
    var options = DrawingOptions()
    options.marks = marks
    return options
  }

  @Test func numbersAreOnBoxesAndInTheList() throws {
    let dot = try graph().dot(options: options(mark([7]), mark([7, 1], isError: true)))
    // The list is in the label of the whole graph.
    let label = dot.split(separator: "\n").first { $0.hasPrefix("    label=<") } ?? ""
    #expect(label.contains("it &lt;grows&gt;") && label.contains("end the &quot;earlier&quot; one"))
    let boxes = dot.split(separator: "\n").filter { $0.hasPrefix("  n") && $0.contains("label=<") }
    func numbers(_ box: String) -> [String] {
      (boxes.first { $0.hasPrefix("  \(box) ") } ?? "").matches(of: /<B>([0-9]+)<\/B>/).map { String($0.1) }
    }
    #expect(numbers("n7") == ["1", "2"])
    #expect(numbers("n1") == ["2"])
    #expect(numbers("n3") == [])
  }

  @Test(arguments: [(1, [1]), (3, [3]), (4, [2, 2]), (8, [4, 4]), (13, [4, 5, 4]), (40, [10, 10, 10, 10])])
  func manyAreInColumns(count: Int, columns: [Int]) throws {
    let list = MarkLabel.list(of: (0..<count).map { _ in mark([7]) })
    let found = list.split(separator: "</TD><TD WIDTH=\"16\"></TD>").dropLast()
    #expect(found.map { $0.matches(of: /<B>[0-9]+<\/B>/).count } == columns)
  }

  @Test func oneThatIsHigherThanAllOthersIsInAColumn() throws {
    var high = mark([7])
    high.words = String(repeating: "word ", count: 100)
    let list = MarkLabel.list(of: [mark([7]), high, mark([7]), mark([7])])
    #expect(list.matches(of: /<B>([0-9])<\/B>/).map { $0.1 } == ["1", "2", "3", "4"])
  }

  @Test func withoutMarksThereIsNoList() throws {
    #expect(try !graph().dot().contains("grows"))
    #expect(try !graph().mermaid().contains("said"))
  }

  @Test func mermaidHasThemToo() throws {
    let text = try graph().mermaid(options: options(mark([7])))
    #expect(text.contains("n7[\"<b>(1)</b><br/><b>subscribe</b>"))
    #expect(text.contains("  m0[\"<b>(1) it #60;grows#62;</b><br/>Feed.swift:2<br/>end the"))
  }

  @Test func onlyEqualMarksAreBundledAndFolded() throws {
    let none = try GraphPicture(of: graph(), options: options())
    #expect(none.boxes.map(\.copies).contains(3))
    let one = try GraphPicture(of: graph(), options: options(mark([6])))
    #expect(one.boxes.allSatisfy { $0.copies == 1 })
    let all = try GraphPicture(of: graph(), options: options(mark([6, 7, 8])))
    #expect(all.boxes.first { $0.copies == 3 && $0.parts[0].kind == "subscribe" }?.marks == [1])
    var folding = options(mark([6]))
    folding.foldsLinearRuns = true
    folding.bundlesFrom = nil
    let folded = try GraphPicture(of: graph(), options: folding)
    #expect(folded.boxes.first { $0.id == 6 }?.parts.count == 1)
    #expect(folded.boxes.first { $0.id == 3 }?.parts.count == 2)
  }

  @Test func whatHasEndedIsDrawnIfItIsMarked() throws {
    var hiding = options(mark([9]))
    hiding.showsEnded = false
    #expect(try GraphPicture(of: graph(), options: hiding).boxes.contains { $0.id == 9 })
    hiding.marks = []
    #expect(try !GraphPicture(of: graph(), options: hiding).boxes.contains { $0.id == 9 })
  }

  @Test func collapsedBoxesKeepMarks() throws {
    var picture = try GraphPicture(of: graph(), options: options(mark([2]), mark([3])))
    picture.collapseByDefinition()
    #expect(picture.boxes.first { $0.parts[0].kind == "map" }?.marks == [1, 2])
    picture.collapseByFile()
    #expect(picture.boxes.map(\.marks) == [[], [1, 2]])
    #expect(picture.boxes[0].heading?.hasSuffix(": 5 nodes") == true)
  }

  @Test func longWordsAreBrokenIntoLines() {
    #expect(MarkLabel.lines("one two") == ["one two"])
    #expect(MarkLabel.lines("") == [])
    #expect(MarkLabel.lines(String(repeating: "x", count: 130)).map(\.count) == [64, 64, 2])
    let lines = MarkLabel.lines(String(repeating: "word ", count: 40))
    #expect(lines.allSatisfy { $0.count <= 64 } && lines.joined(separator: " ").split(separator: " ").count == 40)
  }
}
