import SignalFindings
import SignalGraph
import Signals
import Testing

@Suite("why") struct ExplanationTests {
  @Test(arguments: [
    ("emitter", "5 values came, sent to `emitter` by the program"),
    ("interval", "5 values came: they originate here"),
  ])
  func whereTheyBegin(kind: String, reason: String) throws {
    func look(at time: Double, _ count: UInt64) -> GraphSnapshot {
      GraphSnapshot(
        process: ProcessIdentity(name: "App", pid: 1, startedAt: 1), takenAt: time,
        definitions: [
          Definition(
            id: 1, kind: kind, behavior: LibraryBehavior[kind], fileID: "App/App.swift", line: 1, function: "f()")
        ],
        nodes: [Node(id: 1, definition: 1, valueCount: count)])
    }
    #expect(try explanation(look(at: 2, 15), since: look(at: 0, 10)).reason == reason)
  }

  /// `subscribe` (4) below `debounce` (3) below `map` (2) below `emitter` (1), with so many values each.
  private func graph(at moment: Double, _ values: [UInt64], _ state: Node.State = .live) -> GraphSnapshot {
    var graph = SampleGraph(takenAt: moment)
    for (index, kind) in ["emitter", "map", "debounce", "subscribe"].enumerated() {
      let id = UInt64(index + 1)
      graph.define(kind, line: index + 1)
      graph.add(id, line: index + 1, values: values[index], from: id > 1 ? [id - 1] : [], state: state)
    }
    return graph.snapshot
  }

  private func explanation(_ now: GraphSnapshot, since before: GraphSnapshot? = nil) throws -> Explanation {
    let observation = Observation(now, since: before)
    return Explanation(of: try #require(now.nodes.last), in: observation)
  }

  @Test func whereValuesCameFrom() throws {
    let why = try explanation(graph(at: 2, [15, 15, 15, 15]), since: graph(at: 0, [10, 10, 10, 10]))
    #expect(why.hasFired)
    #expect(why.reason == "5 values came from `emitter` at App.swift:1")
    #expect(why.steps.map(\.values) == [5, 5, 5, 5])
    #expect(why.steps.map(\.title) == ["`subscribe`", "`debounce`", "`map`", "`emitter`"])
    #expect(why.obstacle == nil)
  }

  /// `subscribe` (4) below `combineLatest` (3) below two properties (1, 2).
  @Test func whereSeveralInputsGaveSome() throws {
    func graph(at moment: Double, _ values: [UInt64]) -> GraphSnapshot {
      var graph = SampleGraph(takenAt: moment)
      for (index, kind) in ["property", "property", "combineLatest", "subscribe"].enumerated() {
        graph.define(kind, line: index + 1)
        let sources: [UInt64] = index == 2 ? [1, 2] : index == 3 ? [3] : []
        graph.add(UInt64(index + 1), line: index + 1, values: values[index], from: sources)
      }
      return graph.snapshot
    }
    var now = graph(at: 2, [6, 7, 12, 12])
    let why = try explanation(now, since: graph(at: 0, [1, 1, 1, 1]))
    #expect(
      why.reason == "11 values came from `property` at App.swift:2 (sent 6), `property` at App.swift:1 (sent 5)")
    now.nodes[0].causes = [Cause(number: 9, at: 1, thread: "main", origin: .program)]
    now.nodes[3].causes = [Cause(number: 9, at: 1, thread: "main")]
    let told = try explanation(now, since: graph(at: 0, [1, 1, 1, 1]))
    #expect(told.reason.hasSuffix("; the last from `property` at App.swift:1"), "\(told.reason)")
    // What gave nothing meanwhile is not named.
    let one = try explanation(graph(at: 2, [6, 1, 6, 6]), since: graph(at: 0, [1, 1, 1, 1]))
    #expect(one.reason == "5 values came from `property` at App.swift:1")
  }

