import Probes
import SignalTesting
import Signals
import Testing

/// Runs an asynchronous closure for each subscription.
@Suite("async")
struct AsyncTests {
  @Test("one value and the end for each subscription, which runs the closure anew")
  func values() {
    let runs = Box(0)
    marbles { m in
      let answer = Signal.async(executor: m.scheduler) { [scheduler = m.scheduler] in
        runs.withLock { $0 += 1 }
        try await scheduler.sleep(for: .milliseconds(3))
        return "a"
      }
      m.expect(answer, "---(a|)")
      m.expect(answer, "-----(a|)", subscription: "--^")
    }
    #expect(runs.value == 2)
  }

  @Test("Law 11: an error that is thrown fails it")
  func failure() {
    marbles { m in
      let answer = Signal<String>.async(executor: m.scheduler) { [scheduler = m.scheduler] in
        try await scheduler.sleep(for: .milliseconds(2))
        throw Failure(number: 1)
      }
      m.expect(answer, "--#", error: Failure(number: 1))
    }
  }

  @Test("nothing runs before somebody subscribes; disposal cancels it, and nothing is kept")
  func disposal() throws {
    let scheduler = VirtualTimeScheduler()
    let life = LifeCount()
    let log = Journal<String>()
    func make() -> Signal<Int> {
      let token = life.token()
      return .async(executor: scheduler) {
        token.touch()
        log.append("begins")
        do { try await scheduler.sleep(for: .seconds(1)) } catch {
          log.append("cancelled")
          throw error
        }
        return 1
      }
    }
    var answer: Signal<Int>? = make()
    try scheduler.run()
    #expect(log.entries == [])
    let subscription = answer?.subscribe { log.append("\($0)") }
    answer = nil
    try scheduler.advance(by: .milliseconds(500))
    subscription?.dispose()
    try scheduler.run()
    #expect(log.entries == ["begins", "cancelled"])
    #expect(life.alive == 0)
  }

  @Test("flatMapLatest cancels the closure of the value before")
  func latest() {
    marbles { m in
      let letters = m.hot("-a-b----|")
      let loaded = letters.signal.flatMapLatest { [scheduler = m.scheduler] letter in
        Signal.async(executor: scheduler) {
          try await scheduler.sleep(for: .milliseconds(3))
          return letter
        }
      }
      m.expect(loaded, "------b-|")
    }
  }
}
