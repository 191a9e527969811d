import SignalGraph
import SignalMarbles
import Testing

@testable import signal_viz

@Suite struct ActivityTableTests {
  private static let definitions = [
    Definition(id: 1, kind: "emitter", fileID: "App/Feed.swift", line: 3, function: "f()"),
    Definition(id: 2, kind: "map", fileID: "App/Feed.swift", line: 7, function: "f()"),
    Definition(id: 3, kind: "subscribe", fileID: "App/Views/List.swift", line: 9, function: "f()"),
  ]

  private func graph(at time: Double, _ nodes: Node...) -> GraphSnapshot {
    GraphSnapshot(
      process: ProcessIdentity(name: "App", pid: 9, startedAt: 1), takenAt: time, definitions: Self.definitions,
      nodes: nodes)
  }

  private var before: GraphSnapshot {
    graph(
      at: 10, Node(id: 1, definition: 1, name: "keys", valueCount: 100),
      Node(id: 2, definition: 2, valueCount: 1_000, waiting: 4),
      Node(id: 3, definition: 3, valueCount: 50, handler: HandlerTimes(calls: 50, seconds: 1)))
  }

  private var now: GraphSnapshot {
    graph(
      at: 12, Node(id: 1, definition: 1, name: "keys", valueCount: 120),
      Node(id: 2, definition: 2, valueCount: 1_002, waiting: 5),
      Node(id: 3, definition: 3, valueCount: 60, handler: HandlerTimes(calls: 60, seconds: 1.5)),
      // Both are new; one has ended already.
      Node(id: 4, definition: 2, valueCount: 30, waiting: 1),
      Node(id: 5, definition: 3, state: .finished, valueCount: 8))
  }

  private func rows(_ order: ActivityTable.Order, byNode: Bool = false) -> [ActivityTable.Row] {
    ActivityTable(now, since: before, byNode: byNode, order: order).rows
  }

  @Test func placesTellWhatPassedBetweenTheLooks() {
    let table = ActivityTable(now, since: before, byNode: false, order: .rate)
    #expect(table.seconds == 2 && table.nodes == 4 && table.subscriptions == 1)
    // 10 of the one and 8 of the one that has ended, in two seconds.
    #expect(table.rate == 9)
    #expect(table.rows.map(\.kind) == ["map", "emitter", "subscribe"])
    #expect(table.rows.map(\.rate) == [16, 10, 9])
    #expect(table.rows.map(\.count) == [1_032, 120, 68])
    #expect(table.rows.map(\.nodes) == [2, 1, 1])
    #expect(table.rows.map(\.waiting) == [6, 0, 0])
    #expect(table.rows.map(\.handler) == [nil, nil, 0.25])
    #expect(table.rows.map(\.title) == ["", "keys", ""])
    #expect(table.rows.map(\.place) == ["App/Feed.swift:7", "App/Feed.swift:3", "App/Views/List.swift:9"])
  }

  @Test func aPlaceCountsWhatPassedNodesThatHaveGone() {
    var now = now
    now.definitions[1].gone = GoneNodes(nodes: 7, values: 500)
    // Of those that are no more drawn, and of one that is kept, but has ended before the first look.
    now.nodes.append(Node(id: 6, definition: 2, state: .finished, valueCount: 9))
    var before = before
    before.nodes.append(Node(id: 6, definition: 2, state: .finished, valueCount: 9))
    let places = ActivityTable(now, since: before, byNode: false, order: .rate)
    #expect(places.rows.first { $0.kind == "map" }?.count == 1_541)
    let nodes = ActivityTable(now, since: before, byNode: true, order: .rate)
    #expect(nodes.rows.filter { $0.kind == "map" }.map(\.count).max() == 1_002)
  }

