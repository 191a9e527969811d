import SignalFindings
import SignalGraph
import Signals
import Testing

@Suite("duplicate") struct DuplicateRuleTests {
  private let bag = DisposeBag()

  // MARK: Graphs by hand

  /// An emitter (1), and chains of a `map` and a subscriber that were made at these moments by these owners.
  private func graph(
    _ chains: [(since: Double, owner: UInt64?)], function: String = "viewDidAppear()", takenAt: Double = 100,
    values: [UInt64]? = nil, shared: Bool = true
  ) -> GraphSnapshot {
    var graph = SampleGraph(takenAt: takenAt)
    graph.define("emitter", line: 3)
    graph.define("map", line: 7, function: function)
    graph.define("subscribe", line: 8, function: function)
    graph.add(1, line: 3, values: 50, since: shared ? nil : 0)
    for (index, chain) in chains.enumerated() {
      let (map, end) = (UInt64(10 * index + 10), UInt64(10 * index + 11))
      let count = values?[index] ?? 5
      graph.add(map, line: 7, values: count, from: [1], owner: "Inbox", since: chain.since, ownerID: chain.owner)
      graph.add(end, line: 8, values: count, from: [map], owner: "Inbox", since: chain.since, ownerID: chain.owner)
    }
    return graph.snapshot
  }

  private func rules(_ now: GraphSnapshot, since before: GraphSnapshot? = nil) -> [String] {
    Rules.findings(in: Observation(now, since: before)).map(\.rule)
  }

