import Dispatch
import Foundation
import SignalTesting
import Signals
import Synchronization
import Testing

@testable import SignalTesting

/// What a closure lets fail, in place of the test.
func heldFailures(of body: () -> Void) -> [FailureCapture.Failure] {
  let capture = FailureCapture()
  capture.hold(body)
  return capture.take()
}

@Suite struct ExploreInterleavingsTests {
  /// Pieces of work that note their order.
  private static func order(_ count: Int, on scheduler: VirtualTimeScheduler) throws -> [Int] {
    let order = Property<[Int]>([])
    for number in 0..<count { scheduler.schedule { order.update { $0.append(number) } } }
    try scheduler.run()
    return order.value
  }

  @Test func everyOrderOfSixRunsOnce() {
    let seen = Mutex<[[Int]]>([])
    let result = exploreInterleavings { scheduler in
      let order = try Self.order(6, on: scheduler)
      seen.withLock { $0.append(order) }
    }
    #expect(result == Interleavings(runCount: 720, prunedCount: 0, isExhaustive: true))
    let orders = seen.withLock { $0 }
    #expect(Set(orders).count == 720)
    // The orders nearest to the scheduling order come first.
    let distances = orders.map { order in
      order.indices.reduce(0) { sum, index in sum + order[index...].count { $0 < order[index] } }
    }
    #expect(distances == distances.sorted())
  }

  @Test func hotValueAndTimerOfOneInstantChangePlaces() {
    let failures = heldFailures {
      marblesInEveryOrder { m in
        let source = m.hot("--a")
        let timer = Signal.timer(after: .milliseconds(2), on: m.scheduler).map { _ in "t" }
        m.expect(source.signal.merge(with: timer), "--(at)")
      }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("Fails in another order of work") == true, "\(failures)")
    let result = marblesInEveryOrder { m in
      let source = m.hot("--a")
      let timer = Signal.timer(after: .milliseconds(2), on: m.scheduler).map { _ in "t" }
      m.expect(source.signal.merge(with: timer), "--(a & t)")
    }
    #expect(result == Interleavings(runCount: 2, prunedCount: 0, isExhaustive: true))
  }

