#if os(Linux)
  @preconcurrency import Dispatch
  import Foundation
  import SignalTesting
  import Signals
  import Synchronization
  import Testing

  /// What stays real, row by row of the table in VirtualSystemTime.md.
  @Suite("System time: what stays real", .enabled(if: replacesSystemTime)) struct SystemTimeRealRowsTests {
    private static let year2020 = Date(timeIntervalSince1970: 1_577_836_800)

    @Test("clocks of CPU time") func processorTime() throws {
      try withVirtualTime(systemTime: .virtual) { _ in
        let before = (clock(), nanoseconds(of: CLOCK_THREAD_CPUTIME_ID))
        try await Task.sleep(for: .seconds(86_400))
        #expect(Double(clock() - before.0) / Double(CLOCKS_PER_SEC) < 3_600)
        #expect(nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - before.1 < 3_600_000_000_000)
      }
    }

    @Test("timers of a run loop do not fire") func runLoopTimer() throws {
      try withVirtualTime(systemTime: .virtual) { _ in
        let hasFired = Property(false)
        let timer = Timer(timeInterval: 0.001, repeats: true) { _ in hasFired.value = true }
        add(timer)
        try await Task.sleep(for: .seconds(86_400))
        timer.invalidate()
        #expect(!hasFired.value)
      }
    }

    @Test("a condition's deadline is a virtual date, which is long past") func conditionDeadline() {
      withVirtualTime(systemTime: .virtual) { _ in
        let condition = NSCondition()
        condition.lock()
        let isSignalled = condition.wait(until: Date().addingTimeInterval(3_600))
        condition.unlock()
        #expect(!isSignalled)
      }
    }

    @Test("poll waits in real time, while virtual time stands still") func pollWaits() {
      withVirtualTime(systemTime: .virtual) { time in
        let start = time.now
        let began = withRealTime { ContinuousClock.now }
        #expect(poll(nil, 0, 20) == 0)
        #expect(withRealTime { ContinuousClock.now } - began >= .milliseconds(19))
        #expect(time.now == start)
      }
    }

    @Test("threads that code starts, and what they start") func threads() {
      withVirtualTime(systemTime: .virtual) { _ in
        let dates = Property<[Date]>([])
        let isDone = DispatchSemaphore(value: 0)
        Thread {
          dates.update { $0.append(Date()) }
          DispatchQueue.global().async {
            dates.update { $0.append(Date()) }
            isDone.signal()
          }
        }.start()
        withRealTime { isDone.wait() }
        #expect(Date() < Self.year2020)
        #expect(dates.value.count == 2)
        #expect(dates.value.allSatisfy { $0 > Self.year2020 })
      }
    }

    @Test("sources of files") func fileSource() {
      withVirtualTime(systemTime: .virtual) { _ in
        let pipe = Pipe()
        let dates = Property<[Date]>([])
        let isDone = DispatchSemaphore(value: 0)
        let source = DispatchSource.makeReadSource(fileDescriptor: pipe.fileHandleForReading.fileDescriptor)
        source.setEventHandler {
          if dates.value.isEmpty { isDone.signal() }
          dates.update { $0.append(Date()) }
          source.cancel()
        }
        source.activate()
        pipe.fileHandleForWriting.write(Data([1]))
        withRealTime { isDone.wait() }
        withExtendedLifetime(pipe) {}
        #expect(dates.value.allSatisfy { $0 > Self.year2020 })
      }
    }

    @Test("a suspended queue makes the thread wait until another thread resumes it") func suspendedQueue() throws {
      try withVirtualTime(systemTime: .virtual) { _ in
        let queue = DispatchQueue(label: "suspended")
        let hasResumed = Atomic(false)
        let sawResumed = Property(false)
        queue.suspend()
        queue.async { sawResumed.value = hasResumed.load(ordering: .relaxed) }
        withRealTime {
          Thread {
            // Safe: the work has to reach the suspended queue first, for which there is no notification. Later is no failure.
            usleep(20_000)
            hasResumed.store(true, ordering: .relaxed)
            queue.resume()
          }.start()
        }
        try await Task.sleep(for: .seconds(1))
        #expect(sawResumed.value)
      }
    }

    @Test("random numbers, without a seed") func randomNumbers() {
      func numbers() -> [String] {
        withVirtualTime(systemTime: .virtual) { _ in
          (0..<4).map { _ in "\(UInt64.random(in: 0 ... .max)) \(UUID())" }
        }
      }
      #expect(numbers() != numbers())
    }

    @Test("rand and drand48 of C, also with a seed") func randomNumbersOfC() {
      let numbers = Property<[String]>([])
      simulate(seeds: 1..<2) { _ in numbers.update { $0.append("\(rand()) \(drand48())") } }
      #expect(Set(numbers.value).count == 2)
    }

    @Test("time limits of the test framework", .timeLimit(.minutes(10)), .virtualTime) func timeLimit() async throws {
      try await Task.sleep(for: .seconds(86_400))
    }
  }

  private func add(_ timer: Timer) { RunLoop.current.add(timer, forMode: .default) }

  private func nanoseconds(of clock: clockid_t) -> Int {
    // Two words, read as such: which module defines `timespec` depends on what the compiler has loaded before.
    var words = [0, 0]
    words.withUnsafeMutableBytes { bytes in
      if let address = bytes.baseAddress { _ = clock_gettime(clock, address.assumingMemoryBound(to: timespec.self)) }
    }
    return words[0] * 1_000_000_000 + words[1]
  }
#endif
