import SignalFindings
import SignalGraph
import Signals
import Testing

extension Signal {
  /// An operator of a user's, whose name says nothing.
  fileprivate func custom(
    _ kind: StaticString, _ behavior: OperatorBehavior, passing isPassing: @escaping @Sendable (Int) -> Bool
  ) -> Signal<Int> where Value == Int {
    lift(Site(kind, behavior: behavior, fileID: #fileID, line: #line, function: #function), state: 0) {
      count, value, downstream in
      count += 1
      if isPassing(count) { try downstream.send(value) }
    }
  }
}

@Suite("Operators of users, by what they declare") struct DeclaredBehaviorTests {
  private let bag = DisposeBag()

  private func findings(_ make: (Signal<Int>) -> Void) -> [String] {
    let program = WatchedProgram()
    let source = Emitter<Int>()
    program.make { make(source.signal) }
    for value in 0..<100 { source.send(value) }
    return program.findings(for: 12) { for value in 0..<40 { source.send(value) } }.map(\.rule)
  }

  @Test func oneThatWaitsIsJudged() {
    #expect(
      findings { $0.custom("quiet", .waitsForPause) { _ in false }.subscribe { _ in }.store(in: bag) } == ["starved"])
    // The name alone says nothing.
    #expect(findings { $0.custom("debounce", []) { _ in false }.subscribe { _ in }.store(in: bag) } == [])
  }

  @Test func aWayThroughOneThatPassesOnIsFollowed() {
    func found(_ behavior: OperatorBehavior) -> [String] {
      findings { source in
        source.combineLatest(source.custom("map", behavior) { _ in true }).subscribe { _ in }.store(in: bag)
      }
    }
    #expect(found([.passesOn, .atMostOne]) == ["glitch"])
    #expect(found([]) == [])
  }

  @Test func whatAnOlderVersionWroteIsNotJudged() throws {
    let program = WatchedProgram()
    let source = Emitter<Int>()
    program.make {
      source.signal.combineLatest(source.signal.map { $0 }).subscribe { _ in }.store(in: bag)
    }
    var before = program.recorder.snapshot()
    for value in 0..<40 { source.send(value) }
    var after = program.recorder.snapshot()
    after.takenAt = before.takenAt + 10
    #expect(Rules.findings(in: Observation(after, since: before)).map(\.rule) == ["glitch"])
    for index in after.definitions.indices { after.definitions[index].behavior = nil }
    for index in before.definitions.indices { before.definitions[index].behavior = nil }
    #expect(Rules.findings(in: Observation(after, since: before)) == [])
  }

  @Test func whyTellsWhatItWaitsFor() throws {
    let program = WatchedProgram()
    let source = Emitter<Int>()
    program.make { source.signal.custom("settled", .waitsForPause) { _ in false }.subscribe { _ in }.store(in: bag) }
    let before = program.recorder.snapshot()
    for value in 0..<5 { source.send(value) }
    var after = program.recorder.snapshot()
    after.takenAt = before.takenAt + 1
    let subscriber = try #require(
      after.nodes.first { node in
        after.definitions.contains { $0.id == node.definition && $0.isSubscription }
      })
    let why = Explanation(of: subscriber, in: Observation(after, since: before))
    #expect(why.reason.hasSuffix("it waits for a pause between them that is long enough"), "\(why.reason)")
  }
}