  /// Swift Testing delivers an issue without a current test to all tests. It is known, so that it fails none.
  @Test func issueOfAnotherTestIsNoFailureOfASearch() {
    let failures = heldFailures {
      let isDone = DispatchSemaphore(value: 0)
      Thread {
        withKnownIssue { Issue.record("stray") }
        isDone.signal()
      }.start()
      isDone.wait()
    }
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test func issueOfADetachedTaskIsAFailureOfItsSearch() {
    let failures = heldFailures {
      withVirtualTime { time in
        Task.detached { withKnownIssue { Issue.record("of a detached task") } }
        try? time.advance()
      }
    }
    #expect(failures.map(\.message) == ["of a detached task"])
  }

  @Test func onlyOrderIsExplained() {
    func message(_ scenario: (VirtualTimeScheduler) throws -> Void) -> String {
      let failures = heldFailures { exploreInterleavings { try scenario($0) } }
      return failures.first?.message ?? ""
    }
    let caused = message { scheduler in
      scheduler.schedule(at: SchedulerInstant(sinceOrigin: .milliseconds(3)), phase: .work) { scheduler.schedule {} }
      try scheduler.run()
    }
    #expect(caused.contains("At 3 ms two work items run, but one schedules the other"), "\(caused)")
    let apart = message { scheduler in
      for time in [1, 5, 9, 10] {
        scheduler.schedule(at: SchedulerInstant(sinceOrigin: .milliseconds(time)), phase: .work) {}
      }
      try scheduler.run()
    }
    #expect(apart.contains("The closest work items are at 9 ms and 10 ms"), "\(apart)")
    let boundary = message { scheduler in
      let instant = SchedulerInstant(sinceOrigin: .milliseconds(4))
      scheduler.schedule(at: instant, phase: .test) {}
      scheduler.schedule(at: instant, phase: .work) {}
      try scheduler.run()
    }
    #expect(boundary.contains("At 4 ms two work items run, but one belongs to the test itself"), "\(boundary)")
  }

  @Test func aBugAmongSixIsFoundByExhaustion() throws {
    // Only one of the 720 orders fails.
    let bad = [5, 3, 4, 0, 2, 1]
    var result: Interleavings?
    let failures = heldFailures {
      result = exploreInterleavings { scheduler in
        let order = try Self.order(6, on: scheduler)
        #expect(order != bad)
      }
    }
    #expect(result?.swapCount == 12)
    try #require(failures.count == 1)
    #expect(failures[0].message.contains("12 swaps from scheduling order, the fewest possible"))
    #expect(failures[0].message.contains("scheduling order  (abcdef)"))
    #expect(failures[0].message.contains("failing order     (fdeacb)"))
    #expect(failures[0].source?.fileID == "SignalTestingTests/ExploreInterleavingsTests.swift")

    let token = try #require(result?.failingOrder)
    let replayed = self.failuresOfReplay(token, bad)
    #expect(replayed.count == 1)
    #expect(self.failuresOfReplay(ReplayToken(OrderRecord(), at: "x").description, bad).isEmpty)
  }

  private func failuresOfReplay(_ token: String, _ bad: [Int]) -> [FailureCapture.Failure] {
    heldFailures {
      let result = exploreInterleavings(replaying: token) { scheduler in
        let order = try Self.order(6, on: scheduler)
        #expect(order != bad)
      }
      #expect(result.runCount == 1)
    }
  }

  @Test func aBugAmongTwelveIsFoundBySeedsAndShrunk() throws {
    for seed in 0..<5 as Range<UInt64> {
      var result: Interleavings?
      let failures = heldFailures {
        result = exploreInterleavings(orders: 2_000, seed: seed) { scheduler in
          let order = try Self.order(12, on: scheduler)
          func place(_ number: Int) -> Int { order.firstIndex(of: number) ?? -1 }
          // Four of them in reverse: 1 of 24 orders, and none of those with few swaps.
          #expect(!(place(11) < place(8) && place(8) < place(4) && place(4) < place(0)))
        }
      }
      #expect(failures.count == 1)
      #expect(result?.isExhaustive == false)
      // Six pairs of the four, one swap for each of 1, 2, 3, 9 and 10, two for each of 5, 6 and 7.
      #expect(result?.swapCount == 17)
    }
  }

  /// What a closure reports as warnings, in place of the test.
  private func heldWarnings(of body: @escaping @Sendable () -> Void) async throws -> [String] {
    let warnings = Mutex<[String]>([])
    let trait = IssueHandlingTrait.compactMapIssues { issue in
      guard issue.severity == .warning else { return issue }
      warnings.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
      return nil
    }
    try await trait.provideScope(for: #require(Test.current), testCase: Test.Case.current) { body() }
    return warnings.withLock { $0 }
  }

  /// Six orders are possible.
  @Test(
    arguments: [
      (orders: nil, defaultOrders: 6, warns: false), (nil, 5, true), (5, 10_000, false), (6, 10_000, false),
    ] as [(Int?, Int, Bool)])
  func searchWarnsIfItsDefaultLimitEndsIt(orders: Int?, defaultOrders: Int, warns: Bool) async throws {
    let warnings = try await heldWarnings {
      let exploration = Exploration(
        "exploreInterleavings", orders: orders, defaultOrders: defaultOrders, seed: 0, fileID: #fileID,
        filePath: #filePath, line: #line, column: #column, function: #function)
      let result = exploration.run(replaying: nil) { director, _ in
        let scheduler = VirtualTimeScheduler()
        director.direct(scheduler)
        #expect(throws: Never.self) { try Self.order(3, on: scheduler) }
      }
      #expect(result.isExhaustive == ((orders ?? defaultOrders) == 6))
    }
    let warning =
      "exploreInterleavings found no failure in 5 orders, but there are more. Let fewer things happen at the same instant, "
      + "declare with onlyTouches what a work item uses, or pass orders: to state how many are enough."
    #expect(warnings == (warns ? [warning] : []))
  }

  @Test func theFewestSwapsAreFound() {
    var result: Interleavings?
    let failures = heldFailures {
      result = exploreInterleavings { scheduler in
        let order = try Self.order(7, on: scheduler)
        // 4 before 2 takes three swaps: with 3 between them, 2 with 3, then 4 with 2, or with both.
        if let four = order.firstIndex(of: 4), let two = order.firstIndex(of: 2), four < two {
          throw CancellationError()
        }
      }
    }
    #expect(failures.count == 1)
    #expect(result?.swapCount == 2)
    #expect(failures.first?.message.contains("The scenario threw CancellationError()") ?? false)
  }

  @Test func healthyScenariosReportNothing() {
    exploreInterleavings { scheduler in
      let total = Property(0)
      for price in [5, 7, 9] { scheduler.schedule { total.update { $0 += price } } }
      try scheduler.run()
      #expect(total.value == 21)
    }
    expectSameInEveryOrder { scheduler in
      let total = Property(0)
      for price in [5, 7, 9] { scheduler.schedule { total.update { $0 += price } } }
      try scheduler.run()
      return total.value
    }
    marblesInEveryOrder { m in
      let left = m.hot("-a-a-|")
      let right = m.hot("-b-b-|")
      m.expect(Signal.merge(left.signal, right.signal), "-(a & b)-(a & b)-|")
    }
  }

  @Test func anotherResultIsToldOnce() throws {
    let failures = heldFailures {
      expectSameInEveryOrder { scheduler in
        let balance = Property(10)
        let now = scheduler.now
        scheduler.schedule(at: now, phase: .work) { balance.update { $0 += 5 } }
        scheduler.schedule(at: now, phase: .work) { balance.update { $0 *= 2 } }
        try scheduler.run()
        return balance.value
      }
    }
    try #require(failures.count == 1)
    #expect(failures[0].message.contains("Scheduling order gives 30, another order 25."))
    #expect(failures[0].message.contains("a = schedule(at:) ExploreInterleavingsTests.swift:"))
  }

  /// What only the first run throws is its failure, and no reason to compare nothing.
  @Test func errorOfTheFirstRunFails() {
    var runCount = 0
    let failures = heldFailures {
      expectSameInEveryOrder { scheduler in
        runCount += 1
        for _ in 1...3 { scheduler.schedule {} }
        try scheduler.run()
        if runCount == 1 { throw CancellationError() }
        return runCount
      }
    }
    #expect(failures.map(\.message) == ["The scenario threw CancellationError()."])
    #expect(runCount == 1)
  }

  @Test func replayComparesWithSchedulingOrder() throws {
    func failures(replaying token: String? = nil, throwing: Bool = false) -> (String?, [String]) {
      var runCount = 0
      var order: String?
      let failures = heldFailures {
        order =
          expectSameInEveryOrder(replaying: token) { scheduler in
            runCount += 1
            let balance = Property(10)
            scheduler.schedule { balance.update { $0 += 5 } }
            scheduler.schedule { balance.update { $0 *= 2 } }
            try scheduler.run()
            if throwing, runCount == 1 { throw CancellationError() }
            return balance.value
          }
          .failingOrder
      }
      return (order, failures.map(\.message))
    }
    let token = try #require(failures().0)
    let (order, messages) = failures(replaying: token)
    #expect(order == token)
    #expect(messages.count == 1 && messages[0].contains("Scheduling order gives 30, another order 25."))
    let thrown = failures(replaying: token, throwing: true).1
    #expect(thrown.count == 1 && thrown[0].contains("The scenario threw CancellationError()."))
  }

  @Test func marblesTellTheirOwnDifference() throws {
    var result: Interleavings?
    let failures = heldFailures {
      result = marblesInEveryOrder { m in
        let left = m.hot("-a-|")
        let right = m.hot("-b-|")
        m.expect(Signal.merge(left.signal, right.signal), "-(ab)-|")
      }
    }
    try #require(failures.count == 1)
    #expect(failures[0].message.contains("expected"))
    #expect(failures[0].message.contains("marblesInEveryOrder(replaying: \""))
    #expect(result?.swapCount == 1)
  }

  @Test func tasksTakeTurnsInEveryOrder() throws {
    var result: Interleavings?
    let failures = heldFailures {
      result = exploreInterleavings(ofTask: { scheduler in
        let stock = Property(1)
        let sold = Property(0)
        await withTaskGroup { group in
          for _ in 0..<2 {
            group.addTask {
              // Looks, waits its turn, and takes.
              guard stock.value > 0 else { return }
              await Task.yield()
              stock.update { $0 -= 1 }
              sold.update { $0 += 1 }
            }
          }
        }
        #expect(sold.value <= 1)
      })
    }
    #expect(failures.count == 1)
    #expect(result != nil)
  }

  @Test func tasksThatNobodyControlsTakeTurnsToo() {
    actor Account {
      var balance = 10
      func withdraw(_ amount: Int, on time: VirtualTimeScheduler) async throws {
        guard balance >= amount else { return }
        // Reentrant: others come in between.
        try await time.sleep(for: .milliseconds(1))
        balance -= amount
      }
    }
    let failures = heldFailures {
      exploreInterleavings(ofTask: { time in
        let account = Account()
        let first = Task { try await account.withdraw(8, on: time) }
        // The plain order is fine: the second comes when the first is done.
        let second = Task.detached {
          try await time.sleep(for: .milliseconds(1))
          try await account.withdraw(8, on: time)
        }
        try await first.value
        try await second.value
        #expect(await account.balance >= 0)
      })
    }
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("swap") ?? false)
  }

  @Test func everyOrderOfTasksMayBeFine() {
    let result = exploreInterleavings(ofTask: { scheduler in
      let sold = Property(0)
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { sold.update { $0 += 1 } } }
      }
      #expect(sold.value == 3)
    })
    #expect(result.runCount >= 6)
    #expect(result.isExhaustive)
  }

