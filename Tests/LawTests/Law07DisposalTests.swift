import Probes
import Signals
import Testing

@Suite("Law 7: disposal")
struct Law07DisposalTests {
  @Test("Law 7: own subscription, a later one's, or all, inside the handler", arguments: [0, 2])
  func insideHandler(replay: Int) {
    let emitter = Emitter<Int>(replay: replay)
    let life = LifeCount()
    let journal = Journal<String>()
    var subscriptions: [Box<Subscription?>] = []
    for index in 0..<5 {
      let box = Box<Subscription?>(nil)
      let victims = index == 1 ? [box] : index == 2 ? [] : index == 3 ? subscriptions : []
      let token = life.token()
      box.value = emitter.signal.subscribeToEvents { event in
        token.touch()
        journal.append("\(index) \(event == .value(1) ? "1" : "other")")
        for victim in victims { victim.value?.dispose() }
      }
      subscriptions.append(box)
    }
    emitter.send(1)
    #expect(journal.entries == ["0 1", "1 1", "2 1", "3 1", "4 1"])
    #expect(life.alive == 2)
    emitter.send(2)
    #expect(journal.entries.dropFirst(5) == ["3 other", "4 other"])
    for box in subscriptions { box.value?.dispose() }
    emitter.finish()
    #expect(journal.entries.count == 7)
    #expect(life.alive == 0)
    #expect(emitter.subscriberCount == 0)
  }

  @Test("Law 7: a later subscriber that is disposed in the round is skipped")
  func laterSkipped() {
    let emitter = Emitter<Int>()
    let bag = DisposeBag()
    let life = LifeCount()
    let log = EventLog<Int>()
    let first = emitter.signal.subscribe { value in
      bag.disposeAll()
      if value == 1 { emitter.send(2) }
    }
    for _ in 0..<10 {
      let token = life.token()
      emitter.signal.map {
        token.touch(); return $0
      }.log(to: log).store(in: bag)
    }
    emitter.send(1)
    first.dispose()
    #expect(log.events.isEmpty)
    #expect(life.alive == 0)
  }

  @Test("Law 7: an emitter ends all its subscriptions while an operator hands on its last values", arguments: [0, 2])
  func disposeAllAtTheEnd(replay: Int) {
    let emitter = Emitter<Int>(replay: replay)
    let log = EventLog<Int>()
    let other = EventLog<Int>()
    let subscription = emitter.signal.suffix(3).removeDuplicates().subscribeToEvents { event in
      log.append(event)
      if event == .value(2) { emitter.disposeAllSubscriptions() }
    }
    // Ended on its own, after the other one: nothing of it comes.
    let later = emitter.signal.suffix(1).log(to: other)
    for value in 1...3 { emitter.send(value) }
    emitter.finish()
    #expect(log.events == [.value(1), .value(2)])
    #expect(other.events.isEmpty)
    withExtendedLifetime((subscription, later)) {}
  }

  @Test("Law 7: an emitter ends an owner's subscription while an operator hands on its last values")
  func disposeOwnedAtTheEnd() {
    let emitter = Emitter<Int>()
    let owner = Box(0)
    let log = EventLog<Int>()
    emitter.signal.suffix(3).subscribe(with: owner) { owner, value in
      log.append(.value(value))
      if value == 2 { emitter.disposeSubscriptions(of: owner) }
    }
    for value in 1...3 { emitter.send(value) }
    emitter.finish()
    #expect(log.events == [.value(1), .value(2)])
  }

