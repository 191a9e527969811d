#if os(Linux)
  import Dispatch
  import Foundation
  import SignalTesting
  import Synchronization
  import Testing

  /// Virtual times of many threads at once, beside code in real time: each scenario has one result.
  @Suite("System time: many virtual times at once", .enabled(if: replacesSystemTime)) struct SystemTimeSoakTests {
    private actor Counter {
      private(set) var value = 0
      func count(every pause: Duration, times: Int) async throws {
        for _ in 0..<times {
          try await Task.sleep(for: pause)
          value += 1
        }
      }
    }

    private static let scenarios: [(name: String, seconds: Double, run: @Sendable () async throws -> Void)] = [
      ("a sleep", 100, { try await Task.sleep(for: .seconds(100)) }),
      (
        "a group", 20,
        {
          await withTaskGroup { group in
            for second in 1...20 { group.addTask { try? await Task.sleep(for: .seconds(second)) } }
          }
        }
      ),
      (
        "an actor", 30,
        {
          let counter = Counter()
          async let one: Void = counter.count(every: .seconds(3), times: 10)
          async let other: Void = counter.count(every: .seconds(2), times: 10)
          _ = try await (one, other)
          #expect(await counter.value == 20)
        }
      ),
      (
        "a cancelled sleep", 2,
        {
          let task = Task { try await Task.sleep(for: .seconds(1_000)) }
          try await Task.sleep(for: .seconds(2))
          task.cancel()
          _ = await task.result
        }
      ),
      (
        "queues", 30,
        {
          await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + 10) {
              DispatchQueue(label: "inner").asyncAfter(deadline: .now() + 20) { continuation.resume() }
            }
          }
        }
      ),
      (
        "a timer source", 6,
        {
          let (ticks, continuation) = AsyncStream.makeStream(of: Void.self)
          let timer = DispatchSource.makeTimerSource()
          timer.setEventHandler { continuation.yield() }
          timer.schedule(deadline: .now() + 2, repeating: 2)
          timer.resume()
          var count = 0
          for await _ in ticks {
            count += 1
            if count == 3 { break }
          }
          timer.cancel()
        }
      ),
      (
        "a virtual time inside", 5,
        {
          try withVirtualTime(systemTime: .virtual) { _ in try await Task.sleep(for: .seconds(77)) }
          try await Task.sleep(for: .seconds(5))
        }
      ),
      (
        "a date", 90,
        {
          let start = Date()
          try await Task.sleep(for: .seconds(90))
          #expect(Date().timeIntervalSince(start) == 90)
        }
      ),
    ]

    private static func run(_ scenario: Int) -> String {
      let (name, expected, body) = scenarios[scenario]
      do {
        let seconds = try withVirtualTime(systemTime: .virtual) { time in
          let start = ContinuousClock.now
          try await body()
          return start.duration(to: .now) / .seconds(1)
        }
        return seconds == expected ? "" : "\(name): \(seconds) s"
      } catch {
        return "\(name): \(error)"
      }
    }

    @Test("each scenario has one result, and time outside stays real", .timeLimit(.minutes(20))) func soak() async {
      let rounds = ProcessInfo.processInfo.environment["SIGNALS_SOAK_ROUNDS"].flatMap(Int.init) ?? 10
      let isOver = Atomic(false)
      let jumps = Atomic(0)
      let watch = Thread {
        var last = Date()
        while !isOver.load(ordering: .acquiring) {
          let now = Date()
          if abs(now.timeIntervalSince(last)) > 600 { jumps.add(1, ordering: .relaxed) }
          last = now
          sched_yield()
        }
      }
      watch.start()
      let wrong = await withTaskGroup(of: [String].self) { group in
        for thread in 0..<8 {
          group.addTask {
            (0..<rounds * Self.scenarios.count).map { Self.run(($0 + thread) % Self.scenarios.count) }.filter {
              !$0.isEmpty
            }
          }
        }
        return await group.reduce(into: []) { $0 += $1 }
      }
      isOver.store(true, ordering: .releasing)
      #expect(wrong == [])
      #expect(jumps.load(ordering: .relaxed) == 0)
    }
  }
#endif
