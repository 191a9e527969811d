import Probes
import SignalTesting
import Signals
import Testing

/// Delivers values in arrays: all at the end, or so many, or those of a time, or those between two values of another signal.
@Suite("collect")
struct CollectTests {
  /// An array of letters as one text.
  private static func texts(_ arrays: Signal<[String]>) -> Signal<String> {
    arrays.map { $0.isEmpty ? "." : $0.joined() }
  }

  private static let values = ["x": "ab", "y": "bc", "z": "c", "d": "d", "e": "cd", "0": "."]

  private static func expect(
    _ arrays: Signal<[String]>, _ diagram: String, subscription: String? = nil, in m: MarbleTest,
    line: UInt = #line
  ) {
    let used = values.filter { diagram.contains($0.key) }
    m.expect(texts(arrays), diagram, values: used, subscription: subscription, line: line)
  }

  // MARK: All

  @Test("all values come as one array, with the end")
  func all() {
    marbles { m in
      let letters = m.hot("                    -a-b-|")
      Self.expect(letters.signal.collect(), "  -----(x|)", in: m)
      m.expectSubscriptions(of: letters, "     ^----!")
    }
  }

  @Test("without values an empty array comes with the end; without an end nothing comes")
  func nothing() {
    marbles { m in
      let empty = m.hot("                    --|")
      Self.expect(empty.signal.collect(), "  --(0|)", in: m)

      let never = m.hot("                    -a--")
      Self.expect(never.signal.collect(), "  ----", in: m)
    }
  }

  @Test("a failure comes alone, whatever was collected")
  func failure() {
    marbles { m in
      let letters = m.hot("                                    -a-b-#", error: Failure(number: 1))
      m.expect(Self.texts(letters.signal.collect()), "         -----#", error: Failure(number: 1))
      m.expect(Self.texts(letters.signal.collect(3)), "        -----#", error: Failure(number: 1))
      m.expect(Self.texts(letters.signal.collect(by: Signal<Int>.never())), "-----#", error: Failure(number: 1))
    }
  }

  // MARK: A number

  @Test("each array has as many values, but for the last")
  func number() {
    marbles { m in
      let letters = m.hot("                     -a-b-c-|")
      Self.expect(letters.signal.collect(2), "  ---x---(z|)", in: m)
      m.expectSubscriptions(of: letters, "      ^------!")
    }
  }

  @Test("the last array is not empty")
  func numberWithoutRest() {
    marbles { m in
      let letters = m.hot("                     -a-b-|")
      Self.expect(letters.signal.collect(2), "  ---x-|", in: m)

      let empty = m.hot("                     --|")
      Self.expect(empty.signal.collect(2), "  --|", in: m)
    }
  }

  @Test("several arrays at one moment, and inside subscribe")
  func sameMoment() {
    marbles { m in
      let together = m.hot("                     -(abcd|)")
      Self.expect(together.signal.collect(2), "  -(xe|)", in: m)

      let atOnce = m.cold("                    {abc}-d|")
      Self.expect(atOnce.signal.collect(2), "  {x}-e|", in: m)
    }
  }

  @Test("less than one value an array, and less than one value further on, count as one", arguments: [0, -1, Int.min])
  func lessThanOne(count: Int) {
    #expect(Self.numbers(1...3, count: count, skip: nil) == [[1], [2], [3]])
    #expect(Self.numbers(1...3, count: 2, skip: count) == [[1, 2], [2, 3], [3]])
  }

  @Test("an array that is never full comes with the end, however long it might be")
  func neverFull() {
    #expect(Self.numbers(1...3, count: .max, skip: nil) == [[1, 2, 3]])
    #expect(Self.numbers(1...3, count: .max, skip: .max) == [[1, 2, 3]])
    #expect(Self.numbers(1...3, count: 1, skip: .max) == [[1]])
  }

