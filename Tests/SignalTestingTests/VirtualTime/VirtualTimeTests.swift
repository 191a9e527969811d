import Dispatch
import SignalTesting
import Signals
import Synchronization
import Testing

/// What is in virtual time without being told of it.
@Suite struct VirtualTimeTests {
  /// What happened, and when in milliseconds.
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }

    func note(_ text: String, _ scheduler: VirtualTimeScheduler) {
      let milliseconds = Int64(scheduler.now.sinceOrigin / .milliseconds(1))
      lines.withLock { $0.append("\(text)@\(milliseconds)") }
    }
  }

  private actor Counter {
    private(set) var count = 0

    func increase(after delay: Duration, on clock: any Clock<Duration>) async throws {
      try await clock.sleep(for: delay)
      count += 1
    }

    func start(on clock: VirtualTimeScheduler) {
      Task {
        try await clock.sleep(for: .milliseconds(5))
        count += 10
      }
    }
  }

  @Test func unstructuredTasks() throws {
    let log = Log()
    try withVirtualTime { time in
      Task {
        log.note("begins", time)
        try await time.sleep(for: .milliseconds(3))
        log.note("ends", time)
      }
      log.note("started", time)
      try time.advance(by: .milliseconds(2))
      log.note("before", time)
      try time.advance(by: .milliseconds(2))
    }
    #expect(log.all == ["started@0", "begins@0", "before@2", "ends@3"])
  }

  @Test func detachedTasksWithinDetachedTasks() throws {
    let log = Log()
    try withVirtualTime { time in
      Task.detached {
        let answer = await Task.detached {
          try? await time.sleep(for: .milliseconds(7))
          return 1
        }.value
        log.note("answer \(answer)", time)
      }
      try time.run()
    }
    #expect(log.all == ["answer 1@7"])
  }

  @Test func actors() throws {
    let log = Log()
    try withVirtualTime { time in
      let counter = Counter()
      Task.detached {
        await counter.start(on: time)
        try await counter.increase(after: .milliseconds(4), on: time)
        log.note("\(await counter.count)", time)
        try await time.sleep(for: .milliseconds(2))
        log.note("\(await counter.count)", time)
      }
      try time.run()
    }
    #expect(log.all == ["1@4", "11@6"])
  }

  @Test func taskGroupsAndChildTasks() throws {
    let log = Log()
    try withVirtualTime { time in
      Task {
        await withTaskGroup(of: Int.self) { group in
          for number in 1...3 {
            group.addTask {
              try? await time.sleep(for: .milliseconds(4 - number))
              return number
            }
          }
          for await number in group { log.note("\(number)", time) }
        }
        async let left: Void = time.sleep(for: .milliseconds(2))
        async let right: Void = time.sleep(for: .milliseconds(3))
        try await left
        try await right
        log.note("both", time)
      }
      try time.run()
    }
    #expect(log.all == ["3@1", "2@2", "1@3", "both@6"])
  }

  @Test func streams() throws {
    let log = Log()
    try withVirtualTime { time in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      Task { for await number in stream { log.note("\(number)", time) } }
      Task.detached {
        for number in 1...3 {
          try await time.sleep(for: .milliseconds(2))
          continuation.yield(number)
        }
        continuation.finish()
      }
      try time.run()
    }
    #expect(log.all == ["1@2", "2@4", "3@6"])
  }

  @Test func yields() throws {
    let log = Log()
    try withVirtualTime { time in
      for name in ["a", "b"] {
        Task.detached {
          for step in 1...2 {
            log.note("\(name)\(step)", time)
            await Task.yield()
          }
        }
      }
      try time.advance()
    }
    #expect(log.all == ["a1@0", "b1@0", "a2@0", "b2@0"])
  }

  @Test func theAsynchronousForm() throws {
    let hours = try withVirtualTime { time in
      let task = Task.detached {
        try await time.sleep(for: .seconds(7_200))
        return 2
      }
      return try await task.value
    }
    #expect(hours == 2)
  }

  @Test func theAsynchronousFormEndsWithItsClosure() throws {
    let end = try withVirtualTime { time in
      time.background { Task { while !Task.isCancelled { try? await time.sleep(for: .seconds(1)) } } }
      try await time.sleep(for: .seconds(10))
      return time.now
    }
    #expect(end.sinceOrigin == .seconds(10))
  }

  @Test func theErrorOfTheClosure() {
    struct Wrong: Error {}
    #expect(throws: Wrong.self) {
      try withVirtualTime { time in
        try await time.sleep(for: .seconds(1))
        throw Wrong()
      }
    }
    #expect(throws: Wrong.self) { try withVirtualTime { _ in throw Wrong() } }
  }

  @Test func componentsOfAMarbleTest() {
    marbles { m in
      let words = Emitter<String>()
      let clicks = m.hot("a----b-|")
      let time = m.scheduler
      clicks.signal.subscribe { word in
        Task.detached {
          try await time.sleep(for: .milliseconds(2))
          words.send(word + "!")
        }
      }.store(in: bag)
      m.expect(words.signal, "--x----(y|)", values: ["x": "a!", "y": "b!"])
    }
  }

  private let bag = DisposeBag()

  @Test func tasksThatWereThereBeforeGoOnElsewhere() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let reader = Task.detached {
      start.yield()
      for await number in stream { return number }
      return 0
    }
    for await _ in started { break }
    withVirtualTime { _ in _ = continuation.yield(3) }
    #expect(await reader.value == 3)
  }

  @Test @MainActor func theMainActorWhenTheTestRunsThere() throws {
    let log = Log()
    try withVirtualTime { time in
      let model = Model()
      model.start(time)
      try time.advance(by: .milliseconds(3))
      #expect(model.count == 0)
      try time.advance(by: .milliseconds(1))
      #expect(model.count == 1)
      Task.detached {
        await model.increase()
        log.note("increased", time)
      }
      try time.run()
      #expect(model.count == 2)
    }
    #expect(log.all == ["increased@4"])
  }

  @Test @MainActor func theMainActorInTheAsynchronousForm() async throws {
    try withVirtualTime { time in
      let model = Model()
      model.start(time)
      try await time.sleep(for: .milliseconds(5))
      #expect(model.count == 1)
      MainActor.preconditionIsolated()
    }
    MainActor.preconditionIsolated()
    await Task.yield()
    MainActor.preconditionIsolated()
  }

  @MainActor private final class Model {
    private(set) var count = 0

    func start(_ clock: some Clock<Duration>) {
      Task {
        try await clock.sleep(for: .milliseconds(4))
        check()
        count += 1
      }
    }

    func increase() { count += 1 }

    nonisolated private func check() { MainActor.assumeIsolated { precondition(count >= 0) } }
  }

  // MARK: Lifetime

  private final class Weak: Sendable {
    private let scheduler = Mutex<WeakScheduler>(WeakScheduler())

    private struct WeakScheduler { weak var scheduler: VirtualTimeScheduler? }

    var isThere: Bool { scheduler.withLock { $0.scheduler != nil } }

    func note(_ time: VirtualTimeScheduler) { scheduler.withLock { $0.scheduler = time } }
  }

  @Test(arguments: [SystemTime.real, .virtual])
  func theSchedulerIsReleasedWithTheTest(_ systemTime: SystemTime) throws {
    let (synchronous, asynchronous) = (Weak(), Weak())
    try withVirtualTime(systemTime: systemTime) { time in
      synchronous.note(time)
      time.background { _ = Task { try await time.sleep(for: .seconds(60)) } }
      time.schedule {}
      try time.advance()
    }
    try withVirtualTime(systemTime: systemTime) { time in
      asynchronous.note(time)
      time.background { _ = Task { try await Task.sleep(for: .seconds(60), clock: time) } }
      try await time.sleep(for: .seconds(1))
    }
    #expect(!synchronous.isThere)
    #expect(!asynchronous.isThere)
  }

  @Test(arguments: [false, true])
  func theSchedulerIsReleasedWithAMarbleTest(hasRun: Bool) {
    let scheduler = Weak()
    func declare() {
      let test = MarbleTest(systemTime: .virtual)
      scheduler.note(test.scheduler)
      test.expect(test.cold("-a-|").signal, "-a-|")
      if hasRun { test.run() }
    }
    // One that never runs fails.
    if hasRun { declare() } else { _ = issuesOf(declare) }
    #expect(!scheduler.isThere)
  }
}
