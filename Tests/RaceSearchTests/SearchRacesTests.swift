import Signals
import Synchronization
import Testing

@testable import SignalTesting

/// The search itself runs under the thread sanitizer, in `scripts/test-races`: these tests are a module of their own, so that little is built for it.
@Suite struct SearchRacesTests {
  /// What a closure lets fail, in place of the test.
  private func heldFailures(of body: () -> Void) -> [FailureCapture.Failure] {
    let capture = FailureCapture()
    capture.hold(body)
    return capture.take()
  }

  @Test func whatIsRightPasses() {
    let rounds = searchRaces(rounds: 200) { race in
      let emitter = Emitter<Int>()
      let log = race.observe(emitter.signal)
      for number in 1...3 {
        race.thread { thread in
          for step in 0..<3 { thread.step("send") { emitter.send(number * 10 + step) } }
        }
      }
      race.check {
        #expect(log.values.count == 9)
        for number in 1...3 { #expect(log.values.filter { $0 / 10 == number } == (0..<3).map { number * 10 + $0 }) }
      }
    }
    #expect(rounds == RaceRounds(roundCount: 200))
  }

  @Test func disposalsAnywhereAndEndsArePlacedEverywhere() {
    let places = Mutex<Set<String>>([])
    searchRaces(rounds: 200) { race in
      let emitter = Emitter<Int>()
      let log = race.observe(emitter.signal)
      race.anywhere("dispose") { log.dispose() }
      race.anywhere("finish") { emitter.finish() }
      for number in 1...2 {
        race.thread { thread in
          thread.step("send") { emitter.send(number) }
          thread.step("send") { emitter.send(number + 10) }
        }
      }
      race.check {
        let order = race.notes.notes.compactMap { $0.name.map { "\($0) " } }.joined()
        places.withLock { _ = $0.insert(order) }
      }
    }
    #expect(places.withLock { $0.count } > 3)
  }

  @Test func aLostUpdateIsFoundAndItsSeedPrinted() throws {
    var rounds: RaceRounds?
    let failures = heldFailures {
      rounds = searchRaces(rounds: 2_000) { race in
        let count = Property(0)
        for _ in 1...2 {
          race.thread { thread in
            let before = thread.step("read") { count.value }
            thread.step("write") { count.value = before + 1 }
          }
        }
        race.check { #expect(count.value == 2) }
      }
    }
    try #require(failures.count == 1)
    let seed = try #require(rounds?.failingSeed)
    let message = failures[0].message
    #expect(message.contains("count.value → 1"))
    #expect(message.contains("searchRaces(replaying: \(seed))"))
    #expect(message.contains("thread 1") && message.contains("thread 2") && message.contains("[read "))
  }

  /// The two are some nanoseconds apart: of 36 searches with 1,000 rounds 3 missed it.
  @Test func checkThenActIsFoundWithoutAStepBetween() {
    let openings = Atomic(0)
    let failures = heldFailures {
      searchRaces { race in
        let isOpen = Property(false)
        openings.store(0, ordering: .relaxed)
        for _ in 1...2 {
          race.thread { thread in
            thread.step("open") {
              if !isOpen.value {
                isOpen.value = true
                openings.add(1, ordering: .relaxed)
              }
            }
          }
        }
        race.check { #expect(openings.load(ordering: .relaxed) == 1) }
      }
    }
    #expect(failures.count == 1)
  }

  @Test func eventsAfterTheEndAndAfterADisposalAreFound() {
    let log = RaceLog<Int>()
    log.note(.finished)
    log.note(.value(1))
    #expect(log.faults == ["An event arrived after the end (law 1)."])
    let left = RaceLog<Int>()
    left.dispose()
    left.note(.value(1))
    #expect(left.faults.isEmpty)
    left.note(.value(2))
    #expect(left.faults == ["Events arrived after the disposal (law 7)."])
  }

  @Test func aThreadThatThrowsFailsTheRound() {
    let failures = heldFailures {
      searchRaces { race in
        race.thread { _ in throw CancellationError() }
        race.thread { _ in }
      }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("Thread 1 threw CancellationError()") ?? false)
  }

  @Test(arguments: ["check", "thread", "anywhere", "scenario"]) func aRequirementIsReportedOnce(_ place: String) {
    let fail: @Sendable (String) throws -> Void = { if $0 == place { _ = try #require(Int("two")) } }
    let failures = heldFailures {
      searchRaces { race in
        race.thread { _ in try fail("thread") }
        race.thread { _ in }
        race.anywhere("require") { try fail("anywhere") }
        race.check { try fail("check") }
        try fail("scenario")
      }
    }
    #expect(failures.count == 1)
    #expect(!(failures.first?.message.contains("threw") ?? true), "\(failures)")
  }

  @Test func whatIsDoneAnywhereFailsTheRoundToo() {
    let failures = heldFailures {
      searchRaces { race in
        race.thread { _ in }
        race.thread { _ in }
        race.anywhere("explode") { throw CancellationError() }
      }
    }
    #expect(failures.first?.message.contains("The closure of anywhere(\"explode\") threw") ?? false)
  }

  @Test func aThreadThatHangsIsNamedAndGivenUp() {
    let isOver = Atomic(false)
    let failures = heldFailures {
      searchRaces(patience: .seconds(1)) { race in
        race.thread { _ in while !isOver.load(ordering: .relaxed) {} }
        race.thread { _ in }
      }
    }
    isOver.store(true, ordering: .relaxed)
    #expect(failures.first?.message.contains("not returned after") ?? false)
  }

  @Test(arguments: [0, 1, 5]) func twoToFourThreadsAreNeeded(count: Int) {
    let failures = heldFailures {
      searchRaces { race in for _ in 0..<count { race.thread { _ in } } }
    }
    #expect(failures.first?.message.contains("race.thread { } two to four times") ?? false)
  }

  @Test func aSeedPlacesTheSame() {
    let one = RacePlacement(seed: 5)
    for step in 0..<5 {
      #expect(one.pause(thread: 1, step: step) == RacePlacement(seed: 5).pause(thread: 1, step: step))
    }
    let places = (0..<100).map { RacePlacement(seed: $0).place(ofAct: 0, stepCounts: [2, 1]) }
    for (thread, step) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)] {
      #expect(places.contains { $0.thread == thread && $0.step == step })
    }
  }
}
