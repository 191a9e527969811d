import SignalTesting
import Signals
import Testing

/// Connections of signals that many share.
@Suite struct ConnectionLeakTests {
  private let keeper = LeakKeeper()
  private let temperatures = Emitter<Double>()

  private func message(_ body: () -> Void) -> String {
    let issues = issuesOf { assertNoLeaks(body) }
    #expect(issues.count == 1)
    return issues.first?.comments.first?.rawValue ?? ""
  }

  @Test func aConnectionThatIsKeptWithoutSubscribersIsALeak() {
    let line = #line + 1
    let found = message { temperatures.signal.multicast().connect().store(in: keeper.bag) }
    #expect(found.contains("multicast ConnectionLeakTests.swift:\(line)"), "\(found)")
    #expect(found.contains("connect() has connected it, and it has no subscriber"), "\(found)")
    #expect(found.contains("dispose what connect() returned"), "\(found)")
  }

  @Test func soIsOneOfATimer() {
    let time = VirtualTimeScheduler()
    let found = message {
      Signal.interval(every: .seconds(1), on: time).map { $0 * 2 }.multicast().connect().store(in: keeper.bag)
    }
    #expect(found.contains("interval ConnectionLeakTests.swift"), "\(found)")
    #expect(time.pendingCount == 1)
  }

  @Test func soIsOneWhoseSubscriberHasLeft() {
    let found = message {
      let shared = temperatures.signal.multicast()
      shared.connect().store(in: keeper.bag)
      shared.signal.subscribe { _ in }.dispose()
    }
    #expect(found.contains("connect() has connected it"), "\(found)")
  }

  @Test func aConnectionThatIsDisposedIsNone() {
    assertNoLeaks {
      let shared = temperatures.signal.multicast()
      let connection = shared.connect()
      let subscription = shared.signal.subscribe { _ in }
      temperatures.send(1)
      subscription.dispose()
      connection.dispose()
    }
    assertNoLeaks { temperatures.signal.multicast().connect().dispose() }
    assertNoLeaks { _ = Signal.just(1).multicast().connect() }
    assertNoLeaks {
      let first = temperatures.signal.multicast().autoconnect().prefix(1).subscribe { _ in }
      temperatures.send(2)
      #expect(first.isDisposed)
    }
    #expect(temperatures.subscriberCount == 0)
  }

  @Test func aConnectionOfEachRoundGrows() {
    let issues = issuesOf {
      expectNoGrowth(repeating: 4) { temperatures.signal.multicast().connect().store(in: keeper.bag) }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.comments.first?.rawValue.contains("alive after each of 4 rounds: 1, 2, 3, 4") ?? false)
  }
}
