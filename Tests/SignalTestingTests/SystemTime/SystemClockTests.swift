#if os(Linux)
  import Dispatch
  import Foundation
  import Glibc
  import SwiftOverlayShims
  import SignalTesting
  import Signals
  import Synchronization
  import Testing

  /// The system's clocks and the sleeps on them, row by row of the table in VirtualSystemTime.md.
  @Suite("System time: clocks and sleeps", .enabled(if: replacesSystemTime)) struct SystemClockTests {
    private func seconds(_ body: @escaping @Sendable () async throws -> Void) throws -> Double {
      try withVirtualTime(systemTime: .virtual) { time in
        let start = time.now
        try await body()
        return start.duration(to: time.now) / .seconds(1)
      }
    }

    private static let rows: [(String, Double, @Sendable () async throws -> Void)] = [
      ("Task.sleep(for:)", 100, { try await Task.sleep(for: .seconds(100)) }),
      ("Task.sleep(nanoseconds:)", 5, { try await Task.sleep(nanoseconds: 5_000_000_000) }),
      ("Task.sleep(for:tolerance:)", 7, { try await Task.sleep(for: .seconds(7), tolerance: .seconds(1)) }),
      ("Task.sleep(until:)", 8, { try await Task.sleep(until: .now + .seconds(8)) }),
      (
        "Task.sleep(until:tolerance:clock:)", 9,
        { try await Task.sleep(until: SuspendingClock.now + .seconds(9), tolerance: .zero, clock: .suspending) }
      ),
      ("ContinuousClock.sleep", 60, { try await ContinuousClock().sleep(for: .seconds(60)) }),
      ("SuspendingClock.sleep", 61, { try await SuspendingClock().sleep(for: .seconds(61)) }),
      ("a detached task", 10, { try await Task.detached { try await Task.sleep(for: .seconds(10)) }.value }),
      (
        "async let", 11,
        {
          async let sleep: Void = Task.sleep(for: .seconds(11))
          try await sleep
        }
      ),
      (
        "a group", 50,
        {
          await withTaskGroup { group in
            for second in 1...50 { group.addTask { try? await Task.sleep(for: .seconds(second)) } }
          }
        }
      ),
      (
        "an actor", 15,
        {
          actor Cat {
            func nap() async { try? await Task.sleep(for: .seconds(7)) }
            func doze() async { await Task { try? await Task.sleep(for: .seconds(8)) }.value }
          }
          let cat = Cat()
          await cat.nap()
          await cat.doze()
        }
      ),
      (
        "a cancelled task", 2,
        {
          let task = Task { try await Task.sleep(for: .seconds(1_000)) }
          try await Task.sleep(for: .seconds(2))
          task.cancel()
          await #expect(throws: CancellationError.self) { try await task.value }
        }
      ),
      ("Thread.sleep(forTimeInterval:)", 3, { sleepThread() }),
      // Safe: virtual time advances instead.
      ("usleep", 4, { usleep(4_000_000) }),
      (
        "nanosleep", 4.5,
        {
          var time = timespec(tv_sec: 4, tv_nsec: 500_000_000)
          // Safe: virtual time advances instead.
          nanosleep(&time, nil)
        }
      ),
      ("sleep", 5, { _ = Glibc.sleep(5) }),
    ]

    @Test("every form of sleeping takes virtual time", arguments: rows.indices) func sleeps(row: Int) throws {
      let (name, expected, body) = Self.rows[row]
      let actual = try seconds(body)
      #expect(abs(actual - expected) < 1e-6, "\(name)")
    }

    private static let readings: [(String, @Sendable () -> Double)] = [
      (
        "ContinuousClock",
        {
          struct Origin { static let instant = ContinuousClock.now }
          return Origin.instant.duration(to: .now) / .seconds(1)
        }
      ),
      (
        "SuspendingClock",
        {
          struct Origin { static let instant = SuspendingClock.now }
          return Origin.instant.duration(to: .now) / .seconds(1)
        }
      ),
      ("Date", { Date().timeIntervalSince1970 }),
      ("Date.now", { Date.now.timeIntervalSince1970 }),
      ("Date.timeIntervalSinceReferenceDate", { Date.timeIntervalSinceReferenceDate }),
      ("DispatchTime", { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }),
      ("DispatchWallTime", { Double(~DispatchWallTime.now().rawValue) / 1e9 }),
      (
        "clock_gettime",
        {
          var time = timespec()
          clock_gettime(CLOCK_MONOTONIC, &time)
          return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
      ),
      (
        "gettimeofday",
        {
          var time = timeval()
          gettimeofday(&time, nil)
          return Double(time.tv_sec) + Double(time.tv_usec) / 1e6
        }
      ),
      ("time", { Double(time(nil)) }),
      ("ProcessInfo.systemUptime", { ProcessInfo.processInfo.systemUptime }),
    ]

    @Test("every clock advances with virtual time, and stands still between", arguments: readings.indices)
    func clocks(row: Int) throws {
      let (name, read) = Self.readings[row]
      try withVirtualTime(systemTime: .virtual) { time in
        let start = read()
        #expect(read() == start, "\(name)")
        try await time.sleep(for: .seconds(3_600))
        #expect(abs(read() - start - 3_600) < 1e-3, "\(name)")
        try await Task.sleep(for: .seconds(1))
        #expect(abs(read() - start - 3_601) < 1e-3, "\(name)")
      }
    }

    @Test("dates begin where the test says") func dates() throws {
      try withVirtualTime(systemTime: .virtual) { _ in
        #expect(Date().description == "2000-01-01 00:00:00 +0000")
        try await Task.sleep(for: .seconds(86_400))
        #expect(Date().description == "2000-01-02 00:00:00 +0000")
      }
      withVirtualTime(systemTime: .virtual(startingAt: Date(timeIntervalSince1970: -1.5))) { time in
        #expect(Date().timeIntervalSince1970 == -1.5)
      }
    }

    @Test("time is real before, after and outside") func realTimeIsBack() async throws {
      let before = Date()
      try withVirtualTime(systemTime: .virtual) { _ in try await Task.sleep(for: .seconds(86_400)) }
      #expect((0..<3_600).contains(Date().timeIntervalSince(before)))
      let date = Mutex(Date.distantPast)
      withVirtualTime(systemTime: .virtual) { _ in
        let thread = Thread { date.withLock { $0 = Date() } }
        thread.start()
        while date.withLock({ $0 }) == .distantPast { sched_yield() }
      }
      #expect((0..<3_600).contains(date.withLock { $0 }.timeIntervalSince(before)))
      withVirtualTime(systemTime: .virtual) { _ in
        withVirtualTime { _ in #expect((0..<3_600).contains(Date().timeIntervalSince(before))) }
        #expect(Date().timeIntervalSince1970 == 946_684_800)
      }
    }

    @Test("a task from before that is resumed inside goes on in real time", .timeLimit(.minutes(20)))
    func taskFromBefore() async {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      let reader = Task.detached {
        start.yield()
        for await number in stream { return (number, Date()) }
        return (0, Date())
      }
      for await _ in started { break }
      withVirtualTime(systemTime: .virtual) { _ in _ = continuation.yield(3) }
      let (number, date) = await reader.value
      #expect(number == 3 && date.timeIntervalSince1970 > 1_700_000_000)
    }

    @Test("a synchronous closure advances it") func synchronous() throws {
      try withVirtualTime(systemTime: .virtual) { time in
        let dates = Mutex<[Double]>([])
        Task {
          for _ in 1...3 {
            try await Task.sleep(for: .seconds(10))
            dates.withLock { $0.append(Date().timeIntervalSince1970 - 946_684_800) }
          }
        }
        try time.advance(by: .seconds(25))
        #expect(dates.withLock { $0 } == [10, 20])
        #expect(Date().timeIntervalSince1970 == 946_684_825)
        try time.advance(by: .seconds(5))
        #expect(dates.withLock { $0 } == [10, 20, 30])
      }
    }

    @Test("in a marble test") func marbleTest() {
      marbles(systemTime: .virtual) { m in
        let words = AsyncStream<String> { continuation in
          Task {
            for word in ["a", "b"] {
              try await Task.sleep(for: .milliseconds(3))
              continuation.yield(word)
            }
            continuation.finish()
          }
        }
        m.expect(words, "---a--(b|)")
      }
    }

    @Test("a timer source that is scheduled after its cancellation stays cancelled") func cancelledTimer() {
      var timers: [any DispatchSourceTimer] = []
      marbles(systemTime: .virtual) { m in
        m.at(.zero) {
          let timer = DispatchSource.makeTimerSource()
          timer.activate()
          timer.cancel()
          timer.schedule(deadline: .now() + 1, repeating: 1)
          timers.append(timer)
        }
        m.expect(m.hot("-|").signal, "-|")
      }
    }

    @Test("operators on the schedulers of the system too") func systemSchedulers() {
      marbles(systemTime: .virtual) { m in
        m.expect(m.cold("a-b---|").signal.debounce(for: .milliseconds(2), on: .qos(.utility)), "----b-|")
      }
    }

    @Test("operators on a clock of the system too") func systemClock() {
      marbles(systemTime: .virtual) { m in
        m.expect(
          m.cold("a-b---|").signal.debounce(for: .milliseconds(2), on: ClockScheduler(ContinuousClock())), "----b-|")
      }
    }

    @Test("a task that is asleep at the end fails the test") func asleep() {
      withKnownIssue {
        try? withVirtualTime(systemTime: .virtual) { time in
          Task { try await Task.sleep(for: .seconds(100)) }
          try await time.sleep(for: .seconds(1))
        }
      } matching: { issue in
        issue.description.contains("A task is asleep at the end of the test")
          && issue.description.contains("until 100 s")
      }
    }

    @Test("a cancelled sleep of a year does not let time run on") func cancelledYear() throws {
      for isChild in [false, true] {
        try withVirtualTime(systemTime: .virtual) { time in
          let start = Date()
          let winner = await withTaskGroup(of: Int.self) { group in
            group.addTask {
              try? await Task.sleep(for: .seconds(365 * 86_400))
              return 1
            }
            group.addTask {
              if isChild { await Task { try? await Task.sleep(for: .seconds(5)) }.value }
              return 2
            }
            let first = await group.next()
            group.cancelAll()
            return first
          }
          #expect(winner == 2)
          #expect(Date().timeIntervalSince(start) == (isChild ? 5 : 0))
        }
      }
      marbles(systemTime: .virtual) { m in
        m.task { _ in
          let sleeper = Task { try await Task.sleep(for: .seconds(365 * 86_400)) }
          try await Task.sleep(for: .milliseconds(1))
          sleeper.cancel()
        }
        m.expect(m.cold("--a|").signal, "--a|")
      }
    }
  }

  /// Not available in asynchronous code, which calls it indirectly.
  // Safe: virtual time advances instead.
  private func sleepThread() { Thread.sleep(forTimeInterval: 3) }
#endif