  @Test("arrays that overlap and arrays with gaps are the parts of the sequence, whatever the lengths")
  func parts() {
    for length in 0...9 {
      for count in 1...4 {
        for skip in 1...5 {
          let expected = stride(from: 0, to: length, by: skip).map { Array($0..<min($0 + count, length)) }
          #expect(
            Self.numbers(0..<length, count: count, skip: skip) == expected, "\(length) values, \(count), \(skip)")
        }
      }
    }
  }

  private static func numbers(_ range: some Sequence<Int> & Sendable, count: Int, skip: Int?) -> [[Int]] {
    let arrays = Journal<[Int]>()
    Signal.sequence(range).collect(count, skip: skip).subscribe { arrays.append($0) }.dispose()
    return arrays.entries
  }

  @Test("each subscription counts for itself")
  func subscriptions() {
    marbles { m in
      let letters = m.hot("    -a-b-c-d-|")
      let result = letters.signal.collect(2)
      Self.expect(result, "    ---x---e-|", in: m)
      Self.expect(result, "    -----y---(d|)", subscription: "--^", in: m)
    }
  }

  @Test("Law 7: a handler that disposes at the end gets none of the arrays that were to follow")
  func disposalAtTheEnd() {
    let numbers = Emitter<Int>()
    let arrays = Journal<[Int]>()
    let bag = DisposeBag()
    numbers.signal.collect(3, skip: 1).subscribe(
      onValue: { array in
        arrays.append(array)
        if array == [2, 3] { bag.disposeAll() }
      }, onFinish: { arrays.append([-1]) }
    ).store(in: bag)
    for number in 1...3 { numbers.send(number) }
    numbers.finish()
    #expect(arrays.entries == [[1, 2, 3], [2, 3]])
  }

  @Test("Law 9: an endless source is read as far as somebody takes arrays")
  func endless() {
    let arrays = Journal<[Int]>()
    Signal.sequence(1...).collect(2).prefix(2).subscribe { arrays.append($0) }.dispose()
    Signal.sequence(1...).collect(2, skip: 3).prefix(2).subscribe { arrays.append($0) }.dispose()
    #expect(arrays.entries == [[1, 2], [3, 4], [1, 2], [4, 5]])
  }

  @Test("Law 2: what is sent while an array is handled belongs to the next one")
  func reentrant() {
    let numbers = Emitter<Int>()
    let arrays = Journal<[Int]>()
    let subscription = numbers.signal.collect(2).subscribe { array in
      arrays.append(array)
      if array == [1, 2] { for number in 3...5 { numbers.send(number) } }
    }
    numbers.send(1)
    numbers.send(2)
    numbers.send(6)
    #expect(arrays.entries == [[1, 2], [3, 4], [5, 6]])
    subscription.dispose()
  }

  @Test("what was delivered is not kept, and what is left out is not kept either")
  func memory() {
    let life = LifeCount()
    let emitter = Emitter<LifeCount.Token>()
    let subscription = emitter.signal.collect(2, skip: 4).subscribe { _ in }
    emitter.send(life.token())
    #expect(life.alive == 1)
    for _ in 0..<3 { emitter.send(life.token()) }
    #expect(life.alive == 0)
    subscription.dispose()
  }

  // MARK: A time

  private let span = Duration.milliseconds(4)

  @Test("at the end of each span comes what came in it, also if that is nothing")
  func time() {
    marbles { m in
      let letters = m.hot("               -ab-------c--|")
      Self.expect(
        letters.signal.collect(for: span, on: m.scheduler),
        "                                 ----x---0---z(0|)", in: m)
      m.expectSubscriptions(of: letters, "^------------!")
    }
  }

  @Test("a full array comes at once, and a whole span begins with it")
  func timeOrNumber() {
    marbles { m in
      let letters = m.hot("-a-b-c------d|")
      Self.expect(
        letters.signal.collect(for: span, upTo: 2, on: m.scheduler),
        "                  ---x---z---0-(d|)", in: m)
    }
  }

  @Test("Law 14: everything comes on the scheduler, also what came inside subscribe, the end and a failure")
  func timeAtOnce() {
    marbles { m in
      let letters = m.cold("{ab|}")
      Self.expect(letters.signal.collect(for: span, on: m.scheduler), "(x|)", in: m)

      let failing = m.cold("{ab#}", error: Failure(number: 1))
      m.expect(
        Self.texts(failing.signal.collect(for: span, upTo: 2, on: m.scheduler)),
        "                   (x#)", values: ["x": "ab"], error: Failure(number: 1))
    }
  }

  @Test("a limit of less than one counts as one; no time at all is a nanosecond")
  func timeLimits() throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let arrays = Journal<[Int]>()
    let bag = DisposeBag()
    numbers.signal.collect(for: .seconds(1), upTo: 0, on: scheduler).subscribe { arrays.append($0) }.store(in: bag)
    numbers.send(1)
    numbers.send(2)
    try scheduler.advance()
    #expect(arrays.entries == [[1], [2]])
    bag.disposeAll()
    numbers.signal.collect(for: .seconds(-1), on: scheduler).subscribe { arrays.append($0) }.store(in: bag)
    numbers.send(3)
    try scheduler.advance(by: .nanoseconds(2))
    #expect(arrays.entries == [[1], [2], [3], []])
    bag.disposeAll()
    #expect(scheduler.pendingCount == 0)
  }

  @Test("spans are counted from the subscription on a scheduler that is late, and none is made up for")
  func late() {
    let scheduler = LateScheduler()
    let arrays = Journal<[Int]>()
    let numbers = Emitter<Int>()
    let subscription = numbers.signal.collect(for: .seconds(10), on: scheduler).subscribe { arrays.append($0) }
    #expect(scheduler.delays == [.seconds(10)])
    scheduler.run(at: .seconds(13))
    #expect(scheduler.delays == [.seconds(7)])
    scheduler.run(at: .seconds(45))
    #expect(scheduler.delays == [.seconds(10)])
    #expect(arrays.entries == [[], []])
    subscription.dispose()
  }

  @Test("Law 7: after an early disposal nothing comes, and nothing is left scheduled")
  func timeDisposal() {
    marbles { m in
      let letters = m.hot("               -ab---c--|")
      Self.expect(
        letters.signal.collect(for: span, on: m.scheduler),
        "                                 ----x----", subscription: "^-----!", in: m)
      m.expectSubscriptions(of: letters, "^-----!")
    }
  }

  // MARK: By a signal

  @Test("each value of the other signal brings what came before it")
  func bySignal() {
    marbles { m in
      let letters = m.hot("               -a-b---c--|")
      let other = m.hot("                 ----n-n--n-|")
      Self.expect(letters.signal.collect(by: other.signal), "----x-0--z(0|)", in: m)
      m.expectSubscriptions(of: letters, "^---------!")
      m.expectSubscriptions(of: other, "  ^---------!")
    }
  }

  @Test("when the other signal finishes, the rest comes with the end; when it fails, nothing but the failure")
  func endOfOther() {
    marbles { m in
      let letters = m.hot("               -a-b-|")
      let finishing = m.hot("             --|")
      Self.expect(letters.signal.collect(by: finishing.signal), "-----(x|)", in: m)

      let failing = m.hot("               --#", error: Failure(number: 2))
      m.expect(Self.texts(letters.signal.collect(by: failing.signal)), "--#", error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "^----!", "^-!")
    }
  }

  @Test("Law 11: what throws below fails the result, and both signals are left")
  func throwingBelow() {
    marbles { m in
      let letters = m.hot("               -a-b-|")
      let other = m.hot("                 --n--n")
      let result = letters.signal.collect(by: other.signal).map { _ -> String in throw Failure() }
      m.expect(result, "                  --#", error: Failure())
      m.expectSubscriptions(of: letters, "^-!")
      m.expectSubscriptions(of: other, "  ^-!")
    }
  }
}

/// Notes the delays that it is asked for, and runs the latest work when it is told to.
private final class LateScheduler: Scheduler {
  private struct State {
    var now = Duration.zero
    var delays: [Duration] = []
    var work: [@Sendable () -> Void] = []
  }

  private let state = Box(State())

  var now: SchedulerInstant { SchedulerInstant(sinceOrigin: state.value.now) }
  var delays: [Duration] { state.value.delays }

  func schedule(_ work: @escaping @Sendable () -> Void) { work() }

  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    state.withLock {
      $0.delays.append(delay)
      $0.work.append(work)
    }
    return Subscription {}
  }

  /// Runs the work that waits; it then is this late.
  func run(at now: Duration) {
    let work = state.withLock { state in
      defer {
        state.work = []
        state.delays = []
      }
      state.now = now
      return state.work
    }
    for work in work { work() }
  }
}