  @Test("Law 7: an emitter ends all its subscriptions inside a handler, without an event")
  func disposeAll() {
    let emitter = Emitter<Int>(replay: 1)
    let life = LifeCount()
    let log = EventLog<Int>()
    var subscriptions: [Subscription] = []
    for _ in 0..<3 {
      let token = life.token()
      subscriptions.append(
        emitter.signal.subscribeToEvents { event in
          token.touch()
          log.append(event)
          emitter.disposeAllSubscriptions()
        }.retained())
    }
    emitter.send(1)
    #expect(log.events == [.value(1)])
    #expect(life.alive == 0)
    for subscription in subscriptions { #expect(subscription.isDisposed) }
  }

  @Test("Law 7: disposing while the memory is being handed over")
  func duringWelcome() {
    let emitter = Emitter<Int>(replay: 3)
    for value in 1...3 { emitter.send(value) }
    let log = EventLog<Int>()
    let life = LifeCount()
    let bag = DisposeBag()
    let token = life.token()
    emitter.signal.prefix(1).subscribe {
      log.append(.value($0)); token.touch()
    }.store(in: bag)
    #expect(log.values == [1])
    #expect(emitter.subscriberCount == 0)
  }

  @Test("Law 7: the memory stops when the handler disposes its subscription")
  func disposedDuringWelcome() {
    let emitter = Emitter<Int>(replay: 3)
    for value in 1...3 { emitter.send(value) }
    let log = EventLog<Int>()
    let subscription = emitter.signal.subscribe { value in
      log.append(.value(value))
      emitter.disposeAllSubscriptions()
    }
    #expect(log.values == [1])
    #expect(subscription.isDisposed)
    #expect(emitter.subscriberCount == 0)
  }

  @Test("Law 7: nothing comes after a hop either")
  func afterHop() throws {
    let scheduler = VirtualTimeScheduler()
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let life = LifeCount()
    var token: LifeCount.Token? = life.token()
    let subscription = emitter.signal.receive(on: scheduler).subscribeToEvents { [token] event in
      token?.touch()
      log.append(event)
    }
    token = nil
    emitter.send(1)
    emitter.finish()
    subscription.dispose()
    #expect(life.alive == 0)
    try scheduler.advance()
    #expect(log.events.isEmpty)
    #expect(token == nil)
  }

  @Test("Law 7: idempotent, on many threads, and each disposal action runs once")
  func idempotent() {
    for _ in 0..<50 {
      let count = Box(0)
      let emitter = Emitter<Int>()
      let action = Subscription { count.value += 1 }
      let subscription = emitter.signal.subscribe { _ in }
      onThreads(4) { _ in
        action.dispose()
        subscription.dispose()
        emitter.send(1)
      }
      #expect(count.value == 1)
      #expect(emitter.subscriberCount == 0)
    }
  }

  @Test("Law 7: dropping, retaining, and owners")
  func lifetimes() {
    final class Owner: Sendable {}
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    do { _ = emitter.signal.log(to: log) }
    #expect(emitter.subscriberCount == 0)
    weak var kept: Subscription?
    do { kept = emitter.signal.log(to: log).retained().retained() }
    #expect(emitter.subscriberCount == 1)
    var owner: Owner? = Owner()
    if let owner { emitter.signal.subscribe(with: owner) { _, value in log.append(.value(-value)) } }
    emitter.send(1)
    owner = nil
    emitter.send(2)
    #expect(log.values == [1, -1, 2])
    #expect(emitter.subscriberCount == 1)
    emitter.finish()
    #expect(kept == nil)
    #expect(owner == nil)
  }

  @Test("Law 7: an owner that is gone releases a shared subscription too")
  func ownerOfShared() {
    final class Owner: Sendable {}
    let emitter = Emitter<Int>()
    let shared = emitter.signal.share()
    var owner: Owner? = Owner()
    if let owner { shared.subscribe(with: owner) { _, _ in } }
    #expect(emitter.subscriberCount == 1)
    owner = nil
    emitter.send(1)
    #expect(emitter.subscriberCount == 0)
    #expect(owner == nil)
  }

  @Test("Law 7: a subscription is over before its end is told, whoever ends it", arguments: [true, false])
  func overBeforeEnd(isThrown: Bool) {
    let emitter = Emitter<Int>()
    let kept = Box<Subscription?>(nil)
    let seen = Box<Bool?>(nil)
    kept.value = emitter.signal.map { if $0 == 2 { throw Failure() } }
      .subscribe(onFailure: { _ in seen.value = kept.value?.isDisposed })
    emitter.send(1)
    if isThrown { emitter.send(2) } else { emitter.fail(Failure()) }
    #expect(seen.value == true)
  }
}