  @Test func aMulticastThatNobodyHasConnected() throws {
    func graph(at moment: Double, _ values: UInt64, isConnected: Bool) -> GraphSnapshot {
      var graph = SampleGraph(takenAt: moment)
      graph.define("interval", line: 1)
      graph.define("multicast", line: 2)
      graph.define("subscribe", line: 3)
      graph.add(1, line: 1, values: values)
      graph.add(2, line: 2, values: values, from: isConnected ? [1] : [], since: nil)
      graph.add(3, line: 3, values: values, from: [2])
      return graph.snapshot
    }
    let never = try explanation(graph(at: 2, 0, isConnected: false))
    #expect(
      never.reason == "`multicast` at App.swift:2 has no connection to its source: `connect()` was not called, "
        + "or its result was released")
    let later = try explanation(graph(at: 2, 5, isConnected: false), since: graph(at: 0, 5, isConnected: true))
    #expect(later.reason.contains("has no connection to its source any more"), "\(later.reason)")
    let silent = try explanation(graph(at: 2, 0, isConnected: true))
    #expect(silent.reason == "`interval` at App.swift:1 has never sent a value")
  }

  @Test(arguments: [
    ("main", nil, "`main`"), ("qos.utility #7", nil, "`utility queue`"), ("a #2", nil, "`a`"),
    ("qos.userInitiated #7", "qos.utility", "`user-initiated queue`"),
    ("qos.userInitiated #7", "qos.userInitiated", "`user-initiated queue 7`"),
    ("qos.default", "qos.default #2", "`default queue 1`"), ("a #2", "a", "`a 2`"), ("c#", nil, "`c#`"),
    ("c #x", nil, "`c #x`"),
  ]) func schedulersInWords(name: String, other: String?, words: String) throws {
    var snapshot = graph(at: 2, [1, 1, 1, 1])
    snapshot.nodes[2].scheduler = name
    snapshot.nodes[0].scheduler = other
    let why = try explanation(snapshot)
    #expect(why.steps.map(\.notes).joined().contains("it works on \(words)"), "\(why.steps)")
  }

  @Test func whereTheyStop() throws {
    let why = try explanation(graph(at: 2, [15, 15, 0, 0]), since: graph(at: 0, [10, 10, 0, 0]))
    #expect(!why.hasFired)
    #expect(why.obstacle == 3)
    #expect(
      why.reason
        == "`debounce` at App.swift:3 got 5 values and gave none: it waits for a pause between them that is long enough"
    )
    #expect(why.steps.map(\.node) == [4, 3])
  }

  @Test func aSourceThatSendsNothing() throws {
    let silent = try explanation(graph(at: 2, [10, 10, 10, 10]), since: graph(at: 0, [10, 10, 10, 10]))
    #expect(silent.reason == "`emitter` at App.swift:1 sent none in this time; 10 in all")
    #expect(silent.obstacle == 1)
    let never = try explanation(graph(at: 2, [0, 0, 0, 0]))
    #expect(never.reason == "`emitter` at App.swift:1 has never sent a value")
  }

  @Test func whatEndedFirstIsNamed() throws {
    let why = try explanation(graph(at: 2, [3, 3, 3, 3], .finished), since: graph(at: 0, [3, 3, 3, 3], .finished))
    #expect(why.reason == "`emitter` at App.swift:1 has finished, so no more values can come")
    #expect(why.obstacle == 1)
  }

  @Test func aDisposedSubscriptionIsItsOwnReason() throws {
    var graph = graph(at: 2, [9, 3, 3, 3])
    graph.nodes[3].state = .disposed
    var before = graph
    before.takenAt = 0
    #expect(
      try explanation(graph, since: before).reason
        == "`subscribe` at App.swift:4 was disposed, so no more values can come"
    )
  }

  @Test func aJoinWaitsForTheInputThatGaveNothing() throws {
    var graph = SampleGraph(takenAt: 0)
    graph.define("property", line: 1)
    graph.define("emitter", line: 2)
    graph.define("combineLatest", line: 3)
    graph.add(1, line: 1, values: 7)
    graph.add(2, line: 2)
    graph.add(3, line: 3, from: [1, 2])
    let why = try explanation(graph.snapshot)
    #expect(why.reason == "`emitter` at App.swift:2 has never sent a value")
    #expect(why.steps.map(\.node) == [3, 2])
    #expect(why.steps[0].notes == ["another input is `property` at App.swift:1: it sent 7 values, 7 in all"])
  }

  @Test func aLoopComesToAnEnd() throws {
    var graph = SampleGraph(takenAt: 0)
    graph.define("map", line: 1)
    graph.add(1, line: 1, values: 1, from: [2])
    graph.add(2, line: 1, values: 1, from: [1])
    #expect(try explanation(graph.snapshot).steps.map(\.node) == [2, 1])
  }

  // MARK: Inputs that are only kept

  /// `subscribe` (4) below `withLatest(from:)` (3), which clicks (1) cause and a text (2) supplies, with so many values each.
  private func latest(at moment: Double, _ values: [UInt64], text: String = "emitter") -> GraphSnapshot {
    var graph = SampleGraph(takenAt: moment)
    for (index, kind) in ["emitter", text, "withLatest(from:)", "subscribe"].enumerated() {
      graph.define(kind, line: index + 1)
    }
    graph.add(1, line: 1, values: values[0], since: nil)
    graph.add(2, line: 2, values: values[1], since: nil)
    graph.add(3, line: 3, values: values[2], from: [2], kind: .sampled)
    graph.add(4, line: 4, values: values[2], from: [3])
    var snapshot = graph.snapshot
    // The input that supplies is connected first.
    snapshot.edges.insert(Edge(source: 1, target: 3), at: 1)
    return snapshot
  }

  @Test func whatCausedIsNamedAndNotWhatSupplied() throws {
    let why = try explanation(latest(at: 2, [15, 90, 15]), since: latest(at: 0, [10, 10, 10]))
    #expect(why.reason == "5 values came from `emitter` at App.swift:1")
    #expect(
      why.steps.first { $0.node == 3 }?.notes == [
        "its sampled input is `emitter` at App.swift:2: it sent 80 values, 90 in all"
      ])
    let view = GraphView(latest(at: 0, [10, 10, 10]))
    #expect(view.origin(of: try #require(view.nodes[4])).id == 1)
  }

  @Test func whatIsWaitedForIsFound() throws {
    let supplied = try explanation(latest(at: 2, [12, 3, 5]), since: latest(at: 0, [12, 3, 5]))
    #expect(supplied.reason == "`emitter` at App.swift:1 sent none in this time; 12 in all")
    let missing = try explanation(latest(at: 2, [15, 0, 0]), since: latest(at: 0, [10, 0, 0]))
    #expect(missing.reason == "`emitter` at App.swift:2 has never sent a value")
    let property = try explanation(latest(at: 2, [0, 0, 0], text: "property"))
    #expect(property.reason.contains("App.swift:1 has never sent"))
  }

  @Test func propertyThatWasNeverSetHasAValue() throws {
    var graph = SampleGraph(takenAt: 2)
    for (index, kind) in ["property", "subscribe"].enumerated() {
      graph.define(kind, line: index + 1)
      graph.add(UInt64(index + 1), line: index + 1, values: 0, from: index == 1 ? [1] : [])
    }
    #expect(
      try explanation(graph.snapshot).reason
        == "`property` at App.swift:1 still has its initial value, which each subscriber gets at once")
  }

  @Test func realOperatorsSayWhatTheyOnlyKeep() throws {
    let recorder = GraphRecorder()
    let bag = DisposeBag()
    recorder.record {
      let (clicks, text, frames) = (Emitter<Int>(), Property(""), Emitter<Int>())
      clicks.signal.withLatest(from: text.signal).subscribe { _ in }.store(in: bag)
      clicks.signal.withLatest(from: text.signal, frames.signal).subscribe { _ in }.store(in: bag)
      clicks.signal.sample(by: frames.signal).subscribe { _ in }.store(in: bag)
    }
    let view = GraphView(recorder.snapshot())
    func kinds(_ kind: String) -> [[Edge.Kind]] {
      view.snapshot.nodes.filter { view.definition(of: $0)?.kind == kind }.map {
        (view.inputs[$0.id] ?? []).map(\.kind).sorted { $0.rawValue > $1.rawValue }
      }
    }
    #expect(kinds("withLatest(from:)") == [[.sampled, .data], [.sampled, .sampled, .data]])
    #expect(kinds("sample(by:)") == [[.trigger, .sampled]])
    let origins = view.snapshot.nodes.filter { view.outputs[$0.id] == nil }.map { view.origin(of: $0).id }
    #expect(Set(origins).count == 1)
  }
}