  @Test func anOwnerThatSubscribesEachTimeIsFound() throws {
    let found = Rules.findings(in: Observation(graph([(1, 7), (4, 7), (9, 7)])))
    try #require(found.map(\.rule) == ["duplicate"])
    #expect(found[0].place.line == 8)
    #expect(
      found[0].message
        == "one `Inbox` has subscribed 3 times here to the same source, and each subscription is alive: each value is handled 3 times"
    )
    #expect(found[0].related.map(\.message) == ["the values come from `emitter`"])
    #expect(found[0].related.map(\.place.line) == [3])
    #expect(found[0].nodes == [11, 21, 31])
  }

  @Test func eachOwnerMayHaveSeveral() throws {
    let found = Rules.findings(in: Observation(graph([(1, 7), (4, 7), (9, 7), (1, 8), (3, 8), (2, 9)])))
    try #require(found.map(\.rule) == ["duplicate"])
    #expect(found[0].message.hasSuffix("handled 3 times, and 1 more of its kind has several"))
    #expect(found[0].nodes == [11, 21, 31, 41, 51])
  }

  @Test func oneForEachOwnerIsHealthy() {
    #expect(rules(graph([(1, 7), (4, 8), (9, 9)])) == [])
    #expect(rules(graph([(1, nil), (4, nil), (9, nil)])) == [])
  }

  @Test func whatIsMadeTogetherIsHealthy() {
    #expect(rules(graph([(1, 7), (1.01, 7), (1.9, 7)])) == [])
  }

  /// A post that arms its horn where it is made, and again when a shift begins; or for each of two horns.
  private final class Post: Sendable {
    let disposeBag = DisposeBag()

    init(_ warnings: Signal<Int>, shifts: Signal<Int>?) {
      if let shifts {
        arm(warnings)
        shifts.subscribe(with: self) { post, _ in post.again(warnings) }
      } else {
        armAll(warnings)
      }
    }

    private func again(_ warnings: Signal<Int>) { arm(warnings) }

    private func arm(_ warnings: Signal<Int>, function: StaticString = "arm()") {
      warnings.filter { $0 > 1 }.subscribe(with: self, function: function) { _, _ in }
    }

    private func armAll(_ warnings: Signal<Int>) {
      for _ in 1...2 {
        arm(warnings, function: "armAll()")
        warnings.map { $0 }.subscribe(with: self) { _, _ in }
      }
    }
  }

  @Test(arguments: [true, false]) func twoAtOneTimeAreFoundWhereAnotherIsMadeInBetween(isAnother: Bool) throws {
    let program = WatchedProgram()
    let (warnings, shift) = program.make { (Emitter<Int>(), Property(1)) }
    let post = program.make { Post(warnings.signal, shifts: isAnother ? shift.signal : nil) }
    let found = program.findings { for value in 0..<9 { warnings.send(value) } }
    #expect(found.map(\.rule) == (isAnother ? ["duplicate"] : []))
    withExtendedLifetime(post) {}
  }

  @Test(arguments: [
    "show(_:)", "watch(key:)", "addRow()", "init()", "body", "start(job:)", "makeRow()", "viewDidAppear(_:in:)",
    "startSession()", "restarted(_:)", "main()", "App", "openDocument()", "hire()", "registerGuest()", "checkIn()",
    "enter()", "joinTable()",
  ])
  func aFunctionThatMayBeCalledForOtherThingsIsHealthy(function: String) {
    #expect(rules(graph([(1, 7), (4, 7)], function: function)) == [])
  }

  @Test(arguments: [
    "viewDidAppear(_:)", "refresh()", "start()", "startListening()", "applicationDidBecomeActive()",
    "updateRows()", "login()", "setUp()", "listEntries()", "retryConnection()", "bind(to:)", "configure(with:at:)",
    "enterForeground()", "registerHandlers()", "connect()", "checkStatus()", "showBookings()",
  ])
  func aFunctionThatIsCalledAgainIsLookedAt(function: String) {
    #expect(rules(graph([(1, 7), (4, 7)], function: function)) == ["duplicate"])
  }

  @Test func aSourceOfEachSubscriptionIsNotTheSame() {
    #expect(rules(graph([(1, 7), (4, 7)], shared: false)) == [])
  }

  @Test func whatGetsOtherValuesIsNotTheSame() {
    let chains: [(Double, UInt64?)] = [(1, 7), (4, 7)]
    let before = graph(chains, takenAt: 90, values: [1, 1])
    #expect(rules(graph(chains, values: [9, 3]), since: before) == [])
    #expect(rules(graph(chains, values: [9, 9]), since: before) == ["duplicate"])
  }

  @Test func subscriptionsThatSendToDifferentSourcesAreNotTheSame() {
    func found(sendingTo targets: [UInt64]) -> [String] {
      var graph = graph([(1, 7), (4, 7)])
      for (index, target) in targets.enumerated() {
        graph.edges.append(Edge(source: UInt64(10 * index + 11), target: target, kind: .feedback, count: 5))
      }
      return rules(graph)
    }
    #expect(found(sendingTo: [2, 3]) == [])
    #expect(found(sendingTo: [2, 2]) == ["duplicate"])
  }

  @Test func whatWasMadeMeanwhileCounts() {
    let before = graph([(89, 7)], takenAt: 90, values: [1])
    #expect(rules(graph([(89, 7), (95, 7)], values: [9, 4]), since: before) == ["duplicate"])
    let nothing = graph([], takenAt: 90)
    #expect(rules(graph([(92, 7), (95, 7)], values: [9, 4]), since: nothing) == ["duplicate"])
  }

  @Test func whatEndedIsOver() {
    var ended = graph([(1, 7), (4, 7)])
    for index in ended.nodes.indices where ended.nodes[index].id >= 20 { ended.nodes[index].state = .disposed }
    #expect(rules(ended) == [])
  }

  @Test func anotherSourceIsAnotherChain() {
    var other = graph([(1, 7), (4, 7)])
    other.definitions.append(Definition(id: 4, kind: "emitter", fileID: "App/App.swift", line: 4, function: "main()"))
    other.nodes.append(Node(id: 2, definition: 4))
    other.edges.removeAll { $0.target == 20 }
    other.edges.append(Edge(source: 2, target: 20))
    #expect(rules(other) == [])
  }

  @Test func theMoreExactOfTwoRulesIsTold() {
    let before = graph((0..<5).map { (Double($0) * 2, 7) }, takenAt: 50)
    let after = graph((0..<30).map { (Double($0) * 2, 7) }, takenAt: 100)
    #expect(rules(after, since: before) == ["duplicate"])
    let growth = Rules.findings(in: Observation(after, since: before)) { $0 == "growth" }
    #expect(growth.map(\.rule) == ["growth"])
  }

  @Test func aTestIsNotLookedAt() {
    let observation = Observation(graph([(1, 7), (4, 7)]), time: .virtual)
    #expect(Rules.findings(in: observation).map(\.rule) == [])
  }

  // MARK: Real signals

  private final class Screen: Sendable {
    let bag = DisposeBag()

    func viewDidAppear(_ source: Signal<Int>) { refresh(source) }
    func refresh(_ source: Signal<Int>) { source.map { $0 + 1 }.subscribe(with: self) { _, _ in } }
  }

  /// The snapshot, as if what is in it had been made seconds apart.
  private func apart(_ snapshot: GraphSnapshot) -> GraphSnapshot {
    var snapshot = snapshot
    for index in snapshot.nodes.indices where snapshot.nodes[index].since != nil {
      snapshot.nodes[index].since = Double(snapshot.nodes[index].id) * 10
    }
    return snapshot
  }

  @Test func realOwnersAreToldApart() throws {
    let program = WatchedProgram()
    let prices = program.make { Emitter<Int>() }
    let screens = [Screen(), Screen()]
    var line = 0
    program.make {
      func refresh(_ screen: Screen) {
        prices.signal.map { $0 + 1 }.subscribe(with: screen) { _, _ in }; line = #line
      }
      for screen in screens { refresh(screen) }
      let once = apart(program.recorder.snapshot())
      #expect(Set(once.nodes.compactMap(\.ownerID)).count == 2)
      // A function in a function has its name only.
      #expect(rules(once) == [])
      for screen in screens { refresh(screen) }
    }
    var twice = apart(program.recorder.snapshot())
    for index in twice.definitions.indices { twice.definitions[index].function = "refresh()" }
    let found = Rules.findings(in: Observation(twice))
    try #require(found.map(\.rule) == ["duplicate"])
    #expect(found[0].place.line == line)
    #expect(found[0].message.hasPrefix("one `Screen` has subscribed 2 times here to the same source"))
    #expect(found[0].message.hasSuffix(", and 1 more of its kind has several"))
    prices.disposeAllSubscriptions()
  }

  @Test func whatABagOfAnOwnerHoldsBelongsToIt() throws {
    let program = WatchedProgram()
    let (screen, other) = (Screen(), Screen())
    program.make {
      let prices = Emitter<Int>()
      let bags = [DisposeBag(owner: screen), DisposeBag(owner: screen), DisposeBag(owner: other)]
      func startListening() {
        for bag in bags { prices.signal.map { $0 + 1 }.subscribe { _ in }.store(in: bag) }
        prices.signal.subscribe { _ in }.store(in: self.bag)
      }
      startListening()
      let snapshot = program.recorder.snapshot()
      let owners = snapshot.nodes.map { $0.ownerID }
      #expect(Set(owners.compactMap { $0 }).count == 2)
      #expect(snapshot.nodes.map(\.owner).filter { $0 == "Screen" }.count == 6)
      #expect(snapshot.nodes.map(\.owner).filter { $0 == nil }.count == 2)
      // They are the same at the next look, and those of `subscribe(with:)`.
      prices.signal.subscribe(with: screen, in: bags[2]) { _, _ in }
      let again = program.recorder.snapshot()
      #expect(Array(again.nodes.map(\.ownerID).prefix(owners.count)) == owners)
      let ofScreen = again.nodes.first { $0.owner == "Screen" }
      #expect(again.nodes.last?.ownerID == ofScreen?.ownerID)
      #expect(rules(apart(again)) == ["duplicate"])
      #expect(rules(again) == [])
      for bag in bags { bag.disposeAll() }
    }
    withExtendedLifetime((screen, other)) {}
  }

  @Test func anObjectInTheMemoryOfAnEarlierOneIsAnother() {
    let program = WatchedProgram()
    let prices = program.make { Emitter<Int>() }
    var numbers: [UInt64] = []
    for _ in 0..<50 {
      // What a bag keeps that is not the owner's lives on when the owner has gone.
      let screen = Screen()
      program.make { prices.signal.subscribe(with: screen, in: bag) { _, _ in }.store(in: bag) }
      numbers += program.recorder.snapshot().nodes.compactMap(\.ownerID).suffix(1)
    }
    #expect(Set(numbers).count == 50)
    bag.disposeAll()
  }

  @Test func rowsWithOwnersOfTheirOwnAreNotFound() {
    let program = WatchedProgram()
    let rows = (0..<8).map { _ in Screen() }
    program.make {
      let theme = Property(0)
      func refresh() { for row in rows { theme.signal.subscribe(with: row, in: row.bag) { _, _ in } } }
      refresh()
      #expect(rules(apart(program.recorder.snapshot())) == [])
    }
  }
}
