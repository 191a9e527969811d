#if os(Linux)
  import AsyncAlgorithms
  import SignalTesting
  import Testing

  /// The operators of swift-async-algorithms, with the clock that they take by default.
  @Suite("AsyncAlgorithms in virtual system time") struct SystemTimeTests {
    /// Words that come after pauses, on the system's clock.
    private func words(_ pauses: [(String, Duration)]) -> AsyncStream<String> {
      AsyncStream { continuation in
        Task {
          for (word, pause) in pauses {
            try await Task.sleep(for: pause)
            continuation.yield(word)
          }
          continuation.finish()
        }
      }
    }

    @Test("a timer that fires each minute for an hour") func timer() throws {
      try withVirtualTime(systemTime: .virtual) { _ in
        let start = SuspendingClock.now
        var minutes: [Double] = []
        for await instant in AsyncTimerSequence(interval: .seconds(60), clock: .suspending).prefix(60) {
          minutes.append(start.duration(to: instant) / .seconds(60))
        }
        #expect(minutes == (1...60).map(Double.init))
        #expect(start.duration(to: .now) == .seconds(3_600))
      }
    }

    @Test("debounce") func debounce() {
      marbles(frame: .seconds(1), systemTime: .virtual) { m in
        let typed = words([("a", .seconds(1)), ("b", .seconds(1)), ("c", .seconds(5)), ("d", .seconds(1))])
        m.expect(typed.debounce(for: .seconds(3)), "-----b--(d|)")
      }
    }

    @Test("throttle") func throttle() {
      marbles(frame: .seconds(1), systemTime: .virtual) { m in
        let typed = words([("a", .seconds(1)), ("b", .seconds(1)), ("c", .seconds(5)), ("d", .seconds(1))])
        m.expect(typed._throttle(for: .seconds(3)), "-a-----c--(d|)")
      }
    }
  }
#endif
