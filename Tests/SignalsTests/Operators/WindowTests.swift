import Probes
import SignalTesting
import Signals
import Testing

/// Delivers values in signals: so many in each, or those of a time, or those between two values of another signal.
@Suite("window")
struct WindowTests {
  // MARK: A number

  @Test("a window ends with its last value, and the next one comes at that moment; the first comes inside subscribe")
  func number() {
    marbles { m in
      let letters = m.hot("                     -a-b-c-|")
      m.expectNested(letters.signal.window(2), "{x}---y---|", signals: ["x": "-a-(b|)", "y": "--c-|"])
      m.expectSubscriptions(of: letters, "      ^------!")
    }
  }

  @Test("the last window may be empty, and so is that of an empty signal")
  func empty() {
    marbles { m in
      let letters = m.hot("                     -a-|")
      m.expectNested(letters.signal.window(1), "{x}-y-|", signals: ["x": "-(a|)", "y": "--|"])

      let empty = m.hot("                     --|")
      m.expectNested(empty.signal.window(2), "{x}--|", signals: ["x": "--|"])

      let never = m.hot("                     ----")
      m.expectNested(never.signal.window(2), "{x}----", signals: ["x": "----"])
    }
  }

  @Test("windows that overlap, and windows with gaps")
  func skipping() {
    marbles { m in
      let letters = m.hot("-a-b-c-|")
      m.expectNested(
        letters.signal.window(2, skip: 1),
        "{x}-y-z-0-|", signals: ["x": "-a-(b|)", "y": "--b-(c|)", "z": "--c-|", "0": "--|"])
      m.expectNested(letters.signal.window(1, skip: 2), "{x}---y---|", signals: ["x": "-(a|)", "y": "--(c|)"])
      m.expectNested(letters.signal.window(2, skip: 4), "{x}-------|", signals: ["x": "-a-(b|)"])
    }
  }

