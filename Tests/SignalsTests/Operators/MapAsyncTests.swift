import Probes
import SignalGraph
import SignalTesting
import Signals
import Testing

/// Makes another value of each one with an asynchronous closure.
@Suite("mapAsync")
struct MapAsyncTests {
  /// As many milliseconds as the letter says: `a` 1, `b` 2, `c` 3 ...; `x` fails at once.
  private static func work(_ m: MarbleTest) -> @Sendable (String) async throws -> String {
    { [scheduler = m.scheduler] letter in
      if letter == "x" { throw Failure(number: 1) }
      let length = (letter.unicodeScalars.first?.value ?? 97) - 96
      try await scheduler.sleep(for: .milliseconds(length))
      return letter
    }
  }

  @Test("one at a time, in order; values wait for their turn, and the end waits for them")
  func oneAtATime() {
    marbles { m in
      let letters = m.hot("-cba|")
      m.expect(
        letters.signal.mapAsync(executor: m.scheduler, Self.work(m)),
        "                  ----c-b(a|)")
      m.expectSubscriptions(of: letters, "^---!")
    }
  }

  @Test("several at once in order: a result that is early waits, and takes a place", arguments: [2, 3])
  func inOrder(count: Int) {
    marbles { m in
      // With two places: d from 1 to 5, a from 2, done at 3, c from 5 to 8. With three c begins at 3.
      let letters = m.hot("-dac---|")
      m.expect(
        letters.signal.mapAsync(maxConcurrent: count, executor: m.scheduler, Self.work(m)),
        count == 2 ? "     -----(da)--(c|)" : "-----(da)c(|)")
    }
  }

  @Test("several at once, as they come: who is ready makes room")
  func asTheyCome() {
    marbles { m in
      // d from 1 to 5, a from 2 to 3, c from 3 to 6.
      let letters = m.hot("-dac----|")
      m.expect(
        letters.signal.mapAsync(maxConcurrent: 2, keepsOrder: false, executor: m.scheduler, Self.work(m)),
        "                  ---a-dc-|")
    }
  }

  @Test("less than one at a time counts as one", arguments: [0, -1, Int.min])
  func few(count: Int) {
    marbles { m in
      let letters = m.hot("-ba---|")
      m.expect(
        letters.signal.mapAsync(maxConcurrent: count, executor: m.scheduler, Self.work(m)),
        "                  ---ba-|")
    }
  }

  @Test("Law 11: an error of the closure fails the result, behind the results before it, and ends the source")
  func thrown() {
    marbles { m in
      let letters = m.hot("-cxb--")
      m.expect(
        letters.signal.mapAsync(maxConcurrent: 3, executor: m.scheduler, Self.work(m)),
        "                  ----(c#)", error: Failure(number: 1))
      m.expectSubscriptions(of: letters, "^---!")
    }
  }

  @Test("where the order is not kept, an error comes at once, and the others are cancelled")
  func thrownAtOnce() {
    let cancelled = Box(0)
    marbles { m in
      let letters = m.hot("-cx---")
      m.expect(
        letters.signal.mapAsync(maxConcurrent: 3, keepsOrder: false, executor: m.scheduler) {
          [work = Self.work(m)] letter in
          do { return try await work(letter) } catch is CancellationError {
            cancelled.withLock { $0 += 1 }
            throw CancellationError()
          }
        },
        "                  --#", error: Failure(number: 1))
    }
    #expect(cancelled.value == 1)
  }

  @Test("a failure of the source comes at once; what runs is cancelled, and what waits dropped")
  func failure() {
    marbles { m in
      let letters = m.hot("-ac-b#", error: Failure(number: 2))
      m.expect(
        letters.signal.mapAsync(executor: m.scheduler, Self.work(m)),
        "                  --a--#", error: Failure(number: 2))
    }
  }

  @Test("empty, never, and everything inside subscribe")
  func few() {
    marbles { m in
      m.expect(m.hot("--|").signal.mapAsync(executor: m.scheduler, Self.work(m)), "--|")
      m.expect(m.hot("---").signal.mapAsync(executor: m.scheduler, Self.work(m)), "---")
      m.expect(m.cold("{|}").signal.mapAsync(executor: m.scheduler, Self.work(m)), "{|}")
      m.expect(m.cold("{ab|}").signal.mapAsync(executor: m.scheduler, Self.work(m)), "-a-(b|)")
    }
  }

  @Test("Law 7: after disposal nothing comes, and the closure that runs is cancelled")
  func disposal() throws {
    let scheduler = VirtualTimeScheduler()
    let life = LifeCount()
    let log = Journal<String>()
    let numbers = Emitter<Int>()
    func subscribe() -> Subscription {
      let token = life.token()
      return numbers.signal
        .mapAsync(maxConcurrent: 2, executor: scheduler) { number in
          token.touch()
          do { try await scheduler.sleep(for: .seconds(1)) } catch { log.append("cancelled \(number)") }
          return number
        }
        .subscribe { log.append("\($0)") }
    }
    let subscription = subscribe()
    for number in 1...3 { numbers.send(number) }
    try scheduler.advance(by: .milliseconds(500))
    subscription.dispose()
    #expect(numbers.subscriberCount == 0)
    try scheduler.run()
    #expect(log.entries.sorted() == ["cancelled 1", "cancelled 2"])
    #expect(life.alive == 0)
  }

