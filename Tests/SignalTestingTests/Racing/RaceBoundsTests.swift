import Signals
import Testing

@testable import SignalTesting

@Suite struct RaceBoundsTests {
  @Test(arguments: [0, -1, Int.min]) func noRoundIsAFailure(rounds: Int) {
    let failures = heldFailures {
      searchRaces(rounds: rounds) { race in
        for _ in 1...2 { race.thread { _ in } }
        race.check { #expect(Bool(false)) }
      }
    }
    #expect(failures.map(\.message) == ["rounds: \(rounds) runs no round, so nothing is checked. Pass at least 1."])
  }

  @Test func theMessageNamesRoundAndSeed() throws {
    let failures = heldFailures {
      searchRaces(rounds: 30, seed: 100) { race in
        for _ in 1...2 { race.thread { _ in } }
        race.check { if race.placement.seed == 124 { throw CancellationError() } }
      }
    }
    let message = try #require(failures.first?.message)
    #expect(message.contains("Fails in round 25, with the seed 124."))
    #expect(message.contains("To run rounds with the pauses of this seed: searchRaces(replaying: 124)."))
  }

  /// It is told once, by the running test, and names its line.
  @Test func expectationsMayStandInThreads() {
    let failures = heldFailures {
      searchRaces(rounds: 3) { race in
        race.thread { thread in thread.step { #expect(Test.current != nil, "the thread knows its test") } }
        race.thread { _ in }
      }
    }
    #expect(failures.isEmpty)
    let line = #line
    let wrong = heldFailures {
      searchRaces(rounds: 3) { race in
        race.thread { thread in
          thread.step { #expect(thread.number == 2, "in a thread") }
        }
        race.thread { _ in }
      }
    }
    #expect(wrong.count == 1)
    #expect(wrong.first?.source?.line == line + 4)
    #expect(wrong.first?.message.contains("(error)") == false)
    #expect(wrong.first?.message.contains("in a thread") == true)
  }

  @Test func eventOfAStepThatBeganAfterTheDisposalFails() {
    let failures = heldFailures {
      searchRaces(rounds: 3) { race in
        let log = race.observe(Signal<Int>.never())
        race.thread { thread in
          thread.step("leave") { log.dispose() }
          thread.step("send") { log.note(.value(1)) }
        }
        race.thread { _ in }
      }
    }
    #expect(failures.count == 1)
    #expect(
      failures.first?.message.contains("An event arrived in a step that began after the disposal (law 7).") == true)
  }

  @Test func eventOfACheckAfterTheDisposalFails() {
    let failures = heldFailures {
      searchRaces(rounds: 3) { race in
        let log = race.observe(Signal<Int>.never())
        race.anywhere("leave") { log.dispose() }
        for _ in 1...2 { race.thread { _ in } }
        race.check { log.note(.value(1)) }
      }
    }
    #expect(failures.count == 1)
  }

  @Test func eventOnItsWayDuringTheDisposalPasses() {
    searchRaces(rounds: 3) { race in
      let log = race.observe(Signal<Int>.never())
      race.thread { thread in
        thread.step("send") {
          log.dispose()
          log.note(.value(1))
        }
      }
      race.thread { _ in }
    }
  }

  /// Failures that nobody handles are the round's, also of what a thread subscribes to.
  @Test func aThreadsUnhandledFailureFailsTheRound() {
    let failures = heldFailures {
      searchRaces(rounds: 3) { race in
        for _ in 1...2 {
          race.thread { _ in withExtendedLifetime(Signal<Int>.fail(CancellationError()).subscribe { _ in }) {} }
        }
      }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("unhandled failure") == true)
  }
}