  /// Functions of the library and of the user that do not suspend add no work items.
  @Test(.enabled(if: TaskHooks.areThere)) func sleepsOfTasksHaveFewOrders() {
    let result = exploreInterleavings { time in
      let sold = Property(0)
      for _ in 0..<2 {
        Task {
          try await time.sleep(for: .seconds(1))
          await sell(sold)
        }
      }
      try time.run()
      #expect(sold.value == 2)
    }
    // Two starts in 2 orders, then two ends of sleeps with what follows each in 6.
    #expect(result == Interleavings(runCount: 12, prunedCount: 0, isExhaustive: true))
  }

  private func sell(_ sold: Property<Int>) async { sold.update { $0 += 1 } }

  @Test func declaredWorkThatCommutesIsPruned() {
    let seen = Mutex<Set<[Int]>>([])
    let result = exploreInterleavings { scheduler in
      let orders = [Property<[Int]>([]), Property<[Int]>([])]
      for number in 0..<6 {
        scheduler.schedule {
          onlyTouches("\(number % 2)")
          orders[number % 2].update { $0.append(number) }
        }
      }
      try scheduler.run()
      seen.withLock { _ = $0.insert(orders[0].value + orders[1].value) }
    }
    #expect(result.isExhaustive)
    // All 36 results are seen, with far fewer than 720 runs.
    #expect(seen.withLock { $0.count } == 36)
    #expect(result.runCount < 120)
    #expect(result.prunedCount > 0)
  }

