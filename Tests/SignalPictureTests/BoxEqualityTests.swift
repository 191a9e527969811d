import SampleGraphs
import SignalGraph
import Testing

@testable import SignalPicture

@Suite struct BoxEqualityTests {
  /// The same by the plain way: what all neighbours look like, again and again, until no more boxes differ.
  private func equalBoxes(of picture: GraphPicture) -> Set<[Int]> {
    let position = Dictionary(uniqueKeysWithValues: picture.boxes.enumerated().map { ($1.id, $0) })
    var words = picture.boxes.map { "\($0.parts[0].definition.id) \($0.parts[0].name ?? "-") \($0.state)" }
    for _ in picture.boxes {
      var around = words.map { _ in [String]() }
      for link in picture.links {
        guard let source = position[link.source], let target = position[link.target] else { continue }
        around[source].append("to \(link.kind) \(words[target])")
        around[target].append("from \(link.kind) \(words[source])")
      }
      let looks = zip(words, around).map { "\($0) \($1.sorted())" }
      // Short words for long ones.
      let numbers = Dictionary(uniqueKeysWithValues: Set(looks).sorted().enumerated().map { ($1, "\($0)") })
      words = looks.map { numbers[$0] ?? "" }
    }
    return Set(Dictionary(grouping: words.indices, by: { words[$0] }).values)
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func randomGraphsFallIntoTheGroupsOfThePlainWay(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var graph = SampleBuilder(name: "P", pid: 1)
    let count = 3 + Int(random.next() % 30)
    let nodes = (0..<count).map { _ in graph.add(["map", "filter"].randomElement(using: &random)!, line: 1) }
    for _ in 0..<(count + Int(random.next() % UInt64(count))) {
      let (source, target) = (nodes.randomElement(using: &random)!, nodes.randomElement(using: &random)!)
      graph.connect(source, target, random.next().isMultiple(of: 4) ? .trigger : .data)
    }
    let picture = try GraphPicture(of: graph.snapshot)
    let groups = picture.equalBoxes(ignoringNames: false)
    #expect(Set(groups) == equalBoxes(of: picture))
    #expect(groups.joined().sorted() == Array(picture.boxes.indices))
  }

  @Test func longChainsOfOneKindAreTakenApartQuickly() throws {
    // Each of the chain differs from each other one: by the plain way it takes 20,000 rounds of 20,000 boxes.
    var graph = SampleBuilder(name: "P", pid: 1)
    graph.chain((1...20_000).map { _ in graph.add("map", line: 1) })
    let picture = try GraphPicture(of: graph.snapshot)
    #expect(picture.equalBoxes(ignoringNames: true).count == 20_000)
  }
}
