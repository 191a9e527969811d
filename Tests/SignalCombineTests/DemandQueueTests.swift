import Signals
import Synchronization
import Testing

@testable import SignalCombine

private struct Lost: Error {}

/// What a subscriber does and gets.
private final class Subscriber: Sendable {
  private let stored = Mutex<[String]>([])
  private let reaction = Mutex<(@Sendable (Int) -> Int)>({ _ in 0 })
  var lines: [String] { stored.withLock { $0 } }

  /// What a value is answered with: how many more are wanted.
  func answer(_ reaction: @escaping @Sendable (Int) -> Int) { self.reaction.withLock { $0 = reaction } }

  func queue(_ policy: OverflowPolicy = .keepAll) -> DemandQueue<Int> {
    DemandQueue(policy) { [self] value in
      stored.withLock { $0.append("\(value)") }
      return reaction.withLock { $0 }(value)
    } end: { [self] completion in
      stored.withLock { $0.append(completion.failure.map { "failed \($0)" } ?? "finished") }
    }
  }
}

@Suite struct DemandQueueTests {
  @Test func valuesWaitUntilTheyAreAskedFor() {
    let subscriber = Subscriber()
    let queue = subscriber.queue()
    queue.send(1)
    #expect(subscriber.lines == [])
    queue.request(2)
    for number in 2...4 { queue.send(number) }
    #expect(subscriber.lines == ["1", "2"])
    queue.request(DemandQueue<Int>.unlimited)
    queue.request(1)
    queue.send(5)
    #expect(subscriber.lines == ["1", "2", "3", "4", "5"])
  }

  @Test func theEndComesBehindTheValues() {
    let subscriber = Subscriber()
    let queue = subscriber.queue()
    queue.send(1)
    queue.send(.failed(Lost()))
    queue.send(2)
    queue.send(.finished)
    #expect(!queue.isOpen)
    #expect(subscriber.lines == [])
    queue.request(1)
    #expect(subscriber.lines == ["1", "failed Lost()"])
    queue.request(1)
    #expect(subscriber.lines == ["1", "failed Lost()"])
  }

  @Test func theEndNeedsNoDemand() {
    let subscriber = Subscriber()
    subscriber.queue().send(.finished)
    #expect(subscriber.lines == ["finished"])
  }

  @Test func anAnswerIsDemandAndDoesNotNest() {
    let subscriber = Subscriber()
    let queue = subscriber.queue()
    subscriber.answer { value in
      // Both while a value is handed over: neither overtakes it.
      if value == 1 { queue.send(2) }
      if value == 2 { queue.request(1) }
      return value == 1 ? 1 : 0
    }
    queue.request(1)
    queue.send(1)
    queue.send(3)
    queue.send(4)
    #expect(subscriber.lines == ["1", "2", "3"])
  }

  @Test func lessThanOneIsNoDemand() {
    let subscriber = Subscriber()
    let queue = subscriber.queue()
    queue.request(0)
    queue.request(-1)
    queue.send(1)
    #expect(subscriber.lines == [])
  }

  @Test func whoCancelsGetsNothingMore() {
    let subscriber = Subscriber()
    let queue = subscriber.queue()
    subscriber.answer { value in
      if value == 2 { queue.cancel() }
      return 0
    }
    for number in 1...4 { queue.send(number) }
    queue.request(4)
    queue.send(.finished)
    #expect(subscriber.lines == ["1", "2"])
    #expect(!queue.isOpen)
  }

  @Test(arguments: [
    (OverflowPolicy.newest(2), ["3", "4"]), (.oldest(2), ["1", "2"]),
    (.fail(2), ["1", "2", "failed \(OverflowError(limit: 2))"]), (.newest(0), []), (.oldest(-1), []),
  ]) func whatWaitsIsLimited(_ policy: OverflowPolicy, _ lines: [String]) {
    let subscriber = Subscriber()
    let queue = subscriber.queue(policy)
    for number in 1...4 { queue.send(number) }
    queue.request(10)
    #expect(subscriber.lines == lines)
  }

  @Test func valuesOfSeveralThreadsComeOneAtATime() async {
    let subscriber = Subscriber()
    let busy = Atomic(false)
    let queue = subscriber.queue()
    subscriber.answer { _ in
      let wasBusy = busy.exchange(true, ordering: .acquiringAndReleasing)
      #expect(!wasBusy)
      busy.store(false, ordering: .releasing)
      return 1
    }
    queue.request(1)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { for number in 0..<200 { queue.send(number) } } }
    }
    #expect(subscriber.lines.count == 800)
  }
}
