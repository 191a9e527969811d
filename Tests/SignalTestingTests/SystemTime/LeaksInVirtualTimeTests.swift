#if os(Linux)
  import Dispatch
  import SignalTesting
  import Signals
  import Synchronization
  import Testing

  /// Expects that the traits behind it fail the test, with these beginnings of their messages.
  private struct Failing: TestTrait, SuiteTrait, TestScoping {
    let beginnings: [String]
    let isRecursive = true

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      let issues = Issues()
      try await withKnownIssue {
        try await function()
      } matching: { issue in
        issues.add(issue)
        return true
      }
      let messages = issues.all.map { $0.comments.first?.rawValue ?? "" }
      #expect(messages.count == beginnings.count, "\(messages)")
      for beginning in beginnings {
        #expect(messages.contains { $0.hasPrefix(beginning) }, "\(messages)")
      }
      #expect(issues.all.allSatisfy { $0.sourceLocation?.fileName == "LeaksInVirtualTimeTests.swift" })
    }
  }

  extension Trait where Self == Failing {
    fileprivate static func failing(_ beginnings: String...) -> Failing { Failing(beginnings: beginnings) }
  }

  /// Counts in a task that nothing ends.
  private final class Listener: Sendable {
    let count = Mutex(0)

    func listen(to signal: Signal<Int>) {
      Task { for try await _ in signal.values() { count.withLock { $0 += 1 } } }
    }
  }

  /// The end of virtual time cancels tasks, so checks look before it, whatever the order of the traits.
  @Suite("System time: checks for leaks", .enabled(if: replacesSystemTime)) struct LeaksInVirtualTimeTests {
    private static let feed = Emitter<Int>()

    private static func listen(isTracked: Bool = true) async throws {
      let listener = Listener()
      if isTracked { track(listener) }
      listener.listen(to: feed.signal)
      try await Task.sleep(for: .seconds(1))
      feed.send(2)
      try await Task.sleep(for: .seconds(1))
      #expect(listener.count.withLock { $0 } == 1)
    }

    @Test(
      "the check first", .failing("task still running: Task", "task still running: subscribe", "object still alive"),
      .waitsBriefly, .noLeaks, .virtualTime)
    func checkFirst() async throws { try await Self.listen() }

    @Test(
      "virtual time first", .failing("task still running: Task", "task still running: subscribe", "object still alive"),
      .waitsBriefly, .virtualTime, .noLeaks)
    func virtualTimeFirst() async throws { try await Self.listen() }

    @Test("health", .failing("task still running: Task", "task still running: subscribe"), .healthy, .virtualTime)
    func health() async throws { try await Self.listen(isTracked: false) }

    /// A check waits for other threads in real time: what virtual time would end meanwhile is a leak.
    @Test(
      "a task that would end within the wait",
      .failing("task still running: Task", "object still alive", "The test has ended, but its tasks have not"),
      .waitsBriefly, .virtualTime, .noLeaks)
    func endsLater() async {
      let listener = track(Listener())
      Task {
        try? await Task.sleep(for: .milliseconds(3))
        listener.count.withLock { $0 += 1 }
      }
    }

    @Suite(
      "a suite", .failing("task still running: Task", "task still running: subscribe", "object still alive"),
      .waitsBriefly, .noLeaks)
    struct OfASuite {
      @Test("a test", .virtualTime) func listens() async throws { try await LeaksInVirtualTimeTests.listen() }
    }

    @Test(
      "work for a queue", .failing("timer or other scheduled work still pending: work at an unknown location"),
      .virtualTime, .noLeaks)
    func workForAQueue() { DispatchQueue.global().asyncAfter(deadline: .now() + 5) {} }

    @Test("rules that need a time", .failing("", ""), .virtualTime, .healthy) func rulesOfTime() async throws {
      let (fast, slow, bag) = (Emitter<Int>(), Emitter<Int>(), DisposeBag())
      fast.signal.zip(slow.signal).subscribe { _ in }.store(in: bag)
      for number in 0..<300 {
        fast.send(number)
        try await Task.sleep(for: .milliseconds(100))
      }
      withExtendedLifetime(slow) {}
    }

    /// An object that a closure captures.
    private final class Captured: Sendable {
      private let onRelease: @Sendable () -> Void
      init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
      deinit { onRelease() }
    }

    @Test("what waits for its time is released with the virtual time") func releasesWhatWaits() throws {
      let releaseCount = Atomic(0)
      try withVirtualTime(systemTime: .virtual) { _ in
        let object = Captured { releaseCount.add(1, ordering: .relaxed) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 5) { withExtendedLifetime(object) {} }
        try await Task.sleep(for: .seconds(1))
      }
      #expect(releaseCount.load(ordering: .relaxed) == 1)
    }

    private final class Player: Sendable {
      func play() {}
    }

    /// The work of a worker that was there before, and of a queue, is due at the instant of the check.
    @Test("what is due now releases", .virtualTime) func whatIsDueNowReleases() async {
      let (jobs, queue) = AsyncStream.makeStream(of: Player.self)
      let worker = Task { for await player in jobs { player.play() } }
      await assertNoLeaks { _ = queue.yield(track(Player())) }
      queue.finish()
      await worker.value
      Self.playInAQueue()
    }

    private static func playInAQueue() {
      assertNoLeaks {
        let player = track(Player())
        DispatchQueue.global().async { player.play() }
      }
    }

    @Suite("a healthy suite", .noLeaks) struct Healthy {
      private let bag = DisposeBag()

      @Test("a test without a leak", .virtualTime) func listens() async throws {
        let count = Atomic(0)
        feed.signal.delay(for: .seconds(1), on: .main).subscribe { _ in count.add(1, ordering: .relaxed) }.store(
          in: bag)
        let loop = Task { for try await _ in feed.signal.values() {} }
        feed.send(1)
        try await Task.sleep(for: .seconds(2))
        loop.cancel()
        #expect(count.load(ordering: .relaxed) == 1)
      }

      @Test("disposed work of a queue's scheduler", .virtualTime) @MainActor func disposedDebounce() {
        let (keys, bag) = (Emitter<String>(), DisposeBag())
        keys.signal.debounce(for: .milliseconds(300), on: .main).subscribe { _ in }.store(in: bag)
        keys.send("a")
        bag.disposeAll()
      }

      @Test("a cancelled work item", .virtualTime) func cancelledItem() async throws {
        let count = Atomic(0)
        let item = DispatchWorkItem { count.add(1, ordering: .relaxed) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 5, execute: item)
        let other = DispatchWorkItem { count.add(2, ordering: .relaxed) }
        DispatchQueue(label: "own").asyncAfter(deadline: .now() + 5, execute: other)
        try await Task.sleep(for: .seconds(1))
        item.cancel()
        #expect(item.wait(timeout: .now()) == .success)
        try await Task.sleep(for: .seconds(10))
        #expect(count.load(ordering: .relaxed) == 2)
      }

      @Test("one outside virtual time") func outside() {
        feed.signal.subscribe { _ in }.store(in: bag)
      }
    }
  }
#endif
