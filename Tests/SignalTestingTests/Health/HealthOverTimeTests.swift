import SignalTesting
import Signals
import Testing

@Suite struct HealthOverTimeTests {
  /// The rules that find something, with their lines.
  private func faults(_ body: () -> Void) -> [String] {
    issuesOf(body).map { issue in
      let message = issue.comments.first?.rawValue ?? ""
      return "\(message.prefix { $0 != "\n" }) \(issue.sourceLocation?.line ?? 0)"
    }
  }

  /// Sends a value each 50 milliseconds to a debounce that waits for so long a pause.
  private func type(pause: Duration, on time: VirtualTimeScheduler) {
    let keys = Emitter<Int>()
    let bag = DisposeBag()
    keys.signal.debounce(for: pause, on: time).subscribe { _ in }.store(in: bag)
    for key in 0..<200 {
      keys.send(key)
      #expect(throws: Never.self) { try time.advance(by: .milliseconds(50)) }
    }
  }

  private let debounceLine = #line - 7

  @Test func secondsAreThoseOfVirtualTime() {
    let found = faults { assertHealthy { type(pause: .milliseconds(100), on: VirtualTimeScheduler()) } }
    #expect(
      found == [
        "starved: this `debounce` got 99 values in 5 s and gave none: they come without the pause that it waits for "
          + "\(debounceLine)"
      ])
    assertHealthy { type(pause: .milliseconds(40), on: VirtualTimeScheduler()) }
  }

  /// Returns a new scheduler, at an address that was one before if the system assigns it again.
  private func scheduler(at address: ObjectIdentifier) -> VirtualTimeScheduler {
    var others: [VirtualTimeScheduler] = []
    for _ in 0..<1_000 {
      let time = VirtualTimeScheduler()
      if ObjectIdentifier(time) == address { return time }
      others.append(time)
    }
    withExtendedLifetime(others) {}
    return VirtualTimeScheduler()
  }

  /// Returns the address of a scheduler that has been used and deallocated.
  private func addressOfUsedScheduler() -> ObjectIdentifier {
    let time = VirtualTimeScheduler()
    type(pause: .milliseconds(40), on: time)
    return ObjectIdentifier(time)
  }

  @Test func laterSchedulerAtTheSameAddressIsChecked() {
    let found = faults {
      assertHealthy {
        let address = addressOfUsedScheduler()
        type(pause: .milliseconds(100), on: scheduler(at: address))
      }
    }
    #expect(found.count == 1 && found.allSatisfy { $0.hasPrefix("starved: ") }, "\(found)")
  }

  /// Begins chains with these names at one line, one after the other, each of which starves.
  private func starve(_ names: [String], on time: VirtualTimeScheduler) {
    let (edits, bag) = (Emitter<Int>(), DisposeBag())
    for name in names {
      edits.signal.debounce(for: .milliseconds(100), on: time).named(name).subscribe { _ in }.store(in: bag)
      for edit in 0..<200 {
        edits.send(edit)
        #expect(throws: Never.self) { try time.advance(by: .milliseconds(50)) }
      }
    }
  }

  /// A named chain is excused, and then another one at the same line has the fault.
  @Test func whatIsIgnoredHidesNothingOfTheSameLine() {
    let time = VirtualTimeScheduler()
    let found = faults {
      assertHealthy(ignoringChains: ["log"]) { starve(["log", "draft"], on: time) }
    }
    #expect(found.count == 1 && found.allSatisfy { $0.hasPrefix("starved: ") }, "\(found)")
  }

  @Test func severalIgnoredChainsMayHaveTheSameFault() {
    let time = VirtualTimeScheduler()
    assertHealthy(ignoringChains: ["log", "draft"]) { starve(["log", "draft"], on: time) }
  }

  @Test func workThatIsDoneForEachSubscriberIsAWarning() {
    let issues = issuesOf {
      assertHealthy {
        let time = VirtualTimeScheduler()
        let bag = DisposeBag()
        let ticks = Signal<Int>.interval(every: .milliseconds(100), on: time)
        ticks.map { $0 + 1 }.subscribe { _ in }.store(in: bag)
        ticks.filter { $0 > 1 }.subscribe { _ in }.store(in: bag)
        ticks.scan(0) { $0 + $1 }.subscribe { _ in }.store(in: bag)
        #expect(throws: Never.self) { try time.advance(by: .seconds(10)) }
      }
    }
    #expect(issues.map { $0.comments.first?.rawValue.hasPrefix("repeated-source: ") } == [true])
    #if compiler(>=6.3)
      #expect(issues.map(\.severity) == [.warning])
    #endif
  }

  @Test func aSignalThatNobodyConnectsIsFoundAfterTenSecondsOfVirtualTime() {
    func wait(_ duration: Duration) {
      let time = VirtualTimeScheduler()
      let bag = DisposeBag()
      let ticks = Signal.interval(every: .seconds(1), on: time).multicast()
      ticks.signal.subscribe { _ in }.store(in: bag)
      #expect(throws: Never.self) { try time.advance(by: duration) }
    }
    let line = #line - 4
    let found = faults { assertHealthy { wait(.seconds(100)) } }
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("never-connected") ?? false, "\(found)")
    #expect(found.first?.hasSuffix(" \(line)") ?? false, "\(found)")
    assertHealthy { wait(.seconds(5)) }
  }

  @Test func oneLongSleepCountsAsWhole() {
    func wait(_ duration: Duration) {
      assertHealthy {
        try? withVirtualTime { time in
          let bag = DisposeBag()
          let ticks = Signal<Int>.interval(every: .seconds(1), on: time).multicast()
          ticks.signal.subscribe { _ in }.store(in: bag)
          try await time.sleep(for: duration)
          bag.disposeAll()
        }
      }
    }
    let found = faults { wait(.seconds(15)) }
    #expect(found.count == 1 && found[0].hasPrefix("never-connected"), "\(found)")
    wait(.seconds(5))
  }

  @Test func theVirtualTimeMayBeAroundTheCheckOrInside() {
    #expect(
      faults {
        withVirtualTime { time in assertHealthy { type(pause: .milliseconds(100), on: time) } }
      }.count == 1)
    #expect(
      faults {
        assertHealthy { withVirtualTime { time in type(pause: .milliseconds(100), on: time) } }
      }.count == 1)
  }

  /// One side of a zip stays behind for half a minute.
  private static func starve(_ pause: @escaping () async -> Void) async {
    let (fast, slow, bag) = (Emitter<Int>(), Emitter<Int>(), DisposeBag())
    fast.signal.zip(slow.signal).subscribe { _ in }.store(in: bag)
    for number in 0..<300 {
      fast.send(number)
      await pause()
    }
    withExtendedLifetime(slow) {}
  }

  @Test func aCheckInsideATaskOfVirtualTimeIsAskedForRulesOfTime() {
    let found = faults {
      try? withVirtualTime { time in
        try? await time.sleep(for: .seconds(1))
        await assertHealthy { await Self.starve { try? await time.sleep(for: .milliseconds(100)) } }
      }
    }
    let around = faults {
      assertHealthy {
        try? withVirtualTime { time in await Self.starve { try? await time.sleep(for: .milliseconds(100)) } }
      }
    }
    #expect(found.contains { $0.hasPrefix("stalled") || $0.hasPrefix("backlog") }, "\(found)")
    #expect(found == around, "\(around)")
    try? withVirtualTime { time in
      await assertHealthy {
        let (ticks, bag) = (Emitter<Int>(), DisposeBag())
        ticks.signal.subscribe { _ in }.store(in: bag)
        for number in 0..<300 {
          ticks.send(number)
          try? await time.sleep(for: .milliseconds(100))
        }
      }
    }
  }

  @Test func aMarbleTestIsLookedAt() {
    func run(frame: Duration) {
      assertHealthy {
        marbles(frame: frame) { m in
          let keys = m.hot(String(repeating: "a", count: 400))
          let chain = keys.signal.debounce(for: frame * 2, on: m.scheduler).filter { _ in false }
          m.expect(chain, String(repeating: "-", count: 400))
        }
      }
    }
    #expect(faults { run(frame: .milliseconds(100)) }.count == 1)
    run(frame: .milliseconds(1))
  }
}
