import Probes
import SignalTesting
import Signals
import Synchronization
import Testing

/// Divides the values into signals, one for each key.
@Suite("grouped")
struct GroupedTests {
  @Test("a group comes with its first value, and gets the values of its key only")
  func values() {
    marbles { m in
      let digits = m.hot("                                       -1-2-3-4-|", of: Int.self)
      let groups = digits.signal.grouped { $0 % 2 }
      m.expect(groups.map(\.key), "                              -1-0-----|")
      m.expectNested(
        groups.map(\.signal), "                     -x-y-----|", signals: ["x": "1---3---|", "y": "2---4-|"])
      m.expectSubscriptions(of: digits, "                        ^--------!", "^--------!")
    }
  }

  @Test("all values come out of all groups, in order")
  func everyValue() {
    marbles { m in
      let digits = m.hot("                                       -1-(23)-4-|", of: Int.self)
      m.expect(digits.signal.grouped { $0 % 2 }.flatMap { $0.signal }, "-1-(23)-4-|")

      let atOnce = m.cold("                                     {123}-4|", of: Int.self)
      m.expect(atOnce.signal.grouped { $0 % 2 }.flatMap { $0.signal }, "{123}-4|")
    }
  }

  @Test("nothing, and only the end")
  func few() {
    marbles { m in
      let never = m.hot("                                      ----", of: Int.self)
      m.expect(never.signal.grouped { $0 }.map(\.key), "       ----")

      let empty = m.hot("                                      --|", of: Int.self)
      m.expect(empty.signal.grouped { $0 }.map(\.key), "       --|")
    }
  }

  @Test("the groups end before the result, in the order in which they were opened; a failure goes to all of them")
  func ends() {
    for isFailure in [false, true] {
      let numbers = Emitter<Int>()
      let events = Journal<String>()
      let bag = DisposeBag()
      numbers.signal.grouped { $0 % 3 }.noteGroups(in: bag, events)
      for number in [5, 3, 4, 6] { numbers.send(number) }
      if isFailure { numbers.fail(Failure()) } else { numbers.finish() }
      let end = isFailure ? "failed" : "finished"
      #expect(events.entries == ["2: 5", "0: 3", "1: 4", "0: 6", "2 \(end)", "0 \(end)", "1 \(end)", end])
    }
  }

  @Test("Law 11: what the closure throws fails the groups and the result, and the source is left")
  func throwingClosure() {
    let numbers = Emitter<Int>()
    let events = Journal<String>()
    let bag = DisposeBag()
    numbers.signal.grouped { number -> Int in
      if number == 3 { throw Failure() }
      return number
    }.noteGroups(in: bag, events)
    for number in 1...4 { numbers.send(number) }
    #expect(events.entries == ["1: 1", "2: 2", "1 failed", "2 failed", "failed"])
    #expect(numbers.subscriberCount == 0)
  }

  @Test("Law 10: who comes late to a group gets what is still to come, and the end")
  func lateSubscribers() throws {
    let numbers = Emitter<Int>()
    let groups = Journal<SignalGroup<Int, Int>>()
    let events = Journal<String>()
    let bag = DisposeBag()
    numbers.signal.grouped { $0 % 2 }.subscribe { groups.append($0) }.store(in: bag)
    numbers.send(1)
    try #require(groups.entries.count == 1)
    groups.entries[0].signal.note("open", in: bag, events)
    numbers.send(3)
    numbers.finish()
    groups.entries[0].signal.note("ended", in: bag, events)
    #expect(events.entries == ["open: 3", "open finished", "ended finished"])
  }

  @Test("Law 8: what ends below one group ends neither the others nor the result, and the group is not opened anew")
  func noCollateral() {
    marbles { m in
      let digits = m.hot("-1-2-3-4-|", of: Int.self)
      m.expect(digits.signal.grouped { $0 % 2 }.flatMap { $0.signal.prefix(1) }, "-1-2-----|")
      m.expectSubscriptions(of: digits, "^--------!")
    }
  }

