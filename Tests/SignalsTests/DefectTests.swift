import Foundation
import Probes
import Synchronization
import Testing

@testable import Signals

/// Defects that libraries of this kind had. docs/five-libraries.md names the test of each; these are the ones that have no place elsewhere.
@Suite("Defects that stay gone", .timeLimit(.minutes(20)))
struct DefectTests {
  @Test("the last value that is observed equals the property's value, however many threads set it")
  func lastObservedEqualsValueUnderConcurrentSets() {
    for round in 0..<200 {
      let property = Property(-1)
      let logs = (0..<3).map { _ in EventLog<Int>() }
      let bag = DisposeBag()
      property.signal.log(to: logs[0]).store(in: bag)
      property.changes.log(to: logs[1]).store(in: bag)
      onThreads(4) { thread in
        for value in 0..<50 { property.value = thread * 1_000 + value }
        if thread == 0 { property.signal.log(to: logs[2]).store(in: bag) }
      }
      for log in logs where !log.values.isEmpty {
        #expect(log.values.last == property.value, "round \(round)")
      }
      #expect(logs[0].values.count == 201)
      #expect(logs[0].values.dropFirst() == logs[1].values[...])
    }
  }

  @Test("who subscribes while others send gets every value from one on, none of them twice", arguments: [0, 1, 5])
  func subscribeRacingSendIsExact(replay: Int) {
    for round in 0..<300 {
      let emitter = Emitter<Int>(replay: replay)
      let everything = EventLog<Int>()
      let logs = (0..<3).map { _ in EventLog<Int>() }
      let missable = Box([[0, 0], [0, 0], [0, 0]])
      let sent = Box([0, 0])
      let bag = DisposeBag()
      emitter.signal.log(to: everything).store(in: bag)
      onThreads(3) { thread in
        if thread < 2 {
          for value in 1...40 {
            emitter.send(thread * 1_000 + value)
            sent.withLock { $0[thread] = value }
          }
        } else {
          for (index, log) in logs.enumerated() {
            emitter.signal.log(to: log).store(in: bag)
            let begun = sent.value.map { $0 + 1 }
            missable.withLock { $0[index] = begun }
          }
        }
      }
      #expect(everything.values.count == 80)
      for (log, missable) in zip(logs, missable.value) {
        #expect(log.values[...] == everything.values.suffix(log.values.count), "round \(round)")
        #expect(log.values.count >= replay)
        // Whatever a thread began to send after `subscribe` had returned has come.
        for thread in 0..<2 {
          let count = log.values.count { $0 / 1_000 == thread }
          #expect(count >= 40 - missable[thread], "round \(round)")
        }
      }
    }
  }