  @Test("Law 7: a handler that disposes its subscription gets no further result of the same moment")
  func disposalInHandler() throws {
    let scheduler = VirtualTimeScheduler()
    let letters = Emitter<String>()
    let seen = Journal<String>()
    let subscription = Box<Subscription?>(nil)
    subscription.value = letters.signal
      .mapAsync(maxConcurrent: 2, executor: scheduler) { letter in
        try await scheduler.sleep(for: .milliseconds(letter == "a" ? 2 : 1))
        return letter
      }
      .subscribe { letter in
        seen.append(letter)
        subscription.value?.dispose()
      }
    letters.send("a")
    letters.send("b")
    try scheduler.run()
    #expect(seen.entries == ["a"])
  }

  @Test("a handler that sends: the value takes its turn")
  func nested() throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let seen = Journal<Int>()
    let subscription = numbers.signal.mapAsync(executor: scheduler) { $0 }.subscribe { number in
      if number == 1 { numbers.send(3) }
      seen.append(number)
    }
    numbers.send(1)
    numbers.send(2)
    try scheduler.run()
    #expect(seen.entries == [1, 2, 3])
    subscription.dispose()
  }

  @Test(
    "too many wait: all are kept, the newest, the oldest",
    arguments: [
      (OverflowPolicy.keepAll, [1, 2, 3, 4]), (.newest(2), [1, 3, 4]), (.oldest(2), [1, 2, 3]), (.newest(0), [1]),
      (.oldest(-1), [1]),
    ])
  func overflow(policy: OverflowPolicy, expected: [Int]) throws {
    let scheduler = VirtualTimeScheduler()
    let log = EventLog<Int>()
    let numbers = Emitter<Int>()
    let subscription = numbers.signal.mapAsync(overflow: policy, executor: scheduler) { $0 }.log(to: log)
    for number in 1...4 { numbers.send(number) }
    numbers.finish()
    try scheduler.run()
    #expect(log.events == expected.map { .value($0) } + [.finished])
    subscription.dispose()
  }

  @Test("too many wait: it fails behind those that wait, and an endless source stops")
  func overflowFails() throws {
    let scheduler = VirtualTimeScheduler()
    let log = EventLog<Int>()
    let subscription = Signal.sequence(1...).mapAsync(overflow: .fail(2), executor: scheduler) { $0 }.log(to: log)
    try scheduler.run()
    #expect(log.events == [.value(1), .value(2), .value(3), .failed(OverflowError(limit: 2))])
    subscription.dispose()
  }

  @Test("a value that is sent while a result is delivered drops none that waits", arguments: [false, true])
  func freeAgain(isRecorded: Bool) throws {
    let scheduler = VirtualTimeScheduler()
    let log = EventLog<Int>()
    let numbers = Emitter<Int>()
    func subscribe() -> Subscription {
      numbers.signal.mapAsync(maxConcurrent: 2, overflow: .oldest(1), executor: scheduler) { $0 }
        .subscribeToEvents { event in
          log.append(event)
          if event == .value(1) { numbers.send(4) }
        }
    }
    let subscription = isRecorded ? GraphRecorder().record(subscribe) : subscribe()
    for number in 1...3 { numbers.send(number) }
    try scheduler.run()
    #expect(log.values == [1, 2, 3, 4])
    subscription.dispose()
  }

  @Test("on the global executor each value comes once, in order", .timeLimit(.minutes(20)), arguments: [1, 4])
  func threads(count: Int) async throws {
    let numbers = Signal.sequence(0..<1_000).mapAsync(maxConcurrent: count) { number in
      await Task.yield()
      return number
    }
    var seen: [Int] = []
    for try await number in numbers.values() { seen.append(number) }
    #expect(seen == Array(0..<1_000))
  }

  @Test(
    "the graph shows how many values wait, and how many were dropped",
    arguments: [(OverflowPolicy.newest(2), [3, 6, 7]), (.oldest(2), [3, 4, 5]), (.keepAll, [3, 4, 5, 6, 7])])
  func recorded(policy: OverflowPolicy, waiting: [Int]) throws {
    let scheduler = VirtualTimeScheduler()
    let recorder = GraphRecorder()
    let numbers = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = recorder.record {
      numbers.signal.mapAsync(overflow: policy, executor: scheduler) { number in
        try await scheduler.sleep(for: .milliseconds(1))
        return number
      }.log(to: log)
    }
    for number in 3...7 { numbers.send(number) }
    var node = recorder.snapshot().node("mapAsync")
    #expect(node?.waiting == UInt64(waiting.count - 1))
    #expect(node?.dropped == (waiting.count == 5 ? nil : 2))
    try scheduler.advance(by: .milliseconds(9))
    #expect(log.values == waiting)
    node = recorder.snapshot().node("mapAsync")
    #expect(node?.waiting == nil && node?.valueCount == UInt64(waiting.count))
    subscription.dispose()
  }
}