  @Test func thePaceOfAPlaceCountsNodesThatHaveGone() {
    var (before, now) = (before, now)
    before.definitions[1].gone = GoneNodes(nodes: 2, values: 500)
    now.definitions[1].gone = GoneNodes(nodes: 7, values: 1_500)
    // Of this one all nodes have gone.
    let other = Definition(id: 4, kind: "filter", fileID: "App/Feed.swift", line: 8, function: "f()")
    before.definitions.append(other)
    now.definitions.append(other)
    now.definitions[3].gone = GoneNodes(nodes: 9, values: 80)
    let rows = ActivityTable(now, since: before, byNode: false, order: .rate).rows
    #expect(rows.map(\.kind) == ["map", "filter", "emitter", "subscribe"])
    #expect(rows.map(\.rate) == [516, 40, 10, 9])
    #expect(rows.map(\.nodes) == [2, 0, 1, 1])
    #expect(rows[1].count == 80)
  }

  @Test(arguments: [
    (ActivityTable.Order.rate, ["map", "emitter", "subscribe"]), (.count, ["map", "emitter", "subscribe"]),
    (.waiting, ["map", "emitter", "subscribe"]), (.handler, ["subscribe", "map", "emitter"]),
  ])
  func rowsAreSorted(order: ActivityTable.Order, kinds: [String]) {
    #expect(rows(order).map(\.kind) == kinds)
  }

  @Test func nodesAreToldApart() {
    let rows = rows(.count, byNode: true)
    #expect(rows.map(\.node) == [2, 1, 3, 4])
    #expect(rows.map(\.rate) == [1, 10, 5, 15])
  }

  @Test func oneLookHasNoRates() {
    for before in [nil, now, graph(at: 13)] {
      let table = ActivityTable(now, since: before, byNode: false, order: .rate)
      #expect(table.rate == nil && table.seconds == 0)
      #expect(table.rows.allSatisfy { $0.rate == nil && $0.handler == nil })
    }
  }

  @Test func namesThatDifferNameNoPlace() {
    let table = ActivityTable(
      graph(at: 1, Node(id: 1, definition: 2, name: "a"), Node(id: 2, definition: 2, name: "b")), since: nil,
      byNode: false, order: .rate)
    #expect(table.rows.map(\.title) == [""])
  }

  @Test func theTableReadsWell() {
    let text = ActivityText(
      table: ActivityTable(now, since: before, byNode: false, order: .rate), order: .rate, width: nil)
    #expect(text.heading == "App (pid 9)  4 live nodes, 1 ended  1 subscription  9 values/s")
    #expect(
      text.lines == [
        "VALUES/S*  VALUES  WAITING  HANDLER  NODES  WHAT       PLACE",
        "       16   1,032        6               2  map        Feed.swift:7",
        "       10     120                        1  keys       Feed.swift:3",
        "        9      68              25 %      1  subscribe  List.swift:9",
      ])
  }

  @Test(arguments: [1, 10, 20, 30, 40, 50, 60, 70, 80])
  func noLineIsWiderThanTheTerminal(width: Int) {
    let wide = graph(
      at: 1, Node(id: 1, definition: 2, name: "Überraschung 日本語の名前 👩‍👧", valueCount: .max, waiting: .max))
    for order in ActivityTable.Order.allCases {
      let table = ActivityTable(wide, since: nil, byNode: true, order: order)
      let text = ActivityText(table: table, order: order, width: width)
      for line in text.lines + [text.heading] { #expect(DisplayWidth.of(line) <= width, "\(line)") }
    }
  }

  @Test func whatItIsSortedByIsShownWhereThereIsLittleRoom() {
    let table = ActivityTable(now, since: before, byNode: false, order: .handler)
    let lines = ActivityText(table: table, order: .handler, width: 44).lines
    #expect(lines.first == "VALUES/S  HANDLER*  WHAT       PLACE")
  }

  @Test(arguments: [
    (0.0, "0"), (0.01, "0.1"), (0.44, "0.4"), (1, "1"), (12.34, "12.3"), (99.94, "99.9"), (99.96, "100"),
  ])
  func ratesAreShort(rate: Double, words: String) { #expect(rate.rateWords == words) }

  @Test(arguments: [(1_234.4, "1,234"), (Double.infinity, "0"), (-1, "0"), (Double.nan, "0")])
  func oddRatesToo(rate: Double, words: String) { #expect(rate.rateWords == words) }
}
