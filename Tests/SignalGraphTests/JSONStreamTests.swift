import Foundation
import Testing

@testable import SignalGraph

@Suite("JSON written in pieces") struct JSONStreamTests {
  private static let texts = [
    "", "plain", "\"quoted\" \\ and / slashes", "\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}", "Grüße, 世界, 👩‍👩‍👧",
    "\u{2028}\u{2029}",
  ]

  private static let numbers = [
    0, -0.0, 1, -1.5, 0.1, 1e-7, 1e15, 1e16, 1e20, 123_456_789.125, 1_732_270_000.123, .pi,
    .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
  ]

  /// What is read where a snapshot with these parts was written.
  private static func read(
    definition: Definition = Definition(id: 1, kind: "map", fileID: "A.swift", line: 1, function: "f()"),
    nodes: [Node] = [], edges: [Edge] = []
  ) throws -> GraphSnapshot {
    var bytes: [UInt8] = []
    try JSONStream.write(
      GraphSnapshot(
        process: ProcessIdentity(name: "App", pid: -7, startedAt: 1.5), takenAt: 2.5, definitions: [definition],
        nodes: nodes, edges: edges)
    ) { bytes += $0 }
    return try JSONDecoder().decode(GraphSnapshot.self, from: Data(bytes))
  }

  private static func read(_ node: Node) throws -> Node? { try read(nodes: [node]).nodes.first }

  private static var full: Node {
    var node = plainlyFull
    node.handler?.mainCPUSeconds = 1.25
    node.attempts = Attempts(failed: 3, lastFailure: "Offline()", failedAt: 4.5, delay: 2.5)
    node.isReleased = true
    (node.memoryLimit, node.memoryCount) = (100, 12)
    node.demand = Demand(isAsked: true, since: 5.5)
    node.channels = [ChannelEnd(.from, "orders"), ChannelEnd(.to, "bills")]
    return node
  }

  private static let plainlyFull = Node(
    id: .max, definition: -12, name: "name", state: .failed, valueCount: 1_234_567_890, waiting: 7, dropped: 8,
    rate: 2.5,
    lastEventAt: 1, lastValue: "last", owner: "Owner", failure: "Failure()", findings: Node.Finding.allCases,
    since: 3.25,
    handler: HandlerTimes(calls: 1, seconds: 2, mainSeconds: 3.5, longest: 4), ownerID: 9,
    causes: [cause, Cause(number: 11, at: 12, thread: "main")], scheduler: "main", interval: 0.5, leadTime: 1.5,
    waits: WaitTimes(values: 1, seconds: 2, longest: 1.5))

  private static let cause = {
    var cause = Cause(number: 5, at: 6.5, thread: "worker", origin: .timer, by: 7, parent: 8)
    cause.start = CauseStart(node: 3, at: 6.25, thread: "main", origin: .handler, by: 2, parent: 1)
    return cause
  }()

  @Test("keeps every field of a node, an edge and a definition")
  func everyField() throws {
    var ends = EndCounts(
      finished: 1, failed: 2, disposed: 3, unused: 4, released: 5, late: 6, unhandled: 7, lost: 8, losing: 9,
      losingAll: 10,
      lastUnhandled: "text")
    ends.caught = 11
    ends.lastCaught = "caught text"
    var definition = Definition(
      id: 1, kind: "map", behavior: [.passesOn, .atMostOne], fileID: "App/Feed.swift", line: 42, function: "f(_:)",
      ends: ends, isBare: true)
    definition.isLoop = false
    definition.isReported = true
    definition.gone = GoneNodes(nodes: 1, values: 2, names: ["prices", "names"])
    definition.gone?.withLiveSource = 1
    let edge = Edge(source: 1, target: .max, kind: .feedback, count: 3)
    // A field that is not set here would not be seen missing.
    let parts: [Any] = [
      Self.full.handler as Any, Self.full.waits as Any, Self.full.attempts as Any, Self.full.demand as Any, Self.cause,
    ]
    for value in [Self.full, definition, ends, edge] + parts {
      for child in Mirror(reflecting: value).children {
        #expect(Mirror(reflecting: child.value).displayStyle != .optional || "\(child.value)" != "nil", "\(child)")
      }
    }
    let whole = try Self.read(definition: definition, nodes: [Self.full], edges: [edge])
    #expect(whole.nodes == [Self.full])
    #expect(whole.definitions == [definition])
    #expect(whole.edges == [edge])
    #expect(whole.process == ProcessIdentity(name: "App", pid: -7, startedAt: 1.5) && whole.takenAt == 2.5)
  }

  @Test("writes small values, and each state and kind")
  func smallest() throws {
    let definition = Definition(id: 0, kind: "", fileID: "", line: 0, function: "")
    #expect(try Self.read(definition: definition).definitions == [definition])
    for state in Node.State.allCases {
      let node = Node(id: 0, definition: 0, state: state)
      #expect(try Self.read(node) == node)
    }
    for kind in Edge.Kind.allCases {
      let edge = Edge(source: 10, target: 100, kind: kind)
      #expect(try Self.read(edges: [edge]).edges == [edge])
    }
  }

  @Test("keeps any string", arguments: texts)
  func text(_ text: String) throws {
    let node = Node(id: 9, definition: 10, name: text, lastValue: text)
    #expect(try Self.read(node) == node)
  }

  @Test("keeps any number that JSON has")
  func number() throws {
    for number in Self.numbers {
      let node = Node(id: 1, definition: 1, rate: number, lastEventAt: number, since: number)
      #expect(try Self.read(node) == node)
    }
    let endless = Node(id: 1, definition: 1, rate: .infinity, lastEventAt: .nan, since: -.infinity)
    #expect(try Self.read(endless) == Node(id: 1, definition: 1))
    let waiting = Node(id: 1, definition: 1, waits: WaitTimes(values: 1, seconds: .nan, longest: 2))
    #expect(try Self.read(waiting)?.waits == WaitTimes(values: 1, seconds: 0, longest: 2))
  }

  @Test("ends a piece with the element that fills it, and cuts long strings")
  func pieces() throws {
    var snapshot = GraphSnapshot(
      process: ProcessIdentity(name: "App", pid: 7, startedAt: 1.5), takenAt: 2.5,
      definitions: (0..<3_000).map {
        Definition(id: $0, kind: "map", fileID: "App/Feed.swift", line: $0, function: "f()")
      },
      nodes: (0..<3_000).map { Node(id: UInt64($0), definition: $0, name: "n\($0)", since: Double($0 / 4) + 0.125) },
      edges: (1..<3_000).map { Edge(source: UInt64($0 - 1), target: UInt64($0)) })
    snapshot.nodes[7].lastValue = String(repeating: "é", count: 400)
    var pieces: [[UInt8]] = []
    try JSONStream.write(snapshot) { pieces.append($0) }
    #expect(pieces.count > 6)
    #expect(pieces.allSatisfy { $0.count < JSONStream.pieceBytes + 4_096 })
    #expect(pieces.dropLast().allSatisfy { $0.count >= JSONStream.pieceBytes })
    snapshot.nodes[7].lastValue = String(repeating: "é", count: 254) + "…"
    #expect(try GraphSnapshot(json: Data(pieces.joined())) == snapshot)
  }

  @Test("stops when a piece cannot be written") func failure() {
    struct Gone: Error {}
    #expect(throws: Gone.self) {
      try JSONStream.write(GraphSnapshot(process: .current, takenAt: 1)) { _ in throw Gone() }
    }
  }
}
