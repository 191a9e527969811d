import Probes
import SignalTesting
import Signals
import Testing

/// Properties that are made of others stay properties (law 12).
@Suite("Derived properties")
struct DerivedPropertyTests {
  @Test("map: the value is right without subscribers; a subscriber gets it once, and then every change")
  func map() {
    let celsius = Property(20)
    let label = celsius.map { "\($0) °C" }
    #expect(label.value == "20 °C")
    celsius.value = 21
    #expect(label.value == "21 °C")
    let (all, changes) = (EventLog<String>(), EventLog<String>())
    let subscriptions = [label.signal.log(to: all), label.changes.log(to: changes)]
    celsius.value = 22
    celsius.value = 22
    #expect(all.values == ["21 °C", "22 °C", "22 °C"])
    #expect(changes.values == ["22 °C", "22 °C"])
    for subscription in subscriptions { subscription.dispose() }
    #expect(celsius.subscriberCount == 0)
  }

  private struct User: Sendable {
    var name = "Ada"
  }

  @Test("map takes a key path, and what it gives can be mapped again")
  func keyPath() {
    let user = Property(User())
    let count = user.map(\.name).map(\.count)
    #expect(count.value == 3)
    user.update { $0.name = "Grace" }
    #expect(count.value == 5)
  }

  @Test("removingDuplicates: the same value, and no change that is none")
  func removingDuplicates() {
    let percent = Property(0)
    let isDone = percent.map { $0 == 100 }.removingDuplicates()
    let (all, changes) = (EventLog<Bool>(), EventLog<Bool>())
    let subscriptions = [isDone.signal.log(to: all), isDone.changes.log(to: changes)]
    for value in [50, 100, 100, 0] { percent.value = value }
    #expect(all.values == [false, true, false])
    #expect(changes.values == [true, false])
    percent.value = 100
    #expect(isDone.value)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("combined: both values, and a pair for each change of either")
  func combined() {
    let number = Property(0)
    let letter = Property("a")
    let both = number.combined(with: letter).map { "\($0)\($1)" }
    #expect(both.value == "0a")
    let (all, changes) = (EventLog<String>(), EventLog<String>())
    let subscriptions = [both.signal.log(to: all), both.changes.log(to: changes)]
    number.value = 1
    letter.value = "b"
    number.value = 2
    #expect(all.values == ["0a", "1a", "1b", "2b"])
    #expect(changes.values == ["1a", "1b", "2b"])
    #expect(both.value == "2b")
    for subscription in subscriptions { subscription.dispose() }
    #expect(number.subscriberCount + letter.subscriberCount == 0)
  }

  @Test("combined takes a read-only property, and one that is derived itself")
  func combinedOfDerived() {
    let width = Property(2)
    let height = Property(3)
    let area = width.readOnly.combined(with: height.map { $0 * 10 }).map { $0 * $1 }
    let sum = area.combined(with: width).map { $0 + $1 }
    #expect(sum.value == 62)
    width.value = 4
    #expect(area.value == 120)
    #expect(sum.value == 124)
  }

  @Test("both sides of one property: a change of it gives one pair, with both sides changed")
  func diamond() {
    let (number, other) = (Property(1), Property(0))
    let double = number.map { $0 * 2 }
    let sum = double.combined(with: number.combined(with: other)).map { $0 + $1.0 + $1.1 }
    let (all, changes) = (EventLog<Int>(), EventLog<Int>())
    let subscriptions = [sum.signal.log(to: all), sum.changes.log(to: changes)]
    #expect(number.subscriberCount == 2 && other.subscriberCount == 2)
    number.value = 2
    other.value = 100
    number.value = 3
    #expect(all.values == [3, 6, 106, 109])
    #expect(changes.values == [6, 106, 109])
    #expect(sum.value == 109)
    // What is written while a pair is being handled gives a pair of its own.
    let handler = sum.changes.subscribe { value in if value == 112 { other.value = 0 } }
    number.value = 4
    #expect(all.values == [3, 6, 106, 109, 112, 12])
    for subscription in subscriptions + [handler] { subscription.dispose() }
    #expect(number.subscriberCount + other.subscriberCount == 0)
  }

  @Test("a value that a handler reads is the newest, also in the middle of a delivery")
  func readingInside() {
    let number = Property(1)
    let double = number.map { $0 * 2 }
    let read = EventLog<Int>()
    let first = number.changes.subscribe { value in if value == 2 { number.value = 3 } }
    let second = double.changes.subscribe { _ in read.append(.value(double.value)) }
    number.value = 2
    #expect(read.values == [6, 6])
    withExtendedLifetime((first, second)) {}
  }

  @Test("who subscribes inside a handler gets the current value once")
  func newcomer() {
    let number = Property(1)
    let sum = number.combined(with: number.map { $0 * 10 }).map { $0 + $1 }
    let log = EventLog<Int>()
    let bag = DisposeBag()
    number.changes.subscribe { value in if value == 2 { sum.signal.log(to: log).store(in: bag) } }.store(in: bag)
    number.value = 2
    #expect(log.values == [22])
    number.value = 3
    #expect(log.values == [22, 33])
  }

  @Test("a derived property keeps its source; the source keeps nothing of it")
  func lifetime() {
    let lives = LifeCount()
    weak var source: Property<Int>?
    let log = EventLog<Int>()
    var subscription: Subscription?
    do {
      var derived: ReadOnlyProperty<Int>?
      do {
        let property = Property(1)
        source = property
        let token = lives.token()
        derived = property.map {
          token.touch()
          return $0 + 1
        }.combined(with: property).map { $0 + $1 }.removingDuplicates()
      }
      #expect(source != nil)
      #expect(derived?.value == 3)
      #expect(source?.subscriberCount == 0)
      subscription = derived?.signal.log(to: log)
      derived = nil
    }
    // The subscription keeps neither, so the source has gone, and its signals have finished.
    #expect(source == nil)
    #expect(log.events == [.value(3), .finished])
    #expect(lives.alive == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test("the signals of a derived property that has gone give the last value and the end")
  func late() {
    var derived: ReadOnlyProperty<Int>? = Property(1).combined(with: Property(2)).map { $0 + $1 }
    let signal = derived?.signal
    let changes = derived?.changes
    derived = nil
    let (all, late) = (EventLog<Int>(), EventLog<Int>())
    let subscriptions = [signal?.log(to: all), changes?.log(to: late)]
    #expect(all.events == [.value(3), .finished])
    #expect(late.events == [.finished])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("a closure may write, subscribe and dispose: no lock is held (law 4)")
  func noLock() {
    let number = Property(1)
    let other = Property(0)
    let derived = number.map { value in
      other.value = value
      return value + other.value
    }
    #expect(derived.combined(with: other).value.0 == 2)
    let subscription = derived.signal.subscribe { _ in other.update { $0 += 1 } }
    number.value = 5
    #expect(other.value == 6)
    withExtendedLifetime(subscription) {}
  }

  @Test("the graph shows the chain")
  func graph() {
    let recorder = GraphRecorder()
    recorder.record {
      let (number, letter) = (Property(1), Property("a"))
      let derived = number.map { $0 + 1 }.combined(with: letter).removingDuplicatesOfText()
      let subscription = derived.changes.subscribe { _ in }
      #expect(
        Set(recorder.snapshot().connections) == [
          "changes > subscribe", "removeDuplicates > changes", "map > removeDuplicates", "combined > map",
          "map > combined", "property > map", "property > combined",
        ])
      withExtendedLifetime((subscription, letter)) {}
    }
  }

  @Test("what is read together was there together, while others write")
  func consistent() {
    let first = Property(0)
    let second = Property(0)
    // Written one after the other: at any moment the first is the second, or one ahead.
    let pair = first.map { $0 }.combined(with: second.combined(with: first))
    onThreads {
      for value in 1...20_000 {
        first.value = value
        second.value = value
      }
    } _: {
      for _ in 0..<20_000 {
        let (one, (two, again)) = pair.value
        if one != again || one < two || one > two + 1 { Issue.record("read \(one), \(two), \(again) together") }
      }
    }
  }

  @Test("both sides of one property: every pair was there, while threads race")
  func racingDiamond() {
    for round in 0..<200 {
      let (number, other) = (Property(0), Property(0))
      let log = EventLog<(Int, (Int, Int))>()
      let triple = number.map { $0 * 2 }.combined(with: number.combined(with: other))
      let bag = DisposeBag()
      onThreads {
        for value in 1...40 { number.value = value }
      } _: {
        for value in 1...40 { other.value = value }
      } _: {
        triple.signal.log(to: log).store(in: bag)
      }
      #expect(log.values.allSatisfy { $0.0 == $0.1.0 * 2 }, "round \(round)")
      let steps = zip(log.values, log.values.dropFirst()).map { ($1.1.0 - $0.1.0) + ($1.1.1 - $0.1.1) }
      #expect(steps.allSatisfy { $0 == 1 }, "round \(round)")
      #expect(log.values.last.map { [$0.1.0, $0.1.1] } == [40, 40], "round \(round)")
    }
  }

  @Test("none missing, none doubled, however threads race")
  func racing() {
    for round in 0..<200 {
      let (first, second) = (Property(0), Property(0))
      let log = EventLog<(Int, Int)>()
      let (mapped, distinct) = (EventLog<Int>(), EventLog<Int>())
      let pair = first.combined(with: second)
      let bag = DisposeBag()
      onThreads {
        for value in 1...40 { first.value = value }
      } _: {
        for value in 1...40 { second.value = value }
      } _: {
        pair.signal.log(to: log).store(in: bag)
        first.map { $0 + 1 }.signal.log(to: mapped).store(in: bag)
        second.map { $0 / 2 }.removingDuplicates().signal.log(to: distinct).store(in: bag)
      }
      #expect(log.values.last.map { [$0.0, $0.1] } == [40, 40], "round \(round)")
      // Each pair differs from the one before in one of the two, by one.
      let steps = zip(log.values, log.values.dropFirst()).map { ($1.0 - $0.0) + ($1.1 - $0.1) }
      #expect(steps.allSatisfy { $0 == 1 }, "round \(round)")
      #expect(mapped.values == Array((mapped.values.first ?? 0)...41), "round \(round)")
      #expect(distinct.values == Array((distinct.values.first ?? 0)...20), "round \(round)")
    }
  }
}

extension ReadOnlyProperty where Value == (Int, String) {
  fileprivate func removingDuplicatesOfText() -> ReadOnlyProperty<String> {
    map { "\($0)\($1)" }.removingDuplicates()
  }
}

/// The diagrams of the documentation are what happens.
@Suite("Derived properties: diagrams")
struct DerivedPropertyDiagrams {
  /// A property that begins with a value, takes over others, and goes with their end.
  private func property<Value>(_ first: Value, then signal: Signal<Value>) -> Box<Property<Value>?> {
    let kept = Box<Property<Value>?>(Property(first))
    signal.subscribe(onValue: { kept.value?.value = $0 }, onFinish: { kept.value = nil }).retained()
    return kept
  }

  @Test("map")
  func map() throws {
    try marbles { m in
      let source = property(0, then: m.hot("-1-2-3-|").signal.compactMap { Int($0) })
      let result = try #require(source.value).map { $0 * 2 }.signal
      m.expect(result.map(\.description), "{0}-2-4-6-|")
    }
  }

  @Test("removingDuplicates")
  func removingDuplicates() throws {
    try marbles { m in
      let source = property("a", then: m.hot("-a-b-b-a-|").signal)
      let result = try #require(source.value).removingDuplicates().signal
      m.expect(result, "                     {a}---b---a-|")
    }
  }

  @Test("combined")
  func combined() throws {
    try marbles { m in
      let source = property("0", then: m.hot("   -1---2----|").signal)
      let other = property("a", then: m.hot("    ---b---c--|").signal)
      let pairs = try #require(source.value).combined(with: #require(other.value)).signal
      m.expect(
        pairs.map { $0 + $1 }, "              {p}-q-r-s-t--|",
        values: ["p": "0a", "q": "1a", "r": "1b", "s": "2b", "t": "2c"])
    }
  }
}
