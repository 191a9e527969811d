import Probes
import SignalGraph
import SignalTesting
import Signals
import Testing

/// The values of a signal as an asynchronous sequence.
@Suite("values()")
struct ValuesTests {
  @Test("the values and the end, in virtual time")
  func values() {
    marbles { m in
      let letters = m.hot("-a-bc-d|")
      m.expect(letters.signal.values(), "-a-bc-d|")
      m.expectSubscriptions(of: letters, "^------!")
      m.expect(m.cold("{ab|}").signal.values(), "(ab|)")
      m.expect(m.hot("--|").signal.values(), "--|")
    }
  }

  @Test("the failure is thrown, behind the values before it")
  func failure() {
    marbles { m in
      m.expect(m.hot("-a-(b#)", error: Failure(number: 1)).signal.values(), "-a-(b#)", error: Failure(number: 1))
      m.expect(m.cold("{ab#}", error: Failure(number: 1)).signal.values(), "(ab#)", error: Failure(number: 1))
    }
  }

  @Test("after the end and after the failure there is nothing more")
  func over() async throws {
    var finished = Signal<Int>.empty().values().makeAsyncIterator()
    #expect(try await finished.next() == nil)
    #expect(try await finished.next() == nil)
    var failed = Signal<Int>.fail(Failure()).values().makeAsyncIterator()
    await #expect(throws: Failure()) { try await failed.next() }
    #expect(try await failed.next() == nil)
  }

  @Test("a loop whose subscription the source ends without an event is over, behind the values that wait")
  func endedWithoutEvent() async throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let log = Journal<String>()
    let loop = scheduler.task {
      for try await number in numbers.signal.map({ $0 * 2 }).values() { log.append("\(number)") }
      log.append("over")
    }
    try scheduler.advance()
    numbers.disposeAllSubscriptions()
    try scheduler.advance()
    #expect(log.entries == ["over"])
    loop.cancel()

