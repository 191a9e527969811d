import SignalGraph
import SignalTesting

/// A graph that is made by chance, each node of which has a name and a line of its own; and how it was before, with nothing in it yet.
struct RandomGraph {
  var now = SampleGraph(takenAt: 10)
  var before = SampleGraph()
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  /// A number below a limit.
  mutating func number(below limit: Int) -> Int {
    Int(random.next() % UInt64(limit))
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }

  /// Adds a node of a kind.
  mutating func add(_ id: Int, _ kind: String, values: UInt64) {
    for path in [\RandomGraph.now, \.before] {
      self[keyPath: path].define(kind, line: id)
      self[keyPath: path].add(UInt64(id), line: id, values: path == \.now ? values : 0)
      self[keyPath: path].name(UInt64(id), "n\(id)")
    }
  }

  /// Lets a node feed another one, or its handler send to it.
  mutating func connect(_ source: Int, _ target: Int, _ kind: Edge.Kind = .data, count: UInt64? = nil) {
    now.connect(Edge(source: UInt64(source), target: UInt64(target), kind: kind, count: count))
    before.connect(Edge(source: UInt64(source), target: UInt64(target), kind: kind, count: count.map { _ in 0 }))
  }

  /// The graph that was watched for ten seconds.
  var snapshots: (now: GraphSnapshot, before: GraphSnapshot) { (now.snapshot, before.snapshot) }
}

extension SampleGraph {
  fileprivate mutating func name(_ id: UInt64, _ name: String) { change { $0.nodes[$0.nodes.count - 1].name = name } }
  fileprivate mutating func connect(_ edge: Edge) { change { $0.edges.append(edge) } }
}
