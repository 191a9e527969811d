import Signals
import Synchronization
import Testing

@testable import SignalTesting

/// Tasks that have not ended.
@Suite struct TaskLeakTests {
  private let keeper = LeakKeeper()
  private let keys = Emitter<Int>()
  private let time = VirtualTimeScheduler()

  private func leaks(forWork patience: Duration = .zero, _ body: () throws -> Void) rethrows -> [Leak] {
    let check = LeakCheck(patience: Self.patience(patience))
    defer { check.recorder.close() }
    try check.recorder.record(body)
    return check.leaks()
  }

  private static func patience(_ forWork: Duration) -> LeakCheck.Patience {
    var patience = LeakCheck.Patience.brief
    patience.forWork = forWork
    return patience
  }

  // MARK: Tasks of a scheduler

  @Test func aTaskThatSleepsIsNamedByItsOwnLine() throws {
    let leaks = try leaks {
      time.task { [time] in
        try await time.sleep(for: .seconds(1))
      }
      try time.advance()
    }
    #expect(leaks.map(\.kind) == [.taskStillRunning])
    #expect(leaks.first?.chain == "task TaskLeakTests.swift:\(#line - 6)")
    #expect(leaks.first?.site?.line == #line - 7)
    #expect(
      leaks.first?.details == ["in aTaskThatSleepsIsNamedByItsOwnLine()", "it sleeps in virtual time"])
  }

  @Test func aTaskThatNeverRanIsStillRunning() {
    let leaks = leaks { time.task {} }
    #expect(leaks.map(\.chain) == ["task TaskLeakTests.swift:\(#line - 1)"])
  }

  /// Its task does not inherit what is local to the one that starts it.
  @Test func whatMapAsyncAndItsHandlerSubscribeToBelongsToTheCheck() async {
    func leaks(_ body: () async -> Void) async -> [Leak.Kind] {
      // The value comes before its task has ended.
      var patience = LeakCheck.Patience()
      (patience.forWork, patience.forRelease) = (.seconds(600), .seconds(600))
      let check = LeakCheck(patience: patience)
      defer { check.recorder.close() }
      await check.recorder.record(body)
      return await check.leaks().map(\.kind)
    }
    let inClosure = await leaks {
      _ = try? await Signal.just(1).mapAsync { [keys, keeper] number in
        keys.signal.subscribe { _ in }.store(in: keeper.bag)
        return number
      }.firstValue()
    }
    #expect(inClosure == [.neverDisposed])
    let inHandler = await leaks {
      _ = try? await Signal.just(1).mapAsync { $0 }.handle { [keys, keeper] _ in
        keys.signal.subscribe { _ in }.store(in: keeper.bag)
      }.firstValue()
    }
    #expect(inHandler == [.neverDisposed])
  }

  @Test func aTaskThatHasEndedIsNone() throws {
    let leaks = try leaks {
      time.task { [time] in try await time.sleep(for: .seconds(1)) }
      time.task { throw CancellationError() }
      time.task { [time] in try await time.sleep(for: .seconds(9)) }.cancel()
      try time.advance(by: .seconds(2))
    }
    #expect(leaks == [])
  }

  @Test func aTaskThatWaitsForSomethingElseIsStillRunning() throws {
    let waiter = Waiter()
    let leaks = try leaks {
      time.task { await waiter.wait() }
      try time.run()
    }
    #expect(leaks.map(\.chain) == ["task TaskLeakTests.swift:\(#line - 3)"])
    waiter.resume()
    try time.run()
  }

  @Test func workThatATaskSchedulesHasItsOwnLine() throws {
    let keeper = keeper
    let leaks = try leaks {
      time.task { [time] in keeper.keep(time.schedule(after: .seconds(1)) {}) }
      try time.advance()
    }
    #expect(leaks.map(\.chain) == ["schedule(after:) TaskLeakTests.swift:\(#line - 3)"])
  }

  @Test func theSleepOfAChildTaskGoesBackToTheTask() throws {
    let leaks = try leaks {
      time.task { [time] in
        async let first: Void = time.sleep(for: .seconds(1))
        async let second: Void = time.sleep(for: .seconds(2))
        _ = try await (first, second)
      }
      try time.advance()
    }
    #expect(leaks.map(\.chain) == ["task TaskLeakTests.swift:\(#line - 7)"])
  }

  // MARK: Tasks of operators

  @Test func aTaskOfALivingSubscriptionIsToldWithIt() throws {
    let leaks = try leaks {
      keys.signal.mapAsync(executor: time) { [time] _ in try await time.sleep(for: .seconds(1)) }
        .subscribe { _ in }.store(in: keeper.bag)
      keys.send(1)
      try time.advance()
    }
    #expect(leaks.map(\.kind) == [.neverDisposed])
    let task = "work of mapAsync TaskLeakTests.swift:\(#line - 6) is a task that has not finished"
    #expect(leaks.first?.details.contains(task) == true, "\(leaks)")
  }

  @Test func aTaskOfADisposedSubscriptionThatHeedsNothingIsStillRunning() throws {
    let waiter = Waiter()
    let leaks = try leaks {
      let subscription = keys.signal.mapAsync(executor: time) { _ in await waiter.wait() }.subscribe { _ in }
      keys.send(1)
      try time.advance()
      subscription.dispose()
      try time.advance()
    }
    let line = #line - 6
    #expect(leaks.map(\.kind) == [.taskStillRunning])
    #expect(
      leaks.first?.chain.hasPrefix(
        "task of subscribe TaskLeakTests.swift:\(line) <- mapAsync TaskLeakTests.swift:\(line)") == true, "\(leaks)")
    #expect(leaks.first?.details.contains { $0.contains("it was cancelled when its subscription ended") } == true)
    #expect(leaks.first?.advice.contains("respond to cancellation") == true)
    waiter.resume()
    try time.run()
  }

  @Test(arguments: [true, false]) func aTaskOfAChainThatMayStayMayGoOn(isAllowed: Bool) throws {
    let (waiter, name) = (Waiter(), Set(["lookup"]))
    try assertNoLeaks(ignoring: isAllowed ? [] : name, allowing: isAllowed ? name : []) {
      let found = keys.signal.mapAsync(executor: time) { _ in await waiter.wait() }.named("lookup")
      let subscription = found.subscribe { _ in }
      keys.send(1)
      try time.advance()
      subscription.dispose()
      try time.advance()
    }
    waiter.resume()
    try time.run()
  }

  @Test func aTaskOfASubscriptionWhoseObserverIsHeldIsStillRunning() throws {
    let waiter = Waiter()
    let leaks = try leaks {
      let subscription = keys.signal.mapAsync(executor: time) { _ in await waiter.wait() }.observerKept(in: keeper)
        .subscribe { _ in }
      keys.send(1)
      try time.advance()
      subscription.dispose()
      try time.advance()
    }
    #expect(Set(leaks.map(\.kind)) == [.stillRetained, .taskStillRunning], "\(leaks)")
    waiter.resume()
    try time.run()
  }

  @Test func aTaskThatIsAboutToEndWhenTimeIsAdvancedIsNone() throws {
    let leaks = try leaks {
      let subscription = keys.signal.mapAsync(executor: time) { [time] _ in try await time.sleep(for: .seconds(1)) }
        .subscribe { _ in }
      keys.send(1)
      try time.advance()
      subscription.dispose()
    }
    #expect(leaks == [])
    try time.run()
  }

  @Test func aTaskOfASourceIsStillRunning() throws {
    let waiter = Waiter()
    let leaks = try leaks {
      Signal.async(executor: time) { await waiter.wait() }.subscribe { _ in }.store(in: keeper.bag)
      try time.advance()
      keeper.bag.disposeAll()
      try time.advance()
    }
    #expect(leaks.map(\.kind) == [.taskStillRunning])
    #expect(leaks.first?.chain.contains("async TaskLeakTests.swift:\(#line - 6)") == true)
    waiter.resume()
    try time.run()
  }

  /// Without an executor, the world of the task is that of the test.
  @Test(.enabled(if: TaskHooks.areThere)) func taskWithoutExecutorThatIgnoresCancellationIsALeak() throws {
    try withVirtualTime { time in
      let waiter = Waiter()
      let leaks = try leaks {
        keys.signal.mapAsync { _ in await waiter.wait() }.subscribe { _ in }.store(in: keeper.bag)
        Signal.async { await waiter.wait() }.subscribe { _ in }.store(in: keeper.bag)
        keys.send(1)
        try time.advance()
        keeper.bag.disposeAll()
        try time.advance()
      }
      #expect(leaks.map(\.kind) == [.taskStillRunning, .taskStillRunning], "\(leaks)")
      waiter.resume()
      try time.advance()
    }
  }

  @Test(.enabled(if: TaskHooks.areThere)) func taskWithoutExecutorThatIsAboutToEndIsNoLeak() throws {
    try withVirtualTime { time in
      let leaks = try leaks {
        let subscription = keys.signal.mapAsync { _ in try await time.sleep(for: .seconds(1)) }.subscribe { _ in }
        keys.send(1)
        try time.advance()
        subscription.dispose()
      }
      #expect(leaks == [])
    }
  }

  @Test func aTaskInRealTimeThatIsCancelledIsWaitedFor() async {
    let check = LeakCheck(patience: Self.patience(.seconds(10)))
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    await check.recorder.record {
      let subscription = keys.signal.mapAsync { _ in
        start.yield()
        while !Task.isCancelled { await Task.yield() }
      }.subscribe { _ in }
      keys.send(1)
      for await _ in started { break }
      subscription.dispose()
    }
    #expect(await check.leaks() == [])
    check.recorder.close()
  }

  @Test func aTaskInRealTimeThatHeedsNothingIsStillRunning() async {
    let waiter = Waiter()
    let check = LeakCheck(patience: Self.patience(.milliseconds(20)))
    check.recorder.record {
      let subscription = keys.signal.mapAsync { _ in await waiter.wait() }.subscribe { _ in }
      keys.send(1)
      subscription.dispose()
    }
    #expect(await check.leaks().map(\.kind) == [.taskStillRunning])
    check.recorder.close()
    waiter.resume()
  }

  @Test(arguments: [true, false]) func onlyATaskThatIsNotIgnoredIsWaitedFor(isAllowed: Bool) {
    let (waiter, name) = (Waiter(), Set(["lookup"]))
    let check = LeakCheck(ignoring: isAllowed ? [] : name, allowing: isAllowed ? name : [], failures: nil)
    check.recorder.record {
      let subscription = keys.signal.mapAsync { _ in await waiter.wait() }.named("lookup").subscribe { _ in }
      keys.send(1)
      subscription.dispose()
    }
    let finder = LeakFinder(check.recorder, ignoring: name)
    #expect(finder.leaks() == [])
    #expect(check.reasonToWait(finder, []) == (isAllowed ? .forWork : nil))
    check.recorder.close()
    waiter.resume()
  }

  // MARK: Loops

  @Test func aLoopThatReadsASignalIsATask() throws {
    let keys = keys
    let leaks = try leaks {
      time.task { for try await _ in keys.signal.values() {} }
      try time.advance()
    }
    let line = #line - 3
    #expect(leaks.map(\.kind) == [.taskStillRunning, .taskStillRunning])
    #expect(Set(leaks.map { $0.site?.line }) == [line])
    let read = leaks.first { $0.chain.hasPrefix("subscribe TaskLeakTests.swift:\(line) <- emitter") }
    #expect(
      read?.details.contains("a task reads the signal: a loop over values(), or firstValue()") == true, "\(leaks)")
  }

  @Test func aLoopThatWasLeftIsNone() throws {
    let keys = keys
    let leaks = try leaks {
      time.task { for try await _ in keys.signal.values() { break } }
      try time.advance()
      keys.send(1)
      try time.advance()
    }
    #expect(leaks == [])
  }

  // MARK: Tasks that nobody controls

  @Test(.enabled(if: TaskHooks.areThere)) func aTaskUnderVirtualTimeIsStillRunning() throws {
    try withVirtualTime { time in
      let leaks = try leaks {
        time.background {
          Task { try await time.sleep(for: .seconds(1)) }
          Task.detached { try await time.sleep(for: .seconds(1)) }
        }
        try time.advance()
      }
      #expect(leaks.map(\.kind) == [.taskStillRunning, .taskStillRunning])
      let lines = [#line - 6, #line - 5]
      #expect(leaks.map(\.chain) == lines.map { "Task { } TaskLeakTests.swift:\($0)" })
    }
  }

  @Test(.enabled(if: TaskHooks.areThere)) func aTaskUnderVirtualTimeThatHasEndedIsNone() throws {
    try withVirtualTime { time in
      let leaks = try leaks {
        let kept = Task { try await time.sleep(for: .seconds(1)) }
        keeper.keep(kept)
        Task.detached { await withTaskGroup(of: Void.self) { $0.addTask {} } }
        try time.advance(by: .seconds(2))
      }
      #expect(leaks == [])
    }
  }

  @Test(.enabled(if: TaskHooks.areThere)) func severalLooksAtATaskAgree() throws {
    try withVirtualTime { time in
      let check = LeakCheck(patience: Self.patience(.zero))
      try check.recorder.record {
        keeper.keep(Task { for _ in 1...3 { try await time.sleep(for: .seconds(1)) } })
        try time.advance()
      }
      for _ in 1...3 {
        #expect(check.leaks().map(\.kind) == [.taskStillRunning])
        try time.advance(by: .seconds(1))
      }
      #expect(check.leaks() == [])
      check.recorder.close()
    }
  }

  @Test func aTaskThatSomebodyElseNotesIsToldOnce() throws {
    try withVirtualTime { time in
      let leaks = try leaks {
        time.background {
          time.task { try await time.sleep(for: .seconds(1)) }
          keys.signal.mapAsync { _ in try? await time.sleep(for: .seconds(1)) }.subscribe { _ in }.store(in: keeper.bag)
          keys.send(1)
        }
        try time.advance()
      }
      #expect(leaks.map(\.kind) == [.taskStillRunning, .neverDisposed], "\(leaks)")
      #expect(leaks.first?.chain == "task TaskLeakTests.swift:\(#line - 7)")
    }
  }

  @Test func aSleepNamesTheTaskAlsoWhereNobodyLooksForLeaks() throws {
    let recorder = GraphRecorder()
    try recorder.record {
      time.task { [time] in try await time.sleep(for: .seconds(1)) }
      try time.advance()
    }
    #expect(recorder.pendingWork.map { $0.site?.line } == [#line - 3])
    #expect(recorder.pendingWork.map { $0.site?.kind } == ["task"])
  }

  @Test(.enabled(if: TaskHooks.areThere)) func aTaskOfATaskNamesThatOne() throws {
    try withVirtualTime { time in
      let leaks = try leaks {
        time.background { time.task { Task { try await time.sleep(for: .seconds(9)) } } }
        try time.advance()
      }
      #expect(leaks.map(\.kind) == [.taskStillRunning], "\(leaks)")
      #expect(leaks.first?.chain == "Task { } TaskLeakTests.swift:\(#line - 4)")
    }
  }

  /// Its task goes on when the check begins, and ends then.
  @Test(.enabled(if: TaskHooks.areThere)) func aTaskThatADeinitCancelsHasEnded() throws {
    final class Reader: Sendable {
      let shown = Property(0)
      private let task = Mutex<Task<Void, Never>?>(nil)

      init(_ numbers: Signal<Int>) {
        let task = Task { [shown] in
          do { for try await number in numbers.values() { shown.value = number } } catch {}
        }
        self.task.withLock { $0 = task }
      }

      deinit { task.withLock { $0?.cancel() } }
    }
    try withVirtualTime { time in
      let numbers = Emitter<Int>()
      try await assertNoLeaks {
        let reader = Reader(numbers.signal)
        try await time.sleep(for: .seconds(1))
        numbers.send(1)
        try await time.sleep(for: .seconds(1))
        #expect(reader.shown.value == 1)
      }
    }
  }

  /// One of a scheduler, and in whatever order what is due at once runs.
  @Test func aTaskOfASchedulerThatADeinitCancelsHasEnded() throws {
    final class Poller: Sendable {
      private let task: Task<Void, any Error>

      init(_ time: VirtualTimeScheduler) {
        task = time.task { while true { try await time.sleep(for: .seconds(1)) } }
      }

      deinit { task.cancel() }
    }
    try withVirtualTime { time in
      try await assertNoLeaks {
        let poller = Poller(time)
        try await time.sleep(for: .seconds(1))
        withExtendedLifetime(poller) {}
      }
    }
    exploreInterleavings(ofTask: { time in
      try await assertNoLeaks {
        let poller = Poller(time)
        try await time.sleep(for: .seconds(1))
        withExtendedLifetime(poller) {}
      }
    })
  }

  @Test func whatIsInVirtualTimeOfItsOwnIsOverWithIt() throws {
    let leaks = try leaks {
      try withVirtualTime { time in
        time.background {
          time.task { try await time.sleep(for: .seconds(1)) }
          Task { try await time.sleep(for: .seconds(1)) }
        }
        try time.advance()
      }
      marbles { m in
        m.task { [time = m.scheduler] in try await time.sleep(for: .milliseconds(3)) }
        m.expect(m.hot("-a|").signal, "-a|")
      }
    }
    #expect(leaks == [])
  }

  // MARK: Growth

  @Test func tasksThatEveryRoundLeavesAreNamed() {
    let issues = issuesOf {
      expectNoGrowth {
        time.task { [time] in try await time.sleep(for: .seconds(1)) }
        try? time.advance()
      }
    }
    #expect(issues.map { $0.sourceLocation?.line } == [#line - 4])
    let text = issues.first?.comments.first?.rawValue ?? ""
    #expect(text.hasPrefix("grows with every round: task TaskLeakTests.swift:"), "\(text)")
    #expect(text.contains("1, 2, 3, 4, 5"))
    #expect(text.contains("await the task, or cancel it"))
  }
}

/// The samples of the documentation.
@Suite struct DocumentedTaskLeakTests {
  @Test func thePollingEnds() throws {
    let time = VirtualTimeScheduler()
    try assertNoLeaks {
      let polling = time.task {
        while true { try await time.sleep(for: .seconds(1)) }
      }
      try time.advance(by: .seconds(3))
      polling.cancel()
      // Without this the check reports: task still running: task PollingTests.swift:8
      try time.advance()
    }
  }

  @Test func theHistoryStillGrows() {
    let temperatures = Property(20.0)
    let history = DisposeBag()
    expectNoGrowth(allowing: ["history"]) {
      temperatures.signal.map { $0.rounded() }.named("history").subscribe { _ in }.store(in: history)
    }
  }
}

/// Lets a task wait until it is told, whether it is cancelled or not.
private final class Waiter: Sendable {
  private struct State {
    var isOver = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiters.append(continuation) }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
  }

  func resume() {
    let waiters = state.withLock { state in
      state.isOver = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
