#if os(Linux)
  @preconcurrency import Dispatch
  import Foundation
  import SignalTesting
  import Signals
  import Synchronization
  import Testing

  /// Dispatch queues, row by row of the table in VirtualSystemTime.md.
  @Suite("System time: dispatch queues", .enabled(if: replacesSystemTime)) struct SystemQueueTests {
    private final class Log: Sendable {
      private let lines = Mutex<[String]>([])
      private let start = DispatchTime.now()
      func add(_ line: String, isTimed: Bool = true) {
        lines.withLock { $0.append(isTimed ? "\(line) \(seconds)" : line) }
      }
      var seconds: String {
        (Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9).formatted
      }
      var all: [String] { lines.withLock { $0 } }
    }

    private static let queue = DispatchQueue(label: "test")

    @Test("a thread that waits for one that sleeps below it on the stack fails the test, which says so")
    func waitsForASleeper() {
      let issues = issuesOf {
        try? withVirtualTime(systemTime: .virtual) { _ in
          let items = DispatchSemaphore(value: 0)
          DispatchQueue(label: "producer").async {
            // Safe: virtual time; nothing sleeps.
            Thread.sleep(forTimeInterval: 1)
            items.signal()
          }
          DispatchQueue(label: "consumer").async { items.wait() }
          try await Task.sleep(for: .seconds(3))
        }
      }
      let message = issues.first?.comments.first?.rawValue ?? ""
      #expect(issues.count == 1)
      #expect(message.contains("A thread that sleeps, or waits with a timeout, may be the one to end it"), "\(message)")
    }

    /// What each row logs, with the seconds.
    private static let rows: [(name: String, expected: [String], body: @Sendable (Log) async -> Void)] = [
      (
        "async", ["b 0", "a 0"],
        { log in
          queue.async { log.add("a") }
          log.add("b")
          await end(after: 1)
        }
      ),
      (
        "async on a global queue", ["b 0", "a 0"],
        { log in
          DispatchQueue.global().async { log.add("a") }
          log.add("b")
          await end(after: 1)
        }
      ),
      (
        "async in order", ["a 0", "b 0", "c 0"],
        { log in
          for line in ["a", "b", "c"] { queue.async { log.add(line) } }
          await end(after: 1)
        }
      ),
      (
        "asyncAfter", ["b 10", "a 30"],
        { log in
          queue.asyncAfter(deadline: .now() + 30) { log.add("a") }
          queue.asyncAfter(wallDeadline: .now() + 10) { log.add("b") }
          await end(after: 31)
        }
      ),
      (
        "async inside async", ["a 0", "b 0", "c 5"],
        { log in
          queue.async {
            log.add("a")
            queue.async { log.add("b") }
            queue.asyncAfter(deadline: .now() + 5) { log.add("c") }
          }
          await end(after: 6)
        }
      ),
      (
        "a barrier", ["a 0", "b 0", "c 0"],
        { log in
          let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
          queue.async { log.add("a") }
          queue.async(flags: .barrier) { log.add("b") }
          queue.async { log.add("c") }
          await end(after: 1)
        }
      ),
      (
        "sync", ["a 0", "b 0", "c 0"],
        { log in
          queue.async { log.add("a") }
          queue.sync { log.add("b") }
          log.add("c")
        }
      ),
      (
        "a group's notify", ["a 3", "b 5", "done 5"],
        { log in
          let group = DispatchGroup()
          group.enter()
          queue.asyncAfter(deadline: .now() + 3) {
            log.add("a")
            group.leave()
          }
          group.enter()
          queue.asyncAfter(deadline: .now() + 5) {
            log.add("b")
            group.leave()
          }
          group.notify(queue: queue) { log.add("done") }
          await end(after: 6)
        }
      ),
      (
        "async in a group", ["a 0", "done 0"],
        { log in
          let group = DispatchGroup()
          queue.async(group: group) { log.add("a") }
          group.notify(queue: .global()) { log.add("done") }
          await end(after: 1)
        }
      ),
      (
        "a group's wait", ["a 3", "waited 3"],
        { log in
          let group = DispatchGroup()
          group.enter()
          queue.asyncAfter(deadline: .now() + 3) {
            log.add("a")
            group.leave()
          }
          wait(for: group)
          log.add("waited")
        }
      ),
      (
        "a group's wait with a timeout", ["timed out 2"],
        { log in
          let group = DispatchGroup()
          group.enter()
          if wait(for: group, seconds: 2) == .timedOut { log.add("timed out") }
          group.leave()
        }
      ),
      (
        "a semaphore that a queue signals", ["signalled 4"],
        { log in
          let semaphore = DispatchSemaphore(value: 0)
          queue.asyncAfter(deadline: .now() + 4) { semaphore.signal() }
          wait(for: semaphore)
          log.add("signalled")
        }
      ),
      (
        "a semaphore that a task signals", ["signalled 4"],
        { log in
          let semaphore = DispatchSemaphore(value: 0)
          Task {
            try await Task.sleep(for: .seconds(4))
            semaphore.signal()
          }
          wait(for: semaphore)
          log.add("signalled")
        }
      ),
      (
        "a semaphore with a timeout", ["timed out 2"],
        { log in
          let semaphore = DispatchSemaphore(value: 0)
          if wait(for: semaphore, seconds: 2) == .timedOut { log.add("timed out") }
        }
      ),
      (
        "a work item", ["a 0"],
        { log in
          queue.async(execute: DispatchWorkItem { log.add("a") })
          await end(after: 1)
        }
      ),
      (
        "a cancelled work item", ["b 3"],
        { log in
          let item = DispatchWorkItem { log.add("a") }
          queue.asyncAfter(deadline: .now() + 5, execute: item)
          queue.asyncAfter(deadline: .now() + 3) {
            log.add("b")
            item.cancel()
          }
          await end(after: 6)
        }
      ),
      (
        "a work item's notify", ["a 3", "b 3"],
        { log in
          let item = DispatchWorkItem { log.add("a") }
          item.notify(queue: queue) { log.add("b") }
          queue.asyncAfter(deadline: .now() + 3, execute: item)
          await end(after: 6)
        }
      ),
      (
        "a work item's wait", ["a 3", "waited 3"],
        { log in
          let item = DispatchWorkItem { log.add("a") }
          queue.asyncAfter(deadline: .now() + 3, execute: item)
          wait(for: item)
          log.add("waited")
        }
      ),
      (
        "concurrentPerform", ["0 0", "1 0", "2 0"],
        { log in
          DispatchQueue.concurrentPerform(iterations: 3) { log.add("\($0)") }
        }
      ),
      (
        "the queue of the block", ["true 0", "true 3"],
        { log in
          let key = DispatchSpecificKey<Bool>()
          let queue = DispatchQueue(label: "specific")
          queue.setSpecific(key: key, value: true)
          let check: @Sendable () -> Void = {
            dispatchPrecondition(condition: .onQueue(queue))
            log.add("\(DispatchQueue.getSpecific(key: key) ?? false)")
          }
          queue.async(execute: check)
          queue.asyncAfter(deadline: .now() + 3, execute: check)
          await end(after: 4)
        }
      ),
      (
        "a timer source", ["tick 3", "tick 5", "tick 7", "cancelled 8"],
        { log in
          let timer = DispatchSource.makeTimerSource(queue: queue)
          timer.setEventHandler { log.add("tick") }
          timer.setCancelHandler { log.add("cancelled") }
          timer.schedule(deadline: .now() + 3, repeating: 2)
          timer.resume()
          await end(after: 8)
          timer.cancel()
          await end(after: 8)
        }
      ),
      (
        "a timer source that fires once", ["tick 3"],
        { log in
          let timer = DispatchSource.makeTimerSource()
          timer.setEventHandler { log.add("tick") }
          timer.schedule(wallDeadline: .now() + 3, leeway: .seconds(1))
          timer.activate()
          await end(after: 8)
          timer.cancel()
        }
      ),
      (
        "a timer source that gets its handler after an expiry", ["5 of data 1", "7 of data 1"],
        { log in
          let timer = DispatchSource.makeTimerSource(queue: queue)
          timer.schedule(deadline: .now() + 3, repeating: 2)
          timer.resume()
          await end(after: 4)
          timer.setEventHandler {
            log.add("\(log.seconds) of data \(timer.data)", isTimed: false)
          }
          await end(after: 4)
          timer.cancel()
        }
      ),
      (
        "a suspended timer source", ["2 of data 1", "9 of data 3"],
        { log in
          let timer = DispatchSource.makeTimerSource(queue: queue)
          timer.setEventHandler {
            log.add("\(log.seconds) of data \(timer.data)", isTimed: false)
          }
          timer.schedule(deadline: .now() + 2, repeating: 2)
          timer.resume()
          await end(after: 3)
          timer.suspend()
          await end(after: 6)
          timer.resume()
          await end(after: 0)
          timer.cancel()
        }
      ),
      (
        "a timer source that is released", ["tick 2"],
        { log in
          do {
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { log.add("tick") }
            timer.schedule(deadline: .now() + 2, repeating: 2)
            timer.resume()
            await end(after: 3)
          }
          await end(after: 8)
        }
      ),
      (
        "a timer source that is set again", ["tick 9"],
        { log in
          let timer = DispatchSource.makeTimerSource(queue: queue)
          timer.setEventHandler { log.add("tick") }
          timer.schedule(deadline: .now() + 2)
          timer.resume()
          await end(after: 1)
          timer.schedule(deadline: .now() + 8)
          await end(after: 20)
          timer.cancel()
        }
      ),
      (
        "a continuation", ["resumed 30"],
        { log in
          await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + 30) { continuation.resume() }
          }
          log.add("resumed")
        }
      ),
    ]

    private static func end(after seconds: Int) async { try? await Task.sleep(for: .seconds(seconds)) }
    private static func wait(for group: DispatchGroup) { group.wait() }
    private static func wait(for group: DispatchGroup, seconds: Double) -> DispatchTimeoutResult {
      group.wait(timeout: .now() + seconds)
    }
    private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
    private static func wait(for semaphore: DispatchSemaphore, seconds: Double) -> DispatchTimeoutResult {
      semaphore.wait(timeout: .now() + seconds)
    }
    private static func wait(for item: DispatchWorkItem) { item.wait() }

    @Test("each runs its work in virtual time", arguments: rows.indices) func eachRow(row: Int) throws {
      let (name, expected, body) = Self.rows[row]
      let lines = try withVirtualTime(systemTime: .virtual) { _ in
        let log = Log()
        await body(log)
        return log.all
      }
      #expect(lines == expected, "\(name)")
    }

    @Test("a semaphore that nothing signals fails the test and does not hang") func semaphoreForever() {
      withKnownIssue {
        withVirtualTime(systemTime: .virtual) { _ in Self.wait(for: DispatchSemaphore(value: 0)) }
      } matching: { issue in
        issue.description.contains("A thread waited for a semaphore at SystemQueueTests.swift:")
      }
    }

    @Test("the main queue, where the test runs on the main actor") @MainActor func mainQueue() throws {
      let lines = try withVirtualTime(systemTime: .virtual) { _ in
        let log = Log()
        DispatchQueue.main.asyncAfter(deadline: .now() + 5) {
          dispatchPrecondition(condition: .onQueue(.main))
          log.add("main")
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + 4) { log.add("global") }
        try await Task.sleep(for: .seconds(6))
        return log.all
      }
      #expect(lines == ["global 4", "main 5"])
    }

    @Test("while the main actor waits, its other work does not run") @MainActor func waitingMainActor() throws {
      let lines = try withVirtualTime(systemTime: .virtual) { _ in
        let log = Log()
        DispatchQueue.main.async { log.add("queue") }
        Task { @MainActor in log.add("task") }
        DispatchQueue.global().async { log.add("global") }
        if Self.wait(for: DispatchSemaphore(value: 0), seconds: 5) == .timedOut { log.add("waited") }
        try await Task.sleep(for: .seconds(1))
        return log.all
      }
      #expect(lines == ["global 0", "waited 5", "queue 5", "task 5"])
    }

    @Test("groups and timers of an ended virtual time may be used by other threads", .timeLimit(.minutes(20)))
    func afterTheEnd() async {
      for _ in 1...200 {
        let (group, isOver) = (DispatchGroup(), DispatchSemaphore(value: 0))
        group.enter()
        let timer = Mutex<(any DispatchSourceTimer)?>(nil)
        // If the thread comes early, the test is told.
        withKnownIssue(isIntermittent: true) {
          withVirtualTime(systemTime: .virtual) { time in
            group.notify(queue: .global()) {}
            let source = DispatchSource.makeTimerSource()
            source.setEventHandler {}
            source.setCancelHandler {}
            source.schedule(deadline: .now() + 1, repeating: 1)
            source.resume()
            try? time.advance(by: .milliseconds(1))
            Thread {
              group.leave()
              source.cancel()
              isOver.signal()
            }.start()
            timer.withLock { $0 = source }
          }
        } matching: {
          $0.description.contains("Another thread scheduled work")
        }
        Self.wait(for: isOver)
        timer.withLock { $0 = nil }
      }
    }

    /// As a test that runs at the same time leaves its groups.
    @Test("groups that another thread leaves end no wait for another group") func groupsOfAnotherThread() throws {
      let log = Mutex(0)
      let isOver = Mutex(false)
      let other = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        let group = DispatchGroup()
        while !isOver.withLock({ $0 }) {
          group.enter()
          group.leave()
        }
        other.signal()
      }
      try withVirtualTime(systemTime: .virtual) { time in
        let queue = DispatchQueue(label: "notified")
        for _ in 0..<3_000 {
          let group = DispatchGroup()
          group.enter()
          group.notify(queue: queue) { log.withLock { $0 += 1 } }
          group.leave()
        }
        try time.advance(by: .seconds(1))
      }
      isOver.withLock { $0 = true }
      Self.wait(for: other)
      #expect(log.withLock { $0 } == 3_000)
    }

    @Test("the main queue, where it does not, fails the test") func mainQueueElsewhere() {
      withKnownIssue {
        try? withVirtualTime(systemTime: .virtual) { _ in
          DispatchQueue.main.async {}
          try await Task.sleep(for: .seconds(1))
        }
      } matching: {
        $0.description.contains("Work was submitted to the main queue")
      }
    }

    @Test("a timer source keeps its queue, which nobody else retains") func queueOfATimer() throws {
      let counts = try withVirtualTime(systemTime: .virtual) { _ in
        let counts = Mutex((events: 0, cancellations: 0))
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ticks"))
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.setEventHandler { counts.withLock { $0.events += 1 } }
        timer.setCancelHandler { counts.withLock { $0.cancellations += 1 } }
        timer.resume()
        try await Task.sleep(for: .milliseconds(3_500))
        timer.cancel()
        try await Task.sleep(for: .seconds(1))
        return counts.withLock { [$0.events, $0.cancellations] }
      }
      #expect(counts == [3, 1])
    }

    @Test("more waiting work than the stack holds fails the test") func nestedTooDeeply() throws {
      func run(_ count: Int, _ wait: @escaping @Sendable () -> Void) throws -> Int {
        try withVirtualTime(systemTime: .virtual) { _ in
          let ended = Mutex(0)
          for _ in 0..<count {
            DispatchQueue.global().async {
              wait()
              ended.withLock { $0 += 1 }
            }
          }
          try await Task.sleep(for: .seconds(1))
          return ended.withLock { $0 }
        }
      }
      let semaphore = DispatchSemaphore(value: 0)
      // Safe: virtual time advances instead.
      let sleep: @Sendable () -> Void = { usleep(1_000) }
      #expect(try run(20, sleep) == 20)
      let waits: [@Sendable () -> Void] = [sleep, { semaphore.wait() }]
      let messages = waits.map { wait in
        issuesOf { #expect(throws: Never.self) { try run(4_000, wait) } }.map { $0.comments.first?.rawValue ?? "" }
      }
      for messages in messages {
        #expect(messages.contains { $0.contains("the stack is full") }, "\(messages)")
      }
    }

    /// Runs its jobs on a queue.
    private final class QueueExecutor: TaskExecutor {
      private let queue = DispatchQueue(label: "executor")

      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
      }
    }

    @Test("a task may sleep on an executor that uses a queue") func taskExecutor() throws {
      let answer = try withVirtualTime(systemTime: .virtual) { _ in
        let start = ContinuousClock.now
        let executor = QueueExecutor()
        let answer = await Task(executorPreference: executor) {
          try? await Task.sleep(for: .seconds(2))
          return 4
        }.value
        return (answer, start.duration(to: .now))
      }
      #expect(answer == (4, .seconds(2)))
    }

    @Test("a chooser decides the order of a global queue, and not that of a serial one") func chosenOrder() throws {
      let lines = try withVirtualTime(systemTime: .virtual, chooser: { $0 - 1 }) { _ in
        let log = Log()
        for line in ["a", "b", "c"] { DispatchQueue.global().async { log.add("global \(line)") } }
        try await Task.sleep(for: .seconds(1))
        for line in ["a", "b", "c"] { Self.queue.async { log.add("serial \(line)") } }
        try await Task.sleep(for: .seconds(1))
        return log.all
      }
      #expect(lines == ["global c 0", "global b 0", "global a 0", "serial a 1", "serial b 1", "serial c 1"])
    }
  }

  extension Double {
    fileprivate var formatted: String { self == rounded() ? "\(Int(self))" : "\(self)" }
  }
#endif
