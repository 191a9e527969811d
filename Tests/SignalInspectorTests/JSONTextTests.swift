import Foundation
import SignalGraph
import Testing

@testable import SignalInspector

@Suite("The JSON of a snapshot's elements is what JSONEncoder writes") struct JSONTextTests {
  private static let texts = [
    "", "plain", "\"quoted\" \\ and / slashes", "\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}", "Grüße, 世界, 👩‍👩‍👧",
    "\u{2028}\u{2029}",
  ]

  private static let numbers = [
    0, -0.0, 1, -1.5, 0.1, 1e-7, 1e15, 1e16, 1e20, 123_456_789.125, 1_732_270_000.123, .pi,
    .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
  ]

  private static func expected(_ value: some Encodable) throws -> String {
    String(decoding: try SnapshotPieces.encoder.encode(value), as: UTF8.self)
  }

  private static func written(_ add: (inout JSONText) -> Void) -> String {
    var text = JSONText(capacity: 0)
    add(&text)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  private static var full: Node {
    var node = plainlyFull
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

  @Test("of every field that a node, an edge and a definition can have")
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
    // A new field has to be written too: put it here, and into `JSONText`.
    let parts: [Any] = [
      Self.full.handler as Any, Self.full.waits as Any, Self.full.attempts as Any, Self.full.demand as Any, Self.cause,
    ]
    for value in [Self.full, definition, ends, edge] + parts {
      for child in Mirror(reflecting: value).children {
        #expect(Mirror(reflecting: child.value).displayStyle != .optional || "\(child.value)" != "nil", "\(child)")
      }
    }
    #expect(try Self.written { $0.add(Self.full) } == Self.expected(Self.full))
    #expect(try Self.written { $0.add(definition) } == Self.expected(definition))
    #expect(try Self.written { $0.add(edge) } == Self.expected(edge))
  }

  @Test("of those that have as little as possible, and of every word that is one of several")
  func smallest() throws {
    let definition = Definition(id: 0, kind: "", fileID: "", line: 0, function: "")
    #expect(try Self.written { $0.add(definition) } == Self.expected(definition))
    for state in Node.State.allCases {
      let node = Node(id: 0, definition: 0, state: state)
      #expect(try Self.written { $0.add(node) } == Self.expected(node))
    }
    for kind in Edge.Kind.allCases {
      let edge = Edge(source: 10, target: 100, kind: kind)
      #expect(try Self.written { $0.add(edge) } == Self.expected(edge))
    }
  }

  @Test("of any text", arguments: texts)
  func text(_ text: String) throws {
    let node = Node(id: 9, definition: 10, name: text, lastValue: text)
    #expect(try Self.written { $0.add(node) } == Self.expected(node))
  }

  @Test("of any number")
  func number() throws {
    for number in Self.numbers {
      let node = Node(id: 1, definition: 1, rate: number, lastEventAt: number, since: number)
      #expect(try Self.written { $0.add(node) } == Self.expected(node))
    }
    let endless = Node(id: 1, definition: 1, rate: .infinity, lastEventAt: .nan, since: -.infinity)
    #expect(try Self.written { $0.add(endless) } == Self.expected(Node(id: 1, definition: 1)))
  }

  @Test("and so is the whole")
  func whole() throws {
    let snapshot = GraphSnapshot(
      process: ProcessIdentity(name: "App", pid: 7, startedAt: 1.5), takenAt: 2.5,
      definitions: (0..<3_000).map {
        Definition(id: $0, kind: "map", fileID: "App/Feed.swift", line: $0, function: "f()")
      },
      nodes: (0..<3_000).map { Node(id: UInt64($0), definition: $0, name: "n\($0)", since: Double($0 / 4) + 0.125) },
      edges: (1..<3_000).map { Edge(source: UInt64($0 - 1), target: UInt64($0)) })
    var data = Data()
    var pieces = 0
    try SnapshotPieces(snapshot: snapshot).forEach { piece in
      data += piece
      pieces += 1
    }
    #expect(try data == SnapshotPieces.encoder.encode(snapshot))
    #expect(pieces > 6)
  }
}
