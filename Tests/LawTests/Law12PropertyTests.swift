import Probes
import Signals
import Testing

@Suite("Law 12: a property's subscribers get each value exactly once")
struct Law12PropertyTests {
  @Test("Law 12: the current value first, then every change; changes leave the first out")
  func currentFirst() {
    let property = Property(1)
    let all = EventLog<Int>()
    let changes = EventLog<Int>()
    let subscriptions = [property.signal.log(to: all), property.changes.log(to: changes)]
    property.value = 2
    #expect(
      property.update {
        $0 += 1; return $0 * 10
      } == 30)
    #expect(all.values == [1, 2, 3])
    #expect(changes.values == [2, 3])
    #expect(property.readOnly.value == 3)
    for subscription in subscriptions { subscription.dispose() }
    #expect(property.subscriberCount == 0)
  }

  private enum Choice: Sendable { case one, two }
  private struct Three: Sendable, Equatable {
    var bytes: (UInt8, UInt8, UInt8)
    static func == (left: Three, right: Three) -> Bool { left.bytes == right.bytes }
  }

  @Test("Law 12: what is read is what was written, for values of every size and kind")
  func kinds() {
    func check<Value: Sendable & Equatable>(_ values: Value...) {
      let property = Property(values[0])
      for value in values + values.reversed() {
        property.value = value
        #expect(property.value == value)
        property.update { $0 = values[0] }
        #expect(property.value == values[0])
      }
    }
    check(true, false)
    check(UInt8.max, 0, 1)
    check(Int16.min, -1, 1)
    check(Float(1.5), -.infinity)
    check(1.5, -0.25)
    check(Int.min, Int.max, -1)
    check(Int?.none, 3)
    check("a", "a text that does not fit into a word")
    check(Choice.one, .two)
    check(Three(bytes: (1, 2, 3)), Three(bytes: (255, 254, 253)))
    check([1], [2, 3])
    check(StaticString("a").description, "b")
  }

  @Test("Law 12: a reader on another thread never reads back in time")
  func readers() {
    let property = Property(0)
    onThreads {
      for value in 1...20_000 { property.value = value }
    } _: {
      var last = 0
      for _ in 0..<20_000 {
        let value = property.value
        if value < last { Issue.record("read \(value) after \(last)") }
        last = value
      }
    }
    #expect(property.value == 20_000)
  }

  @Test("Law 12: none missing, none doubled, however threads race")
  func racing() {
    for round in 0..<300 {
      let property = Property(0)
      let logs = (0..<2).map { _ in EventLog<Int>() }
      let changes = EventLog<Int>()
      let bag = DisposeBag()
      onThreads {
        for value in 1...40 { property.value = value }
      } _: {
        for log in logs { property.signal.log(to: log).store(in: bag) }
        property.changes.log(to: changes).store(in: bag)
      }
      for log in logs {
        let first = log.values.first ?? -1
        #expect(log.values == Array(first...40), "round \(round)")
        #expect(log.values.last == property.value)
      }
      if let first = changes.values.first { #expect(changes.values == Array(first...40), "round \(round)") }
    }
  }

  @Test("Law 12: updates from several threads are atomic")
  func atomic() {
    let property = Property(0)
    let log = EventLog<Int>()
    let subscription = property.signal.log(to: log)
    onThreads(4) { _ in
      for _ in 0..<500 { property.update { $0 += 1 } }
    }
    #expect(property.value == 2_000)
    #expect(log.values == Array(0...2_000))
    withExtendedLifetime(subscription) {}
  }

  /// Stops a test whose update runs again and again.
  private struct RunsAgain: Error {}

  @Test("Law 12: an update whose closure writes the property comes after that write, and runs once")
  func writingInside() throws {
    for isRemovingDuplicates in [false, true] {
      let property = isRemovingDuplicates ? Property(removingDuplicates: 1) : Property(1)
      let log = EventLog<Int>()
      let subscription = property.signal.log(to: log)
      var runs = 0
      func update(_ change: (inout Int) -> Void) throws {
        runs = 0
        try property.update { value in
          runs += 1
          if runs > 10 { throw RunsAgain() }
          change(&value)
        }
        #expect(runs == 1)
      }
      try update { value in
        property.value = 5
        value += 1
      }
      #expect(log.values == [1, 5, 2] && property.value == 2)
      // An update inside another, and one whose result equals what was there before the write inside.
      try update { value in
        property.update { $0 += 10 }
        property.update { $0 += 10 }
        value += 1
      }
      #expect(log.values == [1, 5, 2, 12, 22, 3])
      try update { _ in property.value = 7 }
      #expect(log.values == [1, 5, 2, 12, 22, 3, 7, 3])
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("Law 12: writes inside an update and writes of other threads: the updates stay atomic")
  func writingInsideAmongOthers() {
    let property = Property((sum: 0, noise: 0))
    let other = Property(0)
    let log = EventLog<Int>()
    let subscription = property.signal.map { $0.sum }.log(to: log)
    onThreads(4) { thread in
      for index in 0..<300 {
        property.update { value in
          if thread == 0 {
            // A write inside keeps the sum that the update began with.
            let copy = value
            property.update { $0.noise = copy.noise + 1 }
          }
          other.update { $0 += index % 2 }
          value.sum += 1
        }
      }
    }
    #expect(property.value.sum == 1_200)
    #expect(zip(log.values, log.values.dropFirst()).allSatisfy { $0 <= $1 && $1 <= $0 + 1 })
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 12: an update is not left out because another thread has written the same value")
  func sameValueOfAnotherThread() {
    let property = Property(removingDuplicates: 0)
    var isFirst = true
    property.update { value in
      if isFirst {
        isFirst = false
        property.value = 5
        onThreads(1) { _ in property.value = 1 }
      }
      value += 1
    }
    #expect(property.value == 2)
  }

  @Test("Law 12: a handler of a write inside an update may write too")
  func writingInsideAHandler() throws {
    let property = Property(0)
    let log = EventLog<Int>()
    let first = property.changes.subscribe { value in if value == 5 { property.value = 6 } }
    let second = property.changes.log(to: log)
    var runs = 0
    try property.update { value in
      runs += 1
      if runs > 10 { throw RunsAgain() }
      property.value = 5
      value = 1
    }
    #expect(runs == 1)
    #expect(log.values == [5, 6, 1])
    withExtendedLifetime((first, second)) {}
  }

  @Test("Law 12: an update that throws leaves the value")
  func throwing() {
    let property = Property(1)
    #expect(throws: Failure()) {
      try property.update { value in
        value = 2
        throw Failure()
      }
    }
    #expect(property.value == 1)
  }

  @Test("Law 12: a property that removes duplicates is silent about equal values")
  func duplicates() {
    let property = Property(removingDuplicates: 1)
    let log = EventLog<Int>()
    let subscription = property.signal.log(to: log)
    property.value = 1
    property.value = 2
    property.update { $0 = 2 }
    property.value = 1
    #expect(log.values == [1, 2, 1])
    withExtendedLifetime(subscription) {}
  }

  /// A value whose comparison may run something.
  private struct Compared: Sendable, Equatable {
    var number: Int
    var action: @Sendable () -> Void = {}

    static func == (left: Compared, right: Compared) -> Bool {
      right.action()
      return left.number == right.number
    }
  }

  @Test("Law 12: a write is not lost when another write comes during its comparison")
  func writeDuringComparison() {
    let property = Property(removingDuplicates: Compared(number: 1))
    let log = EventLog<Int>()
    let hasWritten = Box(false)
    let subscription = property.signal.map(\.number).log(to: log)
    property.value = Compared(number: 3) { [weak property] in
      guard !hasWritten.value else { return }
      hasWritten.value = true
      property?.value = Compared(number: 2)
    }
    #expect(log.values == [1, 2, 3])
    #expect(property.value.number == 3)
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 12: a property that goes away finishes its signals")
  func gone() {
    let log = EventLog<Int>()
    var property: Property<Int>? = Property(1)
    let subscription = property?.signal.log(to: log)
    let late = property?.signal
    property = nil
    #expect(log.events == [.value(1), .finished])
    let lateLog = EventLog<Int>()
    let lateSubscription = late?.log(to: lateLog)
    #expect(lateLog.events == [.value(1), .finished])
    withExtendedLifetime((subscription, lateSubscription)) {}
  }

  @Test("Law 12: who subscribes between a write and its delivery gets the value once")
  func betweenWriteAndDelivery() {
    let property = Property(0)
    let log = EventLog<Int>()
    let changes = EventLog<Int>()
    let bag = DisposeBag()
    let victim = Box<Subscription?>(nil)
    property.changes.subscribe { value in
      guard value == 1 else { return }
      property.value = 2
      victim.value?.dispose()
    }.store(in: bag)
    // Released after the round of 1, before that of 2 begins.
    var token: AtRelease? = AtRelease {
      property.signal.log(to: log).store(in: bag)
      property.changes.log(to: changes).store(in: bag)
    }
    victim.value = property.changes.subscribe { [token] _ in withExtendedLifetime(token) {} }
    token = nil
    property.value = 1
    property.value = 3
    #expect(log.values == [2, 3])
    #expect(changes.values == [3])
    #expect(token == nil)
  }
}