  @Test("the windows have the parts of the sequence, whatever the lengths")
  func parts() {
    for length in 0...9 {
      for count in 1...4 {
        for skip in 1...5 {
          let expected = stride(from: 0, through: length, by: skip).map { Array($0..<max($0, min($0 + count, length))) }
          #expect(
            Self.numbers(0..<length, count: count, skip: skip) == expected, "\(length) values, \(count), \(skip)")
        }
      }
    }
  }

  @Test("less than one value a window, and less than one value further on, count as one", arguments: [0, -1, Int.min])
  func lessThanOne(count: Int) {
    #expect(Self.numbers(1...2, count: count, skip: nil) == [[1], [2], []])
    #expect(Self.numbers(1...2, count: 2, skip: count) == [[1, 2], [2], []])
  }

  /// The values of each window.
  private static func numbers(_ range: some Sequence<Int> & Sendable, count: Int, skip: Int?) -> [[Int]] {
    let windows = Box<[[Int]]>([])
    let bag = DisposeBag()
    let subscription = Signal.sequence(range).window(count, skip: skip).subscribe { window in
      let index = windows.withLock { windows in
        windows.append([])
        return windows.count - 1
      }
      window.subscribe { number in windows.withLock { $0[index].append(number) } }.store(in: bag)
    }
    subscription.dispose()
    return windows.value
  }

  // MARK: Ends

  @Test("a failure goes to the open windows, and then to the result")
  func failure() {
    let numbers = Emitter<Int>()
    let events = Journal<String>()
    let bag = DisposeBag()
    numbers.signal.window(2, skip: 1).noteWindows(in: bag, events)
    numbers.send(1)
    numbers.fail(Failure(number: 1))
    #expect(events.entries == ["0: 1", "0 failed", "1 failed", "failed"])
  }

  @Test("the open windows end before the result, the oldest first")
  func orderOfEnds() {
    let numbers = Emitter<Int>()
    let events = Journal<String>()
    let bag = DisposeBag()
    numbers.signal.window(3, skip: 1).noteWindows(in: bag, events)
    numbers.send(1)
    numbers.send(2)
    events.append("the end")
    numbers.finish()
    #expect(events.entries.suffix(5) == ["the end", "0 finished", "1 finished", "2 finished", "finished"])
  }

  @Test("Law 10: who comes to a window that has ended gets its end, and who comes late gets what is still to come")
  func lateSubscribers() throws {
    let numbers = Emitter<Int>()
    let windows = Journal<Signal<Int>>()
    let events = Journal<String>()
    let bag = DisposeBag()
    numbers.signal.window(2).subscribe(onValue: { windows.append($0) }, onFailure: { _ in }).store(in: bag)
    for number in 1...3 { numbers.send(number) }
    try #require(windows.entries.count == 2)
    windows.entries[0].note("ended", in: bag, events)
    windows.entries[1].note("open", in: bag, events)
    numbers.send(4)
    #expect(events.entries == ["ended finished", "open: 4", "open finished"])
    numbers.fail(Failure())
    windows.entries[2].note("failed", in: bag, events)
    #expect(events.entries.suffix(1) == ["failed failed"])
  }

  @Test("Law 6: who comes to a window while a value is delivered in it does not get that value")
  func newcomers() {
    let numbers = Emitter<Int>()
    let values = Journal<String>()
    let bag = DisposeBag()
    numbers.signal.window(9).subscribe { window in
      window.subscribe { number in
        values.append("first \(number)")
        if number == 1 { window.subscribe { values.append("second \($0)") }.store(in: bag) }
      }.store(in: bag)
    }.store(in: bag)
    numbers.send(1)
    numbers.send(2)
    #expect(values.entries == ["first 1", "first 2", "second 2"])
  }

  @Test("Law 8: what ends below one window ends neither the others nor the result nor the source")
  func noCollateral() {
    marbles { m in
      let letters = m.hot("-a-b-c-d-|")
      let windows = letters.signal.window(2)
      m.expect(windows.flatMap { $0.prefix(1) }, "-a---c---|")
      let failing = windows.flatMap { $0.map { _ throws -> String in throw Failure() }.catch { _ in .just("x") } }
      m.expect(failing, " -x---x---|")
      m.expectSubscriptions(of: letters, "^--------!", "^--------!")
    }
  }

  // MARK: Being left

  @Test("Law 9: who has enough with the first window gets all of its values, and then the source is left")
  func firstWindow() {
    marbles { m in
      let letters = m.hot("                                 -a-b-c-|")
      m.expect(letters.signal.window(2).prefix(1).flatMap { $0 }, "-a-(b|)")
      m.expectSubscriptions(of: letters, "                  ^--!")
    }
  }

  @Test("Law 9: the source is left when the result is left and no open window has a subscriber")
  func leaving() {
    let numbers = Emitter<Int>()
    let windows = Journal<Signal<Int>>()
    let events = Journal<String>()
    let (outer, first, second) = (DisposeBag(), DisposeBag(), DisposeBag())
    numbers.signal.window(2, skip: 1).subscribe { windows.append($0) }.store(in: outer)
    numbers.send(1)
    windows.entries[0].note("first", in: first, events)
    windows.entries[1].note("second", in: second, events)
    outer.disposeAll()
    #expect(numbers.subscriberCount == 1)
    // The first window ends. No other is opened.
    numbers.send(2)
    #expect(numbers.subscriberCount == 1)
    #expect(windows.entries.count == 2)
    second.disposeAll()
    #expect(numbers.subscriberCount == 0)
    numbers.send(3)
    #expect(events.entries == ["first: 2", "second: 2", "first finished"])
    // Nothing comes in it any more, so it has ended.
    windows.entries[1].note("late", in: first, events)
    #expect(events.entries.last == "late finished")
  }

  @Test("Law 9: a window nobody has subscribed to keeps nothing of the source")
  func unusedWindow() throws {
    let windows = Journal<Signal<Int>>()
    weak var kept: Emitter<Int>?
    do {
      let numbers = Emitter<Int>()
      kept = numbers
      let subscription = numbers.signal.window(2).subscribe { windows.append($0) }
      #expect(numbers.subscriberCount == 1)
      subscription.dispose()
      #expect(numbers.subscriberCount == 0)
    }
    #expect(kept == nil)
    #expect(windows.entries.count == 1)
  }

  @Test("Law 9: an endless source is read as far as somebody takes windows, or values of one")
  func endless() {
    let values = Journal<Int>()
    let numbers = Signal.sequence(1...)
    numbers.window(2).prefix(2).subscribe { _ in values.append(0) }.dispose()
    numbers.window(3).flatMap { $0 }.prefix(4).subscribe { values.append($0) }.dispose()
    numbers.window(3).prefix(1).flatMap { $0 }.subscribe { values.append($0) }.dispose()
    #expect(values.entries == [0, 0, 1, 2, 3, 4, 1, 2, 3])
  }

  @Test("Law 7: a handler that disposes everything gets nothing more, in the middle of a value too")
  func disposalInHandler() {
    let numbers = Emitter<Int>()
    let values = Journal<Int>()
    let bag = DisposeBag()
    numbers.signal.window(3, skip: 1).subscribe { window in
      window.subscribe { number in
        values.append(number)
        if values.entries.count == 2 { bag.disposeAll() }
      }.store(in: bag)
    }.store(in: bag)
    for number in 1...3 { numbers.send(number) }
    #expect(values.entries == [1, 2])
    #expect(numbers.subscriberCount == 0)
  }

  @Test("Law 11: what a closure below the result throws fails the result; windows that are taken go on")
  func throwingBelow() {
    let numbers = Emitter<Int>()
    let events = Journal<String>()
    let bag = DisposeBag()
    numbers.signal.window(2).map { window -> Int in
      window.note("window", in: bag, events)
      throw Failure()
    }.note("result", in: bag, events)
    numbers.send(1)
    numbers.send(2)
    #expect(events.entries == ["result failed", "window: 1", "window: 2", "window finished"])
    #expect(numbers.subscriberCount == 0)
  }

  @Test("Law 2: what is sent while a value of a window is handled comes in the window it belongs to")
  func reentrant() {
    let numbers = Emitter<Int>()
    let events = Journal<String>()
    let bag = DisposeBag()
    numbers.signal.window(2).noteWindows(in: bag, events) { number in
      if number == 1 { for number in 2...3 { numbers.send(number) } }
    }
    numbers.send(1)
    #expect(events.entries == ["0: 1", "0: 2", "0 finished", "1: 3"])
  }

  @Test("values are not kept, and an ended window neither")
  func memory() {
    let life = LifeCount()
    let emitter = Emitter<LifeCount.Token>()
    let windows = Journal<Signal<LifeCount.Token>>()
    let subscription = emitter.signal.window(2).subscribe { window in
      windows.append(window)
      let token = life.token()
      window.subscribe { _ in token.touch() }.retained()
    }
    #expect(life.alive == 1)
    for _ in 0..<5 { emitter.send(life.token()) }
    #expect(life.alive == 1)
    emitter.finish()
    #expect(life.alive == 0)
    subscription.dispose()
  }

  // MARK: A time

  private let span = Duration.milliseconds(4)

  @Test("windows of time follow each other without a gap, on the scheduler")
  func time() {
    marbles { m in
      let letters = m.hot("               -ab---c--|")
      m.expectNested(
        letters.signal.window(for: span, on: m.scheduler),
        "                                 x---y---z|",
        signals: ["x": "-ab-|", "y": "--c-|", "z": "-|"])
      m.expectSubscriptions(of: letters, "^--------!")
    }
  }

  @Test("a full window ends at once, and a whole one begins")
  func timeOrNumber() {
    marbles { m in
      let letters = m.hot("-a-b-c---|")
      m.expectNested(
        letters.signal.window(for: span, upTo: 2, on: m.scheduler),
        "                  x--y---z-|", signals: ["x": "-a-(b|)", "y": "--c-|", "z": "--|"])
    }
  }

  @Test("a window that its time has ended counts its values anew")
  func countsAnew() {
    marbles { m in
      let letters = m.hot("-a---bc--|")
      m.expectNested(
        letters.signal.window(for: span, upTo: 2, on: m.scheduler),
        "                  x---y-z--|", signals: ["x": "-a--|", "y": "-b(c|)", "z": "---|"])
    }
  }

  @Test("Law 14: also what comes inside subscribe is delivered on the scheduler, in its window")
  func timeAtOnce() {
    marbles { m in
      let letters = m.cold("{abc}-----d#", error: Failure(number: 1))
      m.expect(
        letters.signal.window(for: span, upTo: 2, on: m.scheduler).flatMap { $0 },
        "                   (abc)----d#", error: Failure(number: 1))
    }
  }

  @Test("Law 9: when nobody takes anything any more, nothing is left scheduled")
  func timeLeft() throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let values = Journal<Int>()
    let bag = DisposeBag()
    numbers.signal.window(for: .seconds(1), on: scheduler).prefix(1).flatMap { $0 }
      .subscribe { values.append($0) }.store(in: bag)
    try scheduler.advance()
    numbers.send(1)
    try scheduler.advance(by: .milliseconds(999))
    #expect(numbers.subscriberCount == 1)
    try scheduler.advance(by: .milliseconds(1))
    #expect(numbers.subscriberCount == 0)
    #expect(scheduler.pendingCount == 0)
    #expect(values.entries == [1])
  }

  // MARK: By a signal

  @Test("each value of the other signal ends a window and begins one")
  func bySignal() {
    marbles { m in
      let letters = m.hot("               -a-b---c-|")
      let other = m.hot("                 --n--nn-----")
      m.expectNested(
        letters.signal.window(by: other.signal), "{w}--x--yz--|",
        signals: ["w": "-a|", "x": "-b-|", "y": "-|", "z": "-c-|"])
      m.expectSubscriptions(of: letters, "^--------!")
      m.expectSubscriptions(of: other, "  ^--------!")
    }
  }

  @Test("when the other signal finishes, the window stays open; when it fails, the window fails too")
  func endOfOther() {
    marbles { m in
      let letters = m.hot("                                   -a-b-|")
      let finishing = m.hot("                                 --|")
      m.expectNested(letters.signal.window(by: finishing.signal), "{w}-----|", signals: ["w": "-a-b-|"])

      let failing = m.hot("                                   --#")
      m.expectNested(letters.signal.window(by: failing.signal), "{w}--#", signals: ["w": "-a#"])
    }
  }

  @Test("whoever has enough inside subscribe subscribes to neither signal")
  func enoughAtOnce() {
    marbles { m in
      let letters = m.hot("-a-|")
      let other = m.hot("n--|")
      m.expect(letters.signal.window(by: other.signal).prefix(1).map { _ in "x" }, "{x|}")
      m.expectNoSubscriptions(of: letters)
      m.expectNoSubscriptions(of: other)
    }
  }
}

extension Signal where Value == Int {
  /// Notes what comes.
  fileprivate func note(_ name: String, in bag: DisposeBag, _ events: Journal<String>) {
    subscribe(
      onValue: { events.append("\(name): \($0)") }, onFailure: { _ in events.append("\(name) failed") },
      onFinish: { events.append("\(name) finished") }
    ).store(in: bag)
  }
}

extension Signal where Value == Signal<Int> {
  /// Notes what comes in each window, by its number, and how the result ends.
  fileprivate func noteWindows(
    in bag: DisposeBag, _ events: Journal<String>, _ action: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    let count = Box(0)
    subscribe(
      onValue: { window in
        let number = count.withLock { count in
          count += 1
          return count - 1
        }
        window.handle(action).note("\(number)", in: bag, events)
      }, onFailure: { _ in events.append("failed") }, onFinish: { events.append("finished") }
    ).store(in: bag)
  }
}
