import Dispatch
import Signals
import Testing

@testable import SignalTesting

/// What is asked of a search that makes no sense, or that is more than anybody can run.
@Suite struct ExploringBoundsTests {
  private struct OutOfOrder: Error {}

  /// Pieces of work whose order matters.
  private static func pieces(_ count: Int, on scheduler: VirtualTimeScheduler) throws {
    let order = Property<[Int]>([])
    for number in 0..<count { scheduler.schedule { order.update { $0.append(number) } } }
    try scheduler.run()
    if order.value != Array(0..<count) { throw OutOfOrder() }
  }

  @Test(arguments: [Int.min, -1, 0, 1]) func lessThanTwoOrdersExploreNothing(orders: Int) {
    let failures = heldFailures { exploreInterleavings(orders: orders) { try Self.pieces(3, on: $0) } }
    #expect(
      failures.map(\.message) == [
        "orders: \(orders) explores nothing: scheduling order counts as one. Pass at least 2."
      ])
  }

  @Test func aFailureThatEndsTheScenarioIsToldOnce() {
    func required() throws { try #require(Bool(false)) }
    let same: (VirtualTimeScheduler) throws -> Int = { _ in
      try required()
      return 1
    }
    let searches: [() -> Void] = [
      { exploreInterleavings { _ in try required() } },
      { exploreInterleavings { _ in try await eventually(within: .seconds(1)) { false } } },
      { expectSameInEveryOrder(same) },
      { marblesInEveryOrder { _ in try required() } },
      { cancelEverywhere { _ in try required() } },
      { _ = mutateSources { _ in try required() } },
    ]
    for search in searches {
      let messages = heldFailures { search() }.map(\.message)
      #expect(messages.count == 1 && !messages.contains { $0.contains("threw") }, "\(messages)")
    }
  }

  @Test func asManyOrdersAsThereCanBe() {
    var result: Interleavings?
    let failures = heldFailures {
      result = exploreInterleavings(orders: .max) { try Self.pieces(30, on: $0) }
    }
    #expect(failures.count == 1)
    #expect(result?.swapCount == 1)
  }

  @Test(arguments: [
    "x-9223372036854775806.1-9223372036854775807", "x-0.1-10000001", "x-1.9223372036854775807-99999999999999999999",
  ]) func aTokenThatIsTooLongIsNoOrder(token: String) {
    let failures = heldFailures { exploreInterleavings(replaying: token) { try Self.pieces(3, on: $0) } }
    #expect(
      failures.map(\.message) == [
        "\"\(token)\" is not an order of work. Pass one that a failure of exploreInterleavings has printed."
      ])
  }

  @Test(arguments: [Duration.zero, .seconds(-1)]) func aFrameThatIsNotAboveZero(frame: Duration) {
    func declare(_ m: MarbleTest) { m.expectNoEvents(of: Signal<Int>.never(), for: .milliseconds(3)) }
    let runs: [() -> Void] = [
      { marbles(frame: frame) { declare($0) } },
      { _ = cancelEverywhere(frame: frame) { declare($0) } },
      { _ = mutateSources(frame: frame) { declare($0) } },
      { _ = findGlitches(frame: frame) { declare($0) } },
      { _ = marblesInEveryOrder(frame: frame) { declare($0) } },
    ]
    for run in runs {
      let failures = heldFailures(of: run)
      #expect(failures.count == 1)
      #expect(failures.first?.message.contains("is not positive. Pass one such as .milliseconds(1).") == true)
    }
  }

  /// What is declared belongs to virtual time, whatever runs it.
  @Test func aRealSchedulerIsFoundWhereverItIsDeclared() {
    func declare(_ m: MarbleTest) {
      let bag = DisposeBag()
      Signal.just(1).delay(for: .milliseconds(1), on: .qos(.default)).subscribe { _ in }.store(in: bag)
      m.expect(m.hot("-(ab)").signal, "-(ab)")
      m.expect(m.hot("-a").signal, "-a")
    }
    let runs: [() -> Void] = [
      { _ = cancelEverywhere { declare($0) } },
      { _ = mutateSources { declare($0) } },
      { _ = findGlitches { declare($0) } },
      { _ = marblesInEveryOrder { declare($0) } },
    ]
    for run in runs {
      let failures = heldFailures(of: run)
      #expect(failures.count == 1)
      #expect(failures.first?.message.contains("left virtual time.") == true)
      #expect(failures.first?.source?.fileName == "ExploringBoundsTests.swift")
    }
  }

  /// What is left names no file of the library.
  @Test func workThatIsLeftNamesTheTest() {
    let failures = heldFailures {
      marbles(workLimit: 1) { m in
        m.expect(m.hot("-a-b-|").signal, "-a-b-|")
        m.expect(m.cold("-a-b-|").signal, "-a-b-|")
      }
    }
    let message = failures.last?.message ?? ""
    #expect(message.contains("times a source of the test"), "\(message)")
    #expect(!message.contains("MarbleInput.swift"))
    #expect(!message.contains("MarbleTest+"))
  }

  /// Tasks of the declaration belong to it, too.
  @Test func tasksOfTheDeclarationAreInVirtualTime() {
    func declare(_ m: MarbleTest) {
      let property = Property("{}")
      let scheduler = m.scheduler
      for text in ["a", "b"] {
        Task {
          try await scheduler.sleep(for: .milliseconds(30))
          property.value = text
        }
      }
      m.expect(property.signal.filter { $0 != "{}" }.map { _ in "x" }, "- 29ms (xx|)")
    }
    #expect(heldFailures { marblesInEveryOrder(orders: 100) { declare($0) } }.isEmpty)
    #expect(heldFailures { _ = findGlitches { declare($0) } }.isEmpty)
    #expect(heldFailures { cancelEverywhere { declare($0) } }.isEmpty)
  }

  #if compiler(>=6.3)
    @Test func aWarningIsNoFailure() {
      withKnownIssue {
        let failures = heldFailures {
          exploreInterleavings { scheduler in
            for _ in 0..<3 { scheduler.schedule {} }
            try scheduler.run()
            Issue.record("only a warning", severity: .warning)
          }
        }
        #expect(failures.isEmpty)
      } matching: { issue in
        issue.severity == .warning
      }
    }
  #endif
}
