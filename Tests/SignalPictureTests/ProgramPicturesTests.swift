import SampleGraphs
import SignalGraph
import Testing

@testable import SignalPicture

@Suite("Several programs in one picture")
struct ProgramPicturesTests {
  /// A program of chains; a text such as "to a" or "from b" is an end of a channel at that operator.
  private static func program(_ name: String, pid: Int32, _ chains: [[String]]) -> GraphSnapshot {
    var graph = SampleBuilder(name: name, pid: pid)
    var ends: [[ChannelEnd]?] = []
    var line = 0
    for chain in chains {
      var last: Node.ID?
      for words in chain {
        line += 1
        let id = graph.add("map", line: line)
        if let last { graph.connect(last, id) }
        last = id
        let parts = words.split(separator: " ").map(String.init)
        ends.append(parts.count == 2 ? [ChannelEnd(parts[0] == "to" ? .to : .from, parts[1])] : nil)
      }
    }
    var snapshot = graph.snapshot
    for (index, end) in ends.enumerated() { snapshot.nodes[index].channels = end }
    return snapshot
  }

  private static func picture(_ programs: [GraphSnapshot], limit: Int? = nil) throws -> GraphPicture {
    try ProgramPictures(of: programs, options: DrawingOptions(bundlesFrom: nil, boxLimit: limit)).picture
  }

  /// The links between programs, such as "shop1 > kitchen1 orders": a box by its program and the id in it.
  private static func channels(_ picture: GraphPicture) -> [String] {
    let names = Dictionary(
      uniqueKeysWithValues: picture.boxes.map { box in
        let place = box.place
        let name = place?.program.flatMap { picture.programs?.frames[$0].process.name } ?? "channel "
        return (box.id, "\(name)\(place?.node ?? 0)")
      })
    return picture.links.compactMap { link in
      link.channel.map { "\(names[link.source] ?? "") > \(names[link.target] ?? "") \($0.name)" }
    }.sorted()
  }

  private static let shop = program("shop", pid: 1, [["", "", "to orders"], ["from menus", ""]])
  private static let kitchen = program("kitchen", pid: 2, [["from orders", "", "to dishes"], ["", "to menus"]])
  private static let till = program("till", pid: 3, [["from dishes", "to receipts"]])

