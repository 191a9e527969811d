import FaultyOperators
import SignalTesting
import Signals
import Testing

@Suite struct ProbeFailures {
  @Test func anotherEvent() {
    let probe = Signal<Int>.sequence([]).probe()
    _ = try? probe.next()  // must fail: expected a value, got the end
  }

  @Test func noEvent() {
    let scheduler = VirtualTimeScheduler()
    let probe = Signal<Int>.never().probe(on: scheduler)
    try? probe.finish()  // must fail: expected the end, but nothing arrives: no work is left
  }

  @Test func anEventTooMany() {
    let scheduler = VirtualTimeScheduler()
    let probe = Signal.interval(every: .milliseconds(2), on: scheduler).probe(on: scheduler)
    try? probe.expectNoEvents(for: .milliseconds(5))  // must fail: expected nothing for 5 ms, but 2 events arrived
  }

  @Test func nobodyLooksAtIt() {
    let probe = Signal.sequence([1, 2]).probe()  // must fail: 2 events of this probe were not read
    // XCTest: XCTAssertEqual(try? probe.next(), 1)
    #expect((try? probe.next()) == .some(1))
  }

  @Test func nobodyLooksAtItInAScope() throws {
    try Signal.sequence([1, 2]).withProbe { probe in  // must fail: 2 events of this probe were not read
      _ = try probe.next()
    }
  }

  @Test func noEventThatIsAwaited() async {
    let scheduler = VirtualTimeScheduler()
    let probe = Signal<Int>.never().probe(on: scheduler)
    _ = try? await probe.next(timeout: .seconds(9))  // must fail: nothing arrives: the probe waited for 9 s
  }

  @Test func keptAndNeverLookedAt() {
    let probe = Signal.sequence([1, 2]).probe()  // must fail without its test: This probe is still retained
    Keeper.shared.keepAnything(probe)
  }

  @Test func anIntervalThatDeliversNothing() {
    let scheduler = VirtualTimeScheduler(workLimit: 1_000)
    let probe = Signal.interval(every: .milliseconds(1), on: scheduler).filter { _ in false }.probe(on: scheduler)
    _ = try? probe.next()  // must fail: 1000 work items ran until 1 s, and none of them sent an event
  }

  @Test func aSchedulerThatIsUsed() {
    let scheduler = ForbiddenScheduler()  // must fail: The scheduler that must not be used received work for 1 s later
    _ = scheduler.schedule(after: .seconds(1)) {}
  }

  @Test func aSourceThatNobodySubscribedTo() {
    let source = SourceProbe<Int>()
    source.expectSubscribed()  // must fail: The source was subscribed to never, expected at least once
  }

  @Test func aSourceThatSomebodyLeft() {
    let source = SourceProbe<Int>()
    source.signal.record().dispose()
    source.expectNotDisposed()  // must fail: Expected no subscription of the source to be disposed: 1 started
  }
}