    var iterator = numbers.signal.values().makeAsyncIterator()
    numbers.send(1)
    numbers.disposeAllSubscriptions()
    numbers.send(2)
    #expect(try await iterator.next() == 1)
    #expect(try await iterator.next() == nil)
  }

  @Test(
    "values that come while the loop is busy wait: all, the newest, the oldest",
    arguments: [
      (OverflowPolicy.keepAll, [1, 2, 3, 4]), (.newest(2), [3, 4]), (.oldest(2), [1, 2]), (.newest(0), []),
    ])
  func buffering(policy: OverflowPolicy, expected: [Int]) async throws {
    let numbers = Emitter<Int>()
    var iterator = numbers.signal.values(buffering: policy).makeAsyncIterator()
    for number in 1...4 { numbers.send(number) }
    numbers.finish()
    var seen: [Int] = []
    while let number = try await iterator.next() { seen.append(number) }
    #expect(seen == expected)
  }

  @Test("too many wait: the loop throws behind those that wait, and an endless source stops")
  func overflow() async throws {
    var iterator = Signal.sequence(1...).values(buffering: .fail(2)).makeAsyncIterator()
    #expect(try await iterator.next() == 1)
    #expect(try await iterator.next() == 2)
    await #expect(throws: OverflowError(limit: 2)) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test("each loop subscribes when it begins, and leaves when it is left")
  func leaving() async throws {
    let numbers = Emitter<Int>(replay: 1)
    numbers.send(1)
    let values = numbers.signal.values()
    #expect(numbers.subscriberCount == 0)
    for try await number in values {
      #expect(number == 1)
      #expect(numbers.subscriberCount == 1)
      break
    }
    #expect(numbers.subscriberCount == 0)
  }

  @Test("cancelling the task ends the loop and the subscription at once, without the values that wait")
  func cancelling() throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let log = Journal<String>()
    let loop = scheduler.task {
      for try await number in numbers.signal.values() {
        log.append("\(number)")
        try? await scheduler.sleep(for: .seconds(1))
      }
      log.append("over")
    }
    try scheduler.advance()
    #expect(numbers.subscriberCount == 1)
    for number in 1...3 { numbers.send(number) }
    try scheduler.advance()
    loop.cancel()
    try scheduler.run()
    #expect(log.entries == ["1", "over"])
    #expect(numbers.subscriberCount == 0)
  }

  @Test("cancelling a loop that waits ends the subscription inside cancel()")
  func cancellingWhileWaiting() throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let log = Journal<String>()
    let loop = scheduler.task {
      for try await number in numbers.signal.values() { log.append("\(number)") }
      log.append("over")
    }
    try scheduler.advance()
    loop.cancel()
    #expect(numbers.subscriberCount == 0)
    try scheduler.run()
    #expect(log.entries == ["over"])
  }

  @Test("Law 4: an error that nobody takes is released without a lock")
  func errorThatIsNotTaken() async throws {
    final class Token: Sendable {
      let log: Property<Int>
      init(_ log: Property<Int>) { self.log = log }
      deinit { log.update { $0 += 1 } }
    }
    struct Failed: Error { let token: Token }
    let (numbers, log) = (Emitter<Int>(), Property(0))
    let reading = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var values = numbers.signal.map { _ -> Int in throw Failed(token: Token(log)) }.values().makeAsyncIterator()
      numbers.send(1)
      return try await values.next()
    }
    #expect(try await reading.value == nil)
    #expect(log.value == 1)
  }

  @Test("Laws: a signal of the values is as good as the signal, in tasks")
  func laws() {
    expectLaws(
      of: OperatorContract(
        "values() and back", delivery: .partlyScheduled, delivers: { $0 },
        exemptions: [.release: "a task that was started has to run, to see that it was cancelled"]
      ) { upstream, inputs in
        .asyncSequence(upstream.values(), executor: inputs.scheduler as? any TaskExecutor)
      })
  }

  @Test("a sender on another thread: every value once, in order", .timeLimit(.minutes(20)))
  func threads() async throws {
    let numbers = Emitter<Int>()
    let values = numbers.signal.values()
    var iterator = values.makeAsyncIterator()
    let sender = Task.detached {
      for number in 0..<20_000 { numbers.send(number) }
      numbers.finish()
    }
    var next = 0
    while let number = try await iterator.next() {
      #expect(number == next)
      next += 1
    }
    #expect(next == 20_000)
    await sender.value
  }

  @Test("cancelling while another thread sends: nothing hangs, nothing stays subscribed", .timeLimit(.minutes(20)))
  func cancelRace() async throws {
    for _ in 0..<200 {
      let numbers = Emitter<Int>()
      let loop = Task.detached {
        var last = -1
        for try await number in numbers.signal.values() {
          #expect(number > last)
          last = number
        }
      }
      let sender = Task.detached { for number in 0..<100 { numbers.send(number) } }
      loop.cancel()
      try await loop.value
      await sender.value
      #expect(numbers.subscriberCount == 0)
    }
  }

  @Test(
    "the graph shows, at the subscriber, how many values wait, and how many were dropped", arguments: [false, true])
  func recorded(isStage: Bool) async throws {
    let recorder = GraphRecorder()
    let numbers = Emitter<Int>()
    let signal = isStage ? numbers.signal.map { $0 } : numbers.signal.prefix(9)
    var iterator = recorder.record { signal.values(buffering: .newest(2)).makeAsyncIterator() }
    func node() -> [UInt64?] {
      let node = recorder.snapshot().node("subscribe")
      return [node?.waiting, node?.dropped, node?.valueCount]
    }
    #expect(node() == [nil, nil, 0])
    for number in 1...5 { numbers.send(number) }
    #expect(node() == [2, 3, 5])
    #expect(try await iterator.next() == 4)
    #expect(node() == [1, 3, 5])
    #expect(try await iterator.next() == 5)
    #expect(node() == [nil, 3, 5])

    var oldest = recorder.record { numbers.signal.values(buffering: .oldest(1)).makeAsyncIterator() }
    numbers.send(6)
    numbers.send(7)
    #expect(recorder.snapshot().nodes.contains { $0.waiting == 1 && $0.dropped == 1 })
    #expect(try await oldest.next() == 6)
  }

  /// The subscriber is the lowest node of its chain, and has a queue.
  @Test func leftLoopIsCountedAsDisposedOnce() async throws {
    let recorder = GraphRecorder()
    let numbers = recorder.record { Emitter<Int>(replay: 1) }
    numbers.send(1)
    try await recorder.record {
      for try await _ in numbers.signal.values() { break }
    }
    let ends = recorder.snapshot().definitions.compactMap(\.ends)
    #expect(ends.map(\.disposed) == [1] && ends.map(\.total) == [1])
  }
}