  @Test func workThatSaysNothingIsNotPruned() {
    let seen = Mutex<Set<[Int]>>([])
    let result = exploreInterleavings { scheduler in
      let order = Property<[Int]>([])
      for number in 0..<5 {
        scheduler.schedule {
          if number == 0 { onlyTouches("first") }
          order.update { $0.append(number) }
        }
      }
      try scheduler.run()
      seen.withLock { _ = $0.insert(order.value) }
    }
    #expect(result.runCount == 120)
    #expect(seen.withLock { $0.count } == 120)
  }

  @Test func prunedSearchesFindTheSameBugs() {
    // Random programs: each piece touches some of three things; what comes of them is compared with and without pruning.
    var random = SplitMix(seed: 7)
    for _ in 0..<30 {
      let touched = (0..<5).map { _ in
        Set((0..<Int.random(in: 1...2, using: &random)).map { _ in Int.random(in: 0..<3, using: &random) })
      }
      func results(isPruned: Bool) -> Set<[[Int]]> {
        let seen = Mutex<Set<[[Int]]>>([])
        exploreInterleavings { scheduler in
          let things = (0..<3).map { _ in Property<[Int]>([]) }
          @Sendable func piece(_ number: Int) {
            if isPruned { for thing in touched[number % 5] { onlyTouches("\(thing)") } }
            for thing in touched[number % 5].sorted() { things[thing].update { $0.append(number) } }
            // Some schedule more at the same instant.
            if number == 1 { scheduler.schedule { piece(6) } }
          }
          for number in 0..<5 { scheduler.schedule { piece(number) } }
          try scheduler.run()
          seen.withLock { _ = $0.insert(things.map(\.value)) }
        }
        return seen.withLock { $0 }
      }
      #expect(results(isPruned: true) == results(isPruned: false))
    }
  }