  @Test("a thousand tasks that update count to a thousand")
  func updateFromThousandTasksCountsThousand() async {
    let property = Property(0)
    let log = EventLog<Int>()
    let subscription = property.signal.log(to: log)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<1_000 {
        group.addTask {
          property.update { value in
            let seen = value
            // Another thread may update meanwhile.
            sched_yield()
            value = seen + 1
          }
        }
      }
    }
    #expect(property.value == 1_000)
    #expect(log.values == Array(0...1_000))
    withExtendedLifetime(subscription) {}
  }

  /// An object that is as small as can be, so that its memory is soon used again.
  private final class Target: Sendable {}

  @Test("an object at the address of one that has gone keeps its subscription, whatever clears up after the other")
  func reusedAddressNeverRemovesLiveSubscriber() {
    let emitter = Emitter<Int>()
    let count = Box(0)
    var reused = 0
    for _ in 0..<1_000 {
      var first: Target? = Target()
      var old: ObjectIdentifier?
      if let first {
        old = ObjectIdentifier(first)
        emitter.signal.subscribe(with: first) { _, _ in count.withLock { $0 += 1_000_000 } }
      }
      first = nil
      let second = Target()
      if ObjectIdentifier(second) == old { reused += 1 }
      let subscription = emitter.signal.subscribe(with: second) { _, value in count.withLock { $0 += value } }
      // Each of these clears up after the first.
      #expect(emitter.subscriberCount == 1)
      emitter.send(1)
      #expect(emitter.subscribers.count == 1)
      subscription.dispose()
    }
    #expect(count.value == 1_000)
    #expect(reused > 0 || keepsFreedMemory, "the test has to meet the case")
  }

  /// Whether freed memory is not used again soon: the address sanitizer sees to that.
  private let keepsFreedMemory = dlsym(dlopen(nil, RTLD_LAZY), "__asan_init") != nil

  @Test(
    "who asks for n values gets n: also when a handler sends, when several threads send, and when others came before")
  func notificationsAsManyAsAskedFor() {
    let emitter = Emitter<Int>()
    let logs = (0..<3).map { _ in EventLog<Int>() }
    let bag = DisposeBag()
    emitter.send(0)
    emitter.signal.prefix(3).subscribe { value in
      logs[0].append(.value(value))
      emitter.send(value + 1)
      emitter.send(value + 1)
    }.store(in: bag)
    emitter.signal.prefix(1).log(to: logs[1]).store(in: bag)
    emitter.send(1)
    #expect(logs[0].values == [1, 2, 2])
    #expect(logs[1].events == [.value(1), .finished])
    emitter.signal.prefix(100).log(to: logs[2]).store(in: bag)
    onThreads(4) { _ in for value in 0..<50 { emitter.send(value) } }
    #expect(logs[2].values.count == 100 && logs[2].ends.count == 1)
    #expect(emitter.subscriberCount == 0)
  }

  @Test("what is derived of a signal that delivers at once delivers too")
  func derivedSignalOfJustEmits() {
    let one = Signal.just(1)
    let derived: [(String, Signal<Int>)] = [
      ("map", one.map { $0 }), ("filter", one.filter { $0 > 0 }), ("compactMap", one.compactMap { $0 }),
      ("scan", one.scan(0) { $0 + $1 }), ("reduce", one.reduce(0) { $0 + $1 }),
      ("removeDuplicates", one.removeDuplicates()), ("prefix", one.prefix(1)), ("first", one.first()),
      ("last", one.last()),
      ("handle", one.handle { _ in }), ("catch", one.catch { _ in .empty() }), ("retry", one.retry(1)),
      ("flatMap", one.flatMap { .just($0) }), ("flatMapLatest", one.flatMapLatest { .just($0) }),
      ("concatMap", one.concatMap { .just($0) }), ("exhaustMap", one.exhaustMap { .just($0) }),
      ("merge", merge(one, .empty())), ("concat", one.concat(.empty())), ("race", one.race(with: .never())),
      ("zip", one.zip(one).map { $0.0 }), ("combineLatest", one.combineLatest(one).map { $0.0 }),
      ("withLatest", one.withLatest(from: one).map { $0.0 }), ("share", one.share()), ("replay", one.share(replay: 1)),
      ("deferred", .deferred { one }), ("receive", one.receive(on: .immediate)),
    ]
    for (name, signal) in derived {
      let log = EventLog<Int>()
      let subscription = signal.log(to: log)
      #expect(log.events == [.value(1), .finished], "\(name)")
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("disposing 100,000 subscriptions looks at each a few times, in whatever order it is done", arguments: 0..<3)
  func disposalOfManySubscriptionsIsLinear(order: Int) {
    let count = 100_000
    let emitter = Emitter<Int>()
    var subscriptions = (0..<count).map { _ in emitter.signal.subscribe { _ in } }
    switch order {
    case 0: break
    case 1: subscriptions.reverse()
    default:
      var generator = SeededNumbers(state: 7)
      subscriptions.shuffle(using: &generator)
    }
    let table = emitter.core.table
    var looks = 0
    var before = table.slotCount.load(ordering: .relaxed)
    for subscription in subscriptions {
      subscription.dispose()
      let now = table.slotCount.load(ordering: .relaxed)
      // The table of subscribers is closed up: that looks at every slot.
      looks += before - now > 1 ? before : 1
      before = now
    }
    #expect(emitter.subscriberCount == 0)
    #expect(looks <= 4 * count)
  }

  /// Counts what a bag does with it.
  private final class Counted: Disposable {
    private let calls: Box<Int>
    private let over = Box(false)

    init(_ calls: Box<Int>) { self.calls = calls }

    var isDisposed: Bool {
      calls.withLock { $0 += 1 }
      return over.value
    }

    func dispose() {
      calls.withLock { $0 += 1 }
      over.value = true
    }
  }

  @Test("a bag of 100,000 asks and disposes each of them a few times")
  func disposalOfBagIsLinear() {
    let count = 100_000
    let calls = Box(0)
    let bag = DisposeBag()
    for _ in 0..<count { bag.insert(Counted(calls)) }
    bag.disposeAll()
    #expect(calls.value >= count && calls.value <= 5 * count)
  }

  @Test("a source that is released while values are on their way still delivers them, and its end")
  func releasedSourceDeliversWhatIsOnItsWay() throws {
    let time = VirtualTimeScheduler()
    let log = EventLog<Int>()
    let bag = DisposeBag()
    var emitter: Emitter<Int>? = Emitter()
    var property: Property<Int>? = Property(10)
    emitter?.signal.receive(on: time).log(to: log).store(in: bag)
    emitter?.signal.map { $0 * 100 }.delay(for: .seconds(1), on: time).log(to: log).store(in: bag)
    property?.signal.receive(on: time).log(to: log).store(in: bag)
    for value in 1...3 { emitter?.send(value) }
    property?.value = 11
    emitter = nil
    property = nil
    try time.advance(by: .zero)
    #expect(log.values.sorted() == [1, 2, 3, 10, 11])
    #expect(log.ends.count == 2)
    try time.run()
    #expect(log.values.suffix(3) == [100, 200, 300])
    #expect(log.ends == [.finished, .finished, .finished])
  }

  @Test("a source that is released by one thread while another sends into it delivers what was sent")
  func sourceReleasedOnAnotherThreadDelivers() {
    for round in 0..<300 {
      let log = EventLog<Int>()
      let shared = Box<Emitter<Int>?>(Emitter())
      let subscription = shared.value?.signal.log(to: log)
      let sent = Box(0)
      onThreads {
        while let emitter = shared.value, sent.value < 1_000 {
          emitter.send(sent.value)
          sent.withLock { $0 += 1 }
        }
      } _: {
        spin { sent.value < round }
        shared.value = nil
      }
      #expect(log.values == Array(0..<sent.value), "round \(round)")
      #expect(log.ends == [.finished], "round \(round)")
      withExtendedLifetime(subscription) {}
    }
  }
}

/// The same numbers in every run.
private struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 31
  }
}