  @Test("who sends to a channel is linked to who receives from it, in both directions")
  func joined() throws {
    let picture = try Self.picture([Self.shop, Self.kitchen, Self.till])
    #expect(
      Self.channels(picture) == [
        "kitchen3 > till1 dishes", "kitchen5 > shop4 menus", "shop3 > kitchen1 orders",
      ])
    #expect(picture.nodeCount == 12 && Set(picture.boxes.map(\.id)).count == 12)
    #expect(Set(picture.boxes.map(\.elementID)).count == 12)
    #expect(picture.boxes.flatMap(\.channelWords) == ["to receipts: no receiver here"])
  }

  @Test("an end that nobody is at the other side of says so; in a picture of one program it says only what it is")
  func unjoined() throws {
    let picture = try Self.picture([Self.till])
    #expect(
      picture.boxes.flatMap(\.channelWords) == ["from dishes: no sender here", "to receipts: no receiver here"])
    #expect(Self.channels(picture).isEmpty)
    let alone = try GraphPicture(of: Self.till)
    #expect(alone.boxes.map(\.channelWords) == [["from dishes"], ["to receipts"]])
    #expect(alone.dot().contains("to receipts"))
    #expect(alone.mermaid().contains("from dishes"))
  }

  @Test("one sends to many, and many to one; many to many have a box for the channel")
  func many() throws {
    let senders = (1...3).map { Self.program("out\($0)", pid: Int32($0), [["", "to news"]]) }
    let receivers = (1...2).map { Self.program("in\($0)", pid: 10 + Int32($0), [["from news", ""]]) }
    #expect(
      try Self.channels(Self.picture([senders[0]] + receivers)) == ["out12 > in11 news", "out12 > in21 news"])
    #expect(
      try Self.channels(Self.picture(senders + [receivers[0]])) == [
        "out12 > in11 news", "out22 > in11 news", "out32 > in11 news",
      ])
    let picture = try Self.picture(senders + receivers)
    #expect(
      Self.channels(picture) == [
        "channel 1 > in11 news", "channel 1 > in21 news", "out12 > channel 1 news", "out22 > channel 1 news",
        "out32 > channel 1 news",
      ])
    #expect(picture.boxes.filter(\.isChannel).map(\.heading) == ["news"])
    #expect(picture.nodeCount == 10)
  }

  @Test("ends inside one program are joined too; a box that is both ends has no link to itself")
  func inside() throws {
    let loop = Self.program("loop", pid: 1, [["", "to again"], ["from again", ""]])
    #expect(try Self.channels(Self.picture([loop])) == ["loop2 > loop3 again"])
    let picture = try Self.picture([loop], limit: 1)
    #expect(picture.boxes.count == 1 && picture.links.isEmpty)
    #expect(picture.boxes.flatMap(\.channelWords).isEmpty)
  }

  @Test("programs share the limit of boxes, and ends of channels are boxes of their own for as long as possible")
  func sharing() throws {
    let large = Self.program(
      "large", pid: 1, (0..<40).map { ["", "", $0 == 17 ? "to x" : "", $0 == 3 ? "to nowhere" : ""] })
    let small = Self.program("small", pid: 2, [["from x", ""]])
    let picture = try Self.picture([large, small], limit: 30)
    let counts = try #require(picture.programs?.frames.map(\.boxCount))
    #expect(counts[0] <= 28 && counts[0] >= 3 && counts[1] <= 2, "\(counts)")
    let ends = picture.boxes.filter { !$0.channels.isEmpty }
    #expect(ends.map { $0.nodeCount } == [1, 1, 1], "\(ends.map { $0.nodeCount })")
    #expect(Self.channels(picture).count == 1)

    let crowd = (1...50).map { Self.program("p\($0)", pid: Int32($0), [["", "", $0 == 1 ? "to x" : "from x"]]) }
    let crowded = try Self.picture(crowd, limit: 20)
    #expect(crowded.boxes.allSatisfy { $0.heading == "everything: 3 nodes" })
    let roomy = try Self.picture([large, small], limit: 60)
    #expect(!crowded.dot().contains("folded") && roomy.dot().contains("linear runs folded"))
    #expect(crowded.boxes.count == 50 && Self.channels(crowded).count == 49)
  }

  @Test("what differs only in the channel is not bundled; what is the same in several places is")
  func bundling() throws {
    let chains = (0..<6).map { _ in ["", "to x"] }
    var same = Self.program("same", pid: 1, chains)
    for index in same.nodes.indices { same.nodes[index].definition = same.definitions[index % 2].id }
    let bundled = try GraphPicture(of: same, options: DrawingOptions(boxLimit: nil))
    #expect(bundled.boxes.map(\.copies) == [6, 6])
    same.nodes[11].channels = [ChannelEnd(.to, "y")]
    let different = try GraphPicture(of: same, options: DrawingOptions(boxLimit: nil))
    #expect(different.boxes.map(\.copies).sorted() == [1, 1, 5, 5])
  }

  @Test("texts are the same bytes each time, with unique ids, a frame for each program, and no packing")
  func texts() throws {
    let options = DrawingOptions()
    let picture = try ProgramPictures(of: [Self.shop, Self.kitchen, Self.till], options: options).picture
    let dot = picture.dot(options: options)
    let again = try ProgramPictures(of: [Self.shop, Self.kitchen, Self.till], options: options).picture
    #expect(again.dot(options: options) == dot)
    #expect(dot.ranges(of: "subgraph \"cluster_").count == 3)
    #expect(!dot.contains("packmode") && dot.contains("newrank"))
    #expect(dot.contains("3 programs") && dot.contains("channel between programs"))
    #expect(dot.contains("label=\"orders\"") && dot.contains("id=\"p1\"") && dot.contains("id=\"p2n1\""))
    var byFile = options
    byFile.clustersByFile = true
    #expect(picture.dot(options: byFile).ranges(of: "subgraph \"cluster_").count == 6)

    let text = try MermaidText(of: [Self.shop, Self.kitchen, Self.till], options: options)
    #expect(text.text.ranges(of: "subgraph ").count == 3)
    #expect(text.text.contains("-.->|\"channel “orders”\"|") && text.excess == nil)
    let large = (1...30).map { Self.program("p\($0)", pid: Int32($0), (0..<40).map { _ in ["", "", "to x"] }) }
    #expect(try MermaidText(of: large, options: options).excess == nil)
  }

  @Test("names of channels and programs are no syntax")
  func hostile() throws {
    let name = "\"]; x -> y <b>&\u{1B}|\n--> end"
    var sender = Self.program("a", pid: 7, [["", "to x"]])
    var receiver = Self.program("b", pid: 7, [["from x", ""]])
    sender.process.name = name
    sender.nodes[1].channels = [ChannelEnd(.to, name), ChannelEnd(.to, name + "2")]
    receiver.nodes[0].channels = [ChannelEnd(.from, name)]
    let picture = try Self.picture([sender, receiver])
    #expect(picture.links.filter { $0.channel != nil }.count == 1)
    #expect(picture.programs?.frames.map(\.id) == ["p7", "p7_2"])
    for text in [picture.dot(), picture.mermaid()] {
      #expect(!text.contains("\u{1B}") && !text.contains("\"];") || text == picture.dot())
    }
    let lines = picture.mermaid().split(separator: "\n").filter { $0.contains("channel “") }
    #expect(lines.count == 1 && lines[0].count { $0 == "|" } == 2 && !lines[0].contains("<"))
  }

  @Test("nothing to draw is a frame with words")
  func empty() throws {
    let nothing = Self.program("nothing", pid: 1, [])
    let picture = try Self.picture([nothing, Self.till])
    #expect(picture.dot().contains("nothing to draw") && picture.mermaid().contains("nothing to draw"))
    #expect(picture.boxes.count == 2)
  }

  @Test("what stands further along: receivers after senders, in columns where that is too long; rings have a way back")
  func arrangement() throws {
    let ring = [
      Self.program("a", pid: 1, [["from c", "to a"]]), Self.program("b", pid: 2, [["from a", "to b"]]),
      Self.program("c", pid: 3, [["from b", "to c"]]),
    ]
    let picture = try Self.picture(ring)
    let loose = picture.links.filter { picture.programs?.loose.contains($0) == true }.compactMap(\.channel?.name)
    #expect(loose.contains("c") && loose.count < 3)
    let crowd = (1...24).map { Self.program("p\($0)", pid: Int32($0), [["", "", ""]]) }
    let guides = try #require(try Self.picture(crowd).programs?.guides)
    #expect(guides.count >= 12, "programs that are not linked stand in several rows")
  }
}