  @Test func anEmptyScenarioFails() {
    #expect(heldFailures { exploreInterleavings { _ in } }.first?.message.contains("ran no work") ?? false)
    let lonely = heldFailures {
      exploreInterleavings { scheduler in
        scheduler.schedule {}
        try scheduler.run()
      }
    }
    #expect(lonely.first?.message.contains("only one order exists") ?? false)
  }

  @Test func whatFailsInSchedulingOrderIsToldAsItIs() {
    let failures = heldFailures {
      let result = exploreInterleavings { scheduler in
        _ = try Self.order(3, on: scheduler)
        throw CancellationError()
      }
      #expect(result.failingOrder == "")
      #expect(result.runCount == 1)
    }
    #expect(failures.map(\.message) == ["The scenario threw CancellationError()."])
  }

  @Test func aScenarioThatIsNotTheSameIsTold() {
    let runs = Property(0)
    let failures = heldFailures {
      exploreInterleavings { scheduler in
        runs.update { $0 += 1 }
        _ = try Self.order(runs.value > 2 ? 3 : 4, on: scheduler)
      }
    }
    #expect(failures.first?.message.contains("not the same in each run") ?? false)
  }

  @Test func aTokenThatDoesNotFitIsTold() {
    let broken = heldFailures { exploreInterleavings(replaying: "nonsense") { _ in } }
    #expect(broken.first?.message.contains("is not an order of work") ?? false)
    let outdated = heldFailures {
      exploreInterleavings(replaying: "x-0.7-9") { scheduler in _ = try Self.order(3, on: scheduler) }
    }
    #expect(outdated.first?.message.contains("no longer fits") ?? false)
  }

  @Test func tokensReadBack() {
    for choices in [[], [0, 3, 0, 0, 1], [2], [0, 0]] {
      var record = OrderRecord()
      record.choices = choices + [0, 0]
      let token = ReplayToken(record, at: "abc")
      #expect(ReplayToken(token.description) == token)
    }
  }

  @MainActor @Test func theMainActorIsKept() {
    exploreInterleavings { scheduler in
      _ = try Self.order(2, on: scheduler)
      MainActor.assumeIsolated {}
    }
  }

  @Test func anUnhandledFailureFails() {
    let failures = heldFailures {
      exploreInterleavings { scheduler in
        let source = Emitter<Int>()
        let bag = DisposeBag()
        source.signal.subscribe { _ in }.store(in: bag)
        scheduler.schedule { source.finish() }
        scheduler.schedule { source.fail(CancellationError()) }
        try scheduler.run()
      }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("unhandled failure") ?? false)
  }
}