  @Test(
    "Law 9: groups that are taken go on when the result is left; no further one is opened; with the last the source is left"
  )
  func leaving() {
    let numbers = Emitter<Int>()
    let groups = Journal<Int>()
    let events = Journal<String>()
    let (outer, inner) = (DisposeBag(), DisposeBag())
    numbers.signal.grouped { $0 % 3 }.subscribe { group in
      groups.append(group.key)
      group.signal.note("\(group.key)", in: inner, events)
    }.store(in: outer)
    numbers.send(1)
    outer.disposeAll()
    for number in [2, 4] { numbers.send(number) }
    #expect(groups.entries == [1])
    #expect(events.entries == ["1: 1", "1: 4"])
    #expect(numbers.subscriberCount == 1)
    inner.disposeAll()
    #expect(numbers.subscriberCount == 0)
  }

  @Test("Law 9: an endless source is read as far as somebody takes groups, or values of one")
  func endless() {
    let values = Journal<Int>()
    Signal.sequence(1...).grouped { $0 % 5 }.prefix(2).subscribe { values.append($0.key) }.dispose()
    Signal.sequence(1...).grouped { $0 % 5 }.prefix(1).flatMap { $0.signal }.prefix(2)
      .subscribe { values.append($0) }.dispose()
    #expect(values.entries == [1, 2, 1, 6])
  }

  @Test("Law 2: what is sent while a group is handled comes in its group afterwards")
  func reentrant() {
    let numbers = Emitter<Int>()
    let events = Journal<String>()
    let bag = DisposeBag()
    numbers.signal.grouped { $0 % 2 }.subscribe { group in
      if group.key == 1 { for number in 2...3 { numbers.send(number) } }
      group.signal.note("\(group.key)", in: bag, events)
    }.store(in: bag)
    numbers.send(1)
    #expect(events.entries == ["1: 1", "0: 2", "1: 3"])
  }

  // MARK: A limit

