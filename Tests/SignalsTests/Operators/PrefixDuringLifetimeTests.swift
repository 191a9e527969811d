import Probes
import SignalTesting
import Signals
import Testing

/// Delivers values for as long as an object lives.
@Suite("prefix(duringLifetimeOf:)")
struct PrefixDuringLifetimeTests {
  private final class Plain: Sendable {}

  private final class Keeper: DisposeBagOwner {
    let disposeBag = DisposeBag()
  }

  @Test("while the object lives, everything passes unchanged")
  func living() {
    let owner = Keeper()
    marbles { m in
      let letters = m.hot("                                     -a-b-|")
      m.expect(letters.signal.prefix(duringLifetimeOf: owner), "-a-b-|")
      let failing = m.hot("                                     -a-#", error: Failure(number: 1))
      m.expect(failing.signal.prefix(duringLifetimeOf: owner), "-a-#", error: Failure(number: 1))
      let empty = m.hot("                                     --|")
      m.expect(empty.signal.prefix(duringLifetimeOf: owner), "--|")
      let early = m.hot("                                     -a-b-|")
      m.expect(early.signal.prefix(duringLifetimeOf: owner), "-a----", subscription: "^-!")
      m.expectSubscriptions(of: early, "                       ^-!")
    }
    withExtendedLifetime(owner) {}
  }

  @Test("Law 9: with an owner of a bag the end comes as soon as the owner goes, and the source is left")
  func keeper() {
    let emitter = Emitter<Int>()
    let log = Probes.EventLog<Int>()
    var owner: Keeper? = Keeper()
    let result = owner.map { emitter.signal.prefix(duringLifetimeOf: $0) }
    let subscription = result?.log(to: log)
    emitter.send(1)
    owner = nil
    #expect(log.events == [.value(1), .finished])
    #expect(subscription?.isDisposed == true)
    #expect(emitter.subscriberCount == 0)
    emitter.send(2)
    #expect(log.events == [.value(1), .finished])
  }

  @Test("any other object: the end comes in place of the next value at the latest, or where a count is asked for")
  func plain() {
    for asksForCount in [false, true] {
      expectWhenAlone([.value(1), .finished]) { emitter, log in
        var owner: Plain? = Plain()
        let subscription = owner.map { emitter.signal.prefix(duringLifetimeOf: $0) }?.log(to: log)
        emitter.send(1)
        owner = nil
        if asksForCount { #expect(emitter.subscriberCount == 0) } else { emitter.send(2) }
        return subscription
      }
    }
  }

  @Test("a failure after the object's end is not told: the result finishes")
  func failingAfterwards() {
    expectWhenAlone([.finished]) { emitter, log in
      var owner: Plain? = Plain()
      let subscription = owner.map { emitter.signal.prefix(duringLifetimeOf: $0) }?.log(to: log)
      owner = nil
      emitter.fail(Failure())
      return subscription
    }
  }

  /// Tries up to a hundred times for the events that are there at once.
  ///
  /// Another test may ask for a count at this very moment, and then its thread looks at the owner: the owner lives a moment longer, or its end is
  /// noticed there and comes a moment later. What is never there at once is a failure.
  private func expectWhenAlone(
    _ expected: [Event<Int>], _ location: SourceLocation = #_sourceLocation,
    _ attempt: (Emitter<Int>, Probes.EventLog<Int>) -> Subscription?
  ) {
    var events: [Event<Int>] = []
    for _ in 0..<100 {
      let emitter = Emitter<Int>()
      let log = Probes.EventLog<Int>()
      let subscription = attempt(emitter, log)
      events = log.events
      if events == expected, subscription?.isDisposed == true, emitter.subscriberCount == 0 { return }
    }
    Issue.record("never at once; the last time: \(events)", sourceLocation: location)
  }

  @Test("an object that is gone already: the result finishes inside subscribe, and nobody subscribes to the source")
  func gone() {
    marbles { m in
      let letters = m.cold("{a}b|")
      var owner: Plain? = Plain()
      let result = owner.map { letters.signal.prefix(duringLifetimeOf: $0) } ?? .never()
      owner = nil
      m.expect(result, "{|}")
      m.expectNoSubscriptions(of: letters)
    }
  }

  @Test("Law 7: what was disposed before the object goes hears nothing, and is freed though the owner's bag lives")
  func disposal() {
    let lives = LifeCount()
    let emitter = Emitter<Int>()
    let log = Probes.EventLog<Int>()
    var owner: Keeper? = Keeper()
    var token: LifeCount.Token? = lives.token()
    let subscription = owner.map { emitter.signal.prefix(duringLifetimeOf: $0) }?
      .handle { [token] _ in token?.touch() }.log(to: log)
    token = nil
    subscription?.dispose()
    #expect(lives.alive == 0)
    owner = nil
    #expect(log.events == [])
  }

  @Test("the signal does not keep the object, nor does its subscription")
  func weakness() {
    let lives = LifeCount()
    final class Counted: Sendable {
      let token: LifeCount.Token
      init(_ token: LifeCount.Token) { self.token = token }
    }
    let emitter = Emitter<Int>()
    var owner: Counted? = Counted(lives.token())
    let signal = owner.map { emitter.signal.prefix(duringLifetimeOf: $0) }
    let subscription = signal?.subscribe { _ in }
    owner = nil
    // First the count: another test may look at the owner at this moment, and the count waits for that.
    #expect(emitter.subscriberCount == 0)
    #expect(lives.alive == 0)
    withExtendedLifetime((signal, subscription)) {}
  }

  @Test("an endless source stops when the handler lets go of the owner")
  func endless() {
    let owner = Box<Keeper?>(Keeper())
    let log = Probes.EventLog<Int>()
    let result = owner.value.map { Signal.sequence(1...).prefix(duringLifetimeOf: $0) }
    let subscription = result?.handle { if $0 == 3 { owner.value = nil } }.log(to: log)
    #expect(log.events == [.value(1), .value(2), .value(3), .finished])
    withExtendedLifetime(subscription) {}
  }

  @Test("Laws 1 and 3: the owner goes on one thread while another sends: one end, nothing after it")
  func race() {
    for _ in 0..<200 {
      let emitter = Emitter<Int>()
      let log = Probes.EventLog<Int>()
      let owner = Box<Keeper?>(Keeper())
      let subscription = owner.value.map { emitter.signal.prefix(duringLifetimeOf: $0) }?.log(to: log)
      onThreads(
        { for value in 0..<50 { emitter.send(value) } },
        { owner.value = nil })
      #expect(log.ends == [.finished])
      #expect(log.events.last == .finished)
      #expect(log.values == Array(0..<log.values.count))
      withExtendedLifetime(subscription) {}
    }
  }
}
