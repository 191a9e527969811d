import SignalFindings
import SignalGraph
import Signals
import Testing

@Suite("never-connected") struct NeverConnectedRuleTests {
  private let bag = DisposeBag()

  /// What is found while three values are sent.
  private func findings(
    for seconds: Double = 11, values: Int = 3, _ make: (ConnectableSignal<Int>) -> Void
  ) -> [Finding] {
    let program = WatchedProgram()
    let source = Emitter<Int>()
    program.make { make(source.signal.map { $0 + 1 }.multicast()) }
    return program.findings(for: seconds) { for value in 0..<values { source.send(value) } }
  }

  @Test func aSubscriberThatWaitsInVainIsFound() throws {
    var line = 0
    let found = findings {
      $0.signal.filter { $0 > 0 }.subscribe { _ in }.store(in: bag); line = #line
    }
    try #require(found.map(\.rule) == ["never-connected"])
    #expect(found[0].place.function == "findings(for:values:_:)")
    #expect(found[0].message.hasSuffix("s at this `multicast`, which was never connected"))
    #expect(found[0].related.map(\.place.line) == [line])
    #expect(found[0].related.map(\.message) == ["this `filter` waits"])
  }

  @Test func aConnectionThatNobodyKeptIsFound() {
    let found = findings {
      $0.signal.subscribe { _ in }.store(in: bag)
      _ = $0.connect()
    }
    #expect(found.map(\.rule) == ["never-connected"])
    #expect(found.first?.message.hasSuffix("s at this `multicast`, whose connection ended without a value") == true)
    #expect(found.first?.remedy.hasSuffix("which connect by themselves") == true)
  }

  @Test func whatIsConnectedIsNotFound() {
    for values in [0, 3] {
      #expect(
        findings(values: values) { numbers in
          numbers.signal.subscribe { _ in }.store(in: bag)
          numbers.connect().store(in: bag)
        } == [])
      #expect(findings(values: values) { $0.autoconnect().subscribe { _ in }.store(in: bag) } == [])
    }
  }

  @Test func remedyNamesTheNumberOfSubscribers() {
    func remedy(_ count: Int) -> String? {
      findings { ticks in
        let shared = ticks.autoconnect(after: 3)
        for _ in 0..<count { shared.subscribe { _ in }.store(in: bag) }
      }.first?.remedy
    }
    #expect(
      remedy(2)
        == "call `connect()` after all have subscribed, and retain its result; or use `autoconnect()` or `share()`, "
        + "which connect by themselves; if it has an `autoconnect(after:)`, lower its number: only 2 subscribers have come"
    )
    #expect(remedy(1)?.hasSuffix("only 1 subscriber has come") == true)
  }

  @Test func whatHadValuesAndWasDisconnectedIsNotFound() {
    let program = WatchedProgram()
    let source = Emitter<Int>()
    let numbers = program.make {
      let numbers = source.signal.multicast()
      numbers.signal.subscribe { _ in }.store(in: bag)
      let connection = numbers.connect()
      source.send(1)
      connection.dispose()
      return numbers
    }
    #expect(program.findings(for: 20) {} == [])
    withExtendedLifetime(numbers) {}
  }

  @Test func whatNobodySubscribesToIsNotFound() {
    #expect(findings { _ in } == [])
  }

  @Test func aSubscriberThatHasJustComeIsNotFound() {
    #expect(findings(for: 5) { $0.signal.subscribe { _ in }.store(in: bag) } == [])
  }
}