  @Test("beyond the limit, the group ends that has had no value for the longest time, and may be opened anew")
  func limit() {
    let numbers = Emitter<Int>()
    let events = Journal<String>()
    let bag = DisposeBag()
    numbers.signal.grouped(limit: 2) { $0 % 10 }.noteGroups(in: bag, events)
    for number in [1, 2, 11, 3, 12, 13] { numbers.send(number) }
    #expect(
      events.entries == ["1: 1", "2: 2", "1: 11", "2 finished", "3: 3", "1 finished", "2: 12", "3: 13"])
    numbers.finish()
    #expect(events.entries.suffix(3) == ["3 finished", "2 finished", "finished"])
  }

  @Test("groups whose keys equal nothing, not even themselves, end too")
  func keysThatAreNotEqual() throws {
    let numbers = Emitter<Int>()
    let events = Journal<String>()
    let bag = DisposeBag()
    let scheduler = VirtualTimeScheduler()
    numbers.signal.grouped(timeout: .seconds(1), on: scheduler, limit: 2) { $0 == 0 ? Double.nan : Double($0) }
      .noteGroups(in: bag, events)
    for number in [0, 0, 1, 2] { numbers.send(number) }
    #expect(events.entries == ["nan: 0", "nan: 0", "nan finished", "1.0: 1", "nan finished", "2.0: 2"])
    try scheduler.run()
    #expect(events.entries.suffix(2) == ["1.0 finished", "2.0 finished"])
    numbers.send(3)
    numbers.send(4)
    #expect(events.entries.suffix(2) == ["3.0: 3", "4.0: 4"])
  }

  @Test("a key whose hash changes breaks its own group only")
  func keysThatChange() {
    final class Key: Hashable, Sendable {
      let number: Mutex<Int>
      init(_ number: Int) { self.number = Mutex(number) }
      static func == (left: Key, right: Key) -> Bool { left.number.withLock { $0 } == right.number.withLock { $0 } }
      func hash(into hasher: inout Hasher) { hasher.combine(number.withLock { $0 }) }
    }
    let keys = Emitter<Key>()
    let ended = Journal<Int>()
    let bag = DisposeBag()
    keys.signal.grouped(limit: 2) { $0 }.subscribe { group in
      let number = group.key.number.withLock { $0 }
      group.signal.subscribe(onFinish: { ended.append(number) }).store(in: bag)
    }.store(in: bag)
    let first = Key(1)
    keys.send(first)
    keys.send(Key(2))
    first.number.withLock { $0 = 2 }
    for number in 3...5 { keys.send(Key(number)) }
    #expect(ended.entries == [1, 2, 3])
  }

  @Test("the group that ends is always the one that was used least recently, as in a simple model")
  func limitModel() {
    var random = SystemRandomNumberGenerator()
    for limit in 1...4 {
      let numbers = Emitter<Int>()
      let ended = Journal<Int>()
      let bag = DisposeBag()
      numbers.signal.grouped(limit: limit) { $0 }.subscribe { group in
        group.signal.subscribe(onFinish: { ended.append(group.key) }).store(in: bag)
      }.store(in: bag)
      var order: [Int] = []
      var expected: [Int] = []
      for _ in 0..<200 {
        let key = Int.random(in: 0..<6, using: &random)
        numbers.send(key)
        order.removeAll { $0 == key }
        if order.count == limit { expected.append(order.removeFirst()) }
        order.append(key)
      }
      #expect(ended.entries == expected)
    }
  }

  @Test("or the values of further keys are dropped")
  func dropping() {
    let numbers = Emitter<Int>()
    let events = Journal<String>()
    let bag = DisposeBag()
    numbers.signal.grouped(limit: 2, overflow: .dropValue) { $0 % 10 }.noteGroups(in: bag, events)
    for number in [1, 2, 3, 11, 12, 13] { numbers.send(number) }
    #expect(events.entries == ["1: 1", "2: 2", "1: 11", "2: 12"])
  }

  @Test("or the result and the groups fail")
  func failing() {
    let numbers = Emitter<Int>()
    let events = Journal<String>()
    let errors = Journal<TooManyGroupsError>()
    let bag = DisposeBag()
    let groups = numbers.signal.grouped(limit: 1, overflow: .fail) { $0 % 10 }
    groups.noteGroups(in: bag, events)
    groups.subscribe(onFailure: { if let error = $0 as? TooManyGroupsError { errors.append(error) } }).store(in: bag)
    for number in [1, 11, 2] { numbers.send(number) }
    #expect(events.entries == ["1: 1", "1: 11", "1 failed", "failed"])
    #expect(errors.entries == [TooManyGroupsError(limit: 1)])
    #expect("\(TooManyGroupsError(limit: 3))" == "a value of a further key came while 3 groups were open")
    #expect(numbers.subscriberCount == 0)
  }

  @Test("a limit below one counts as one", arguments: [0, -1, Int.min])
  func lessThanOne(limit: Int) {
    let values = Journal<Int>()
    Signal.sequence(1...3).grouped(limit: limit) { $0 }.flatMap { $0.signal }.subscribe { values.append($0) }.dispose()
    #expect(values.entries == [1, 2, 3])
  }

  @Test("nothing is kept of a group that has ended")
  func memory() {
    let life = LifeCount()
    let numbers = Emitter<Int>()
    let bag = DisposeBag()
    numbers.signal.grouped(limit: 3) { $0 }.subscribe { group in
      let token = life.token()
      group.signal.subscribe { _ in token.touch() }.retained()
    }.store(in: bag)
    for number in 0..<100 { numbers.send(number) }
    #expect(life.alive == 3)
    bag.disposeAll()
    #expect(numbers.subscriberCount == 1)
    numbers.finish()
    #expect(life.alive == 0)
  }

  @Test("keys are kept as long as their groups are open")
  func keys() {
    struct Key: Hashable, Sendable {
      var number: Int
      var token: LifeCount.Token
      static func == (left: Key, right: Key) -> Bool { left.number == right.number }
      func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
    let life = LifeCount()
    let numbers = Emitter<Int>()
    let subscription = numbers.signal.grouped(limit: 2) { Key(number: $0, token: life.token()) }
      .subscribe { _ in }
    for number in 0..<10 { numbers.send(number) }
    #expect(life.alive == 2)
    subscription.dispose()
    #expect(life.alive == 0)
  }

  // MARK: A time-out

  private let rest = Duration.milliseconds(3)

  @Test("a group ends when no value has come for a while, and the next value of its key opens another one")
  func timeout() {
    marbles { m in
      let digits = m.hot("-1-3-----5|", of: Int.self)
      let groups = digits.signal.grouped(timeout: rest, on: m.scheduler) { $0 % 2 }
      m.expectNested(groups.map(\.signal), "-x-------y|", signals: ["x": "1-3--|", "y": "5|"])
    }
  }

  @Test("each group has a time of its own")
  func timesOfGroups() {
    marbles { m in
      let digits = m.hot("-121-------|", of: Int.self)
      let groups = digits.signal.grouped(timeout: rest, on: m.scheduler) { $0 }
      m.expectNested(
        groups.map(\.signal), "-xy--------|", signals: ["x": "1-1--|", "y": "2--|"])
    }
  }

  @Test("a group that ends by its time is no longer among those that count for the limit")
  func timeoutAndLimit() throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let events = Journal<String>()
    let bag = DisposeBag()
    numbers.signal.grouped(timeout: .seconds(3), on: scheduler, limit: 2) { $0 }.noteGroups(in: bag, events)
    numbers.send(1)
    try scheduler.advance(by: .seconds(2))
    numbers.send(2)
    try scheduler.advance(by: .seconds(1))
    numbers.send(3)
    #expect(events.entries == ["1: 1", "2: 2", "1 finished", "3: 3"])
    numbers.send(4)
    #expect(events.entries.suffix(2) == ["2 finished", "4: 4"])
    try scheduler.advance(by: .seconds(3))
    #expect(events.entries.suffix(2) == ["3 finished", "4 finished"])
    #expect(scheduler.pendingCount == 0)
    #expect(numbers.subscriberCount == 1)
  }

  @Test("where no time passes, a group has one value")
  func immediate() {
    let numbers = Emitter<Int>()
    let events = Journal<String>()
    let bag = DisposeBag()
    numbers.signal.grouped(timeout: .seconds(3), on: .immediate) { $0 % 2 }.noteGroups(in: bag, events)
    for number in [1, 2, 3] { numbers.send(number) }
    #expect(events.entries == ["1: 1", "1 finished", "0: 2", "0 finished", "1: 3", "1 finished"])
  }

  @Test("Law 7: after disposal nothing comes, and nothing is left scheduled")
  func timeoutLeft() throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let events = Journal<String>()
    let bag = DisposeBag()
    numbers.signal.grouped(timeout: .seconds(3), on: scheduler) { $0 }.noteGroups(in: bag, events)
    numbers.send(1)
    #expect(scheduler.pendingCount == 1)
    bag.disposeAll()
    #expect(scheduler.pendingCount == 0)
    #expect(numbers.subscriberCount == 0)
    try scheduler.advance(by: .seconds(3))
    #expect(events.entries == ["1: 1"])
  }

  @Test("a failure comes at once, to the groups too, and nothing is left scheduled")
  func timeoutFailure() throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let events = Journal<String>()
    let bag = DisposeBag()
    numbers.signal.grouped(timeout: .seconds(3), on: scheduler) { $0 }.noteGroups(in: bag, events)
    numbers.send(1)
    numbers.fail(Failure())
    #expect(events.entries == ["1: 1", "1 failed", "failed"])
    #expect(scheduler.pendingCount == 0)
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

extension Signal {
  /// Notes what comes in each group, by its key, and how the result ends.
  fileprivate func noteGroups<Key>(in bag: DisposeBag, _ events: Journal<String>) where Value == SignalGroup<Key, Int> {
    subscribe(
      onValue: { $0.signal.note("\($0.key)", in: bag, events) }, onFailure: { _ in events.append("failed") },
      onFinish: { events.append("finished") }
    ).store(in: bag)
  }
}
