import AsyncAlgorithms
import SignalTesting
import Signals
import Testing

/// Chains of AsyncAlgorithms, whose tasks nobody controls, under marble diagrams.
@Suite struct AsyncAlgorithmsTests {
  @Test func debounceOfMerge() {
    marbles { m in
      let a = m.hot("-a-b-----|")
      let b = m.hot("--c----d-|")
      m.expect(
        merge(a.signal.values(), b.signal.values()).debounce(for: .milliseconds(2), clock: m.scheduler), "-----b---(d|)"
      )
    }
  }

  @Test func debounce() {
    marbles { m in
      let typing = m.hot("-a-b----c--|")
      m.expect(typing.signal.values().debounce(for: .milliseconds(3), clock: m.scheduler), "------b----(c|)")
    }
  }

  @Test func debounceOfSleepingTasks() {
    marbles { m in
      let time = m.scheduler
      func numbers(_ range: ClosedRange<Int>, at moments: [Int]) -> AsyncStream<Int> {
        AsyncStream { continuation in
          Task.detached {
            for (number, moment) in zip(range, moments) {
              try await time.sleep(until: SchedulerInstant(sinceOrigin: .milliseconds(moment)), tolerance: nil)
              continuation.yield(number)
            }
            continuation.finish()
          }
        }
      }
      m.expect(
        merge(numbers(1...3, at: [1, 2, 3]), numbers(11...13, at: [4, 8, 12]))
          .debounce(for: .milliseconds(2), clock: time),
        "------<11>---<12>-(<13>|)")
    }
  }

  @Test func merging() {
    marbles { m in
      let a = m.hot("-a---b-|")
      let b = m.hot("--c-d------|")
      m.expect(merge(a.signal.values(), b.signal.values()), "-ac-db-----|")
    }
  }

  @Test func throttle() {
    marbles { m in
      let scrolling = m.hot("-abcdefgh-|")
      m.expect(scrolling.signal.values()._throttle(for: .milliseconds(3), clock: m.scheduler), "-a--d--g--(h|)")
    }
  }

  @Test func chunkedByTime() {
    marbles { m in
      let samples = m.hot("-ab---c---|")
      m.expect(
        samples.signal.values().chunked(by: .repeating(every: .milliseconds(4), clock: m.scheduler)), "----x---y-|",
        values: ["x": ["a", "b"], "y": ["c"]])
    }
  }

  @Test func combiningTheLatest() {
    marbles { m in
      let a = m.hot("-a---b--|")
      let b = m.hot("---1---2|")
      m.expect(
        combineLatest(a.signal.values(), b.signal.values()).map { $0 + $1 }, "---x-y-z|",
        values: ["x": "a1", "y": "b1", "z": "b2"])
    }
  }

  @Test func zipping() {
    marbles { m in
      let a = m.hot("-a-b-c-|")
      let b = m.hot("----1-2--|")
      m.expect(zip(a.signal.values(), b.signal.values()).map { $0 + $1 }, "----x-y--|", values: ["x": "a1", "y": "b2"])
    }
  }

  @Test func timers() {
    marbles { m in
      let start = m.scheduler.now
      let timer = AsyncTimerSequence(interval: .milliseconds(2), clock: m.scheduler)
      m.expect(
        timer.map { start.duration(to: $0) == .milliseconds(2) ? "first" : "later" }.prefix(3), "--x-y-(y|)",
        values: ["x": "first", "y": "later"])
    }
  }

  @Test func channels() {
    marbles { m in
      let channel = AsyncChannel<String>()
      let time = m.scheduler
      m.task {
        Task.detached {
          for word in ["a", "b"] {
            try await time.sleep(for: .milliseconds(2))
            await channel.send(word)
          }
          channel.finish()
        }
      }
      m.expect(channel, "--a-(b|)")
    }
  }

  @Test func withoutMarbles() throws {
    let words = try withVirtualTime { time in
      let (typed, keyboard) = AsyncStream.makeStream(of: String.self)
      let searches = Task {
        var words: [String] = []
        for await word in typed.debounce(for: .milliseconds(300), clock: time) { words.append(word) }
        return words
      }
      for word in ["s", "sw", "swift"] {
        keyboard.yield(word)
        try await time.sleep(for: .milliseconds(100))
      }
      try await time.sleep(for: .milliseconds(300))
      keyboard.yield("signals")
      keyboard.finish()
      return await searches.value
    }
    #expect(words == ["swift", "signals"])
  }
}
