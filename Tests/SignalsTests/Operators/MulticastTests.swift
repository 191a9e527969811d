import Probes
import SignalTesting
import Signals
import Testing

/// Lets any number of subscribers share one subscription, which begins when it is told to.
@Suite("multicast")
struct MulticastTests {
  @Test("nothing begins before connect; then all get the same")
  func connect() {
    let starts = Box(0)
    let numbers = Signal.sequence(1...3).handle(onSubscribe: { starts.value += 1 }).multicast()
    let (first, second) = (EventLog<Int>(), EventLog<Int>())
    let subscriptions = [numbers.signal.log(to: first), numbers.signal.log(to: second)]
    #expect(starts.value == 0 && first.events.isEmpty)
    let connection = numbers.connect()
    #expect(starts.value == 1)
    #expect(first.events == [.value(1), .value(2), .value(3), .finished])
    #expect(second.events == first.events)
    #expect(connection.isDisposed)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("Law 9: disposing or releasing the connection leaves the source; the subscribers stay for the next one")
  func disconnecting() {
    let emitter = Emitter<Int>()
    let connectable = emitter.signal.multicast()
    let log = EventLog<Int>()
    let subscription = connectable.signal.log(to: log)
    emitter.send(1)
    let first = connectable.connect()
    emitter.send(2)
    first.dispose()
    #expect(emitter.subscriberCount == 0)
    emitter.send(3)
    var second: Subscription? = connectable.connect()
    emitter.send(4)
    #expect(emitter.subscriberCount == 1 && second != nil)
    second = nil
    #expect(emitter.subscriberCount == 0)
    #expect(log.events == [.value(2), .value(4)])
    withExtendedLifetime(subscription) {}
  }

  @Test("while there is a connection, connect returns it")
  func connectTwice() {
    let emitter = Emitter<Int>()
    let connectable = emitter.signal.multicast()
    let log = EventLog<Int>()
    let subscription = connectable.signal.log(to: log)
    let (first, second) = (connectable.connect(), connectable.connect())
    #expect(first === second && emitter.subscriberCount == 1)
    emitter.send(1)
    #expect(log.values == [1])
    first.dispose()
    #expect(connectable.connect() !== first)
    withExtendedLifetime(subscription) {}
  }

  @Test("Laws 8 and 9: subscribers come and go, which is nothing to the source")
  func subscribersLeave() {
    let emitter = Emitter<Int>()
    let connectable = emitter.signal.multicast()
    let connection = connectable.connect()
    connectable.signal.subscribe { _ in }.dispose()
    #expect(emitter.subscriberCount == 1)
    withExtendedLifetime(connection) {}
  }

  @Test(
    "Law 10: after the end there is only the end, with what is replayed, and connecting does nothing",
    arguments: [0, 2])
  func afterTheEnd(replay: Int) {
    let starts = Box(0)
    let connectable = Signal.sequence(1...3).handle(onSubscribe: { starts.value += 1 }).multicast(replay: replay)
    connectable.connect().dispose()
    let log = EventLog<Int>()
    connectable.signal.log(to: log).dispose()
    #expect(log.events == (replay == 0 ? [.finished] : [.value(2), .value(3), .finished]))
    #expect(connectable.connect().isDisposed && starts.value == 1)
    connectable.autoconnect().log(to: EventLog()).dispose()
    #expect(starts.value == 1)
  }

  @Test("a failure goes to all")
  func failure() {
    let emitter = Emitter<Int>()
    let connectable = emitter.signal.multicast()
    let log = EventLog<Int>()
    let subscriptions = (0..<2).map { _ in connectable.signal.log(to: log) }
    let connection = connectable.connect()
    emitter.fail(Failure(number: 1))
    #expect(log.events == [.failed(Failure(number: 1)), .failed(Failure(number: 1))])
    withExtendedLifetime((subscriptions, connection)) {}
  }

  @Test("with replay, a newcomer gets the latest values, those of earlier connections too")
  func replay() {
    let emitter = Emitter<Int>()
    let connectable = emitter.signal.multicast(replay: 2)
    for value in 1...3 {
      let connection = connectable.connect()
      emitter.send(value)
      connection.dispose()
    }
    let log = EventLog<Int>()
    connectable.signal.log(to: log).dispose()
    #expect(log.values == [2, 3])
  }

  @Test("a replay with a limit of time")
  func replayForSomeTime() throws {
    let scheduler = VirtualTimeScheduler()
    let emitter = Emitter<Int>()
    let connectable = emitter.signal.multicast(replay: 5, for: .seconds(3), on: scheduler)
    let connection = connectable.connect()
    for value in 1...5 {
      emitter.send(value)
      try scheduler.advance(by: .seconds(1))
    }
    let log = EventLog<Int>()
    let subscription = connectable.signal.log(to: log)
    #expect(log.values == [4, 5])
    emitter.send(6)
    #expect(log.values == [4, 5, 6])
    withExtendedLifetime((subscription, connection)) {}
  }

  // MARK: autoconnect

  @Test("it connects with the first subscriber, leaves with the last, and begins anew")
  func autoconnect() {
    marbles { m in
      let letters = m.cold("-a-b-c-|")
      let shared = letters.signal.multicast().autoconnect()
      m.expect(shared, "    -a-----", subscription: "^-!")
      m.expect(shared, "    -----a-b-c-|", subscription: "----^")
      m.expect(shared, "    -------b-----", subscription: "------^-!")
      m.expectSubscriptions(of: letters, "^-!", "----^------!")
    }
  }

  @Test("it connects when there are as many subscribers as are asked for, at the same time")
  func autoconnectAfter() {
    marbles { m in
      let letters = m.cold("-a-b-|")
      let shared = letters.signal.multicast().autoconnect(after: 2)
      m.expect(shared, "    ----", subscription: "^--!")
      m.expect(shared, "    ------a-b-|", subscription: "----^")
      m.expect(shared, "    ------a-b-|", subscription: "-----^")
      m.expect(shared, "    --------b-|", subscription: "-------^")
      m.expectSubscriptions(of: letters, "-----^----!")
    }
  }

  @Test("less than 1 counts as 1; those who subscribe to `signal` count too", arguments: [1, 0, -1, Int.min])
  func autoconnectAfterFew(count: Int) {
    let emitter = Emitter<Int>()
    let connectable = emitter.signal.multicast()
    let beside = connectable.signal.subscribe { _ in }
    let subscription = connectable.autoconnect(after: count).subscribe { _ in }
    #expect(emitter.subscriberCount == 1)
    subscription.dispose()
    #expect(emitter.subscriberCount == 1)
    beside.dispose()
    #expect(emitter.subscriberCount == 0)
  }

  @Test("a connection that was made by hand is left alone")
  func madeByHand() {
    let emitter = Emitter<Int>()
    let connectable = emitter.signal.multicast()
    let connection = connectable.connect()
    connectable.autoconnect().subscribe { _ in }.dispose()
    #expect(emitter.subscriberCount == 1)
    connection.dispose()
    #expect(emitter.subscriberCount == 0)
  }

  @Test("Law 9: an endless source stops when the last subscriber has had enough; everything is released")
  func endless() {
    let life = LifeCount()
    func run() {
      let token = life.token()
      let source = Signal.sequence(1...).map { value in
        token.touch()
        return value
      }
      let log = EventLog<Int>()
      source.multicast().autoconnect().prefix(3).log(to: log).dispose()
      #expect(log.events == [.value(1), .value(2), .value(3), .finished])
    }
    run()
    #expect(life.alive == 0)
  }

  @Test("nobody has to keep the connectable signal")
  func unkept() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.multicast().autoconnect().log(to: log)
    emitter.send(1)
    #expect(log.values == [1])
    subscription.dispose()
    #expect(emitter.subscriberCount == 0)

    func connected() -> (Subscription, Subscription) {
      let connectable = emitter.signal.multicast()
      return (connectable.signal.log(to: log), connectable.connect())
    }
    let (second, connection) = connected()
    emitter.send(2)
    #expect(log.values == [1, 2])
    connection.dispose()
    #expect(emitter.subscriberCount == 0)
    withExtendedLifetime(second) {}
  }

  @Test("Law 7: of a connection that was left, nothing comes once the next one is there")
  func threads() {
    for _ in 0..<300 {
      let emitter = Emitter<Int>()
      let connectable = emitter.signal.multicast()
      let heard = Box(0)
      let listener = connectable.signal.subscribe { _ in heard.withLock { $0 += 1 } }
      let found = Box<[Subscription]>([])
      onThreads(3) { _ in
        let connection = connectable.connect()
        found.withLock { $0.append(connection) }
      }
      #expect(found.value.dropFirst().allSatisfy { $0 === found.value[0] })
      emitter.send(1)
      #expect(heard.value == 1 && emitter.subscriberCount == 1)
      found.value = []
      #expect(emitter.subscriberCount == 0)
      withExtendedLifetime(listener) {}
    }
  }

  @Test("the last leaves while another comes: the newcomer is connected")
  func lastAndFirst() {
    for round in 0..<1_000 {
      let emitter = Emitter<Int>()
      let shared = emitter.signal.multicast().autoconnect()
      let heard = Box(0)
      let first = shared.subscribe { _ in }
      let newcomer = Box<Subscription?>(nil)
      onThreads {
        first.dispose()
      } _: {
        newcomer.value = shared.subscribe { _ in heard.withLock { $0 += 1 } }
      }
      emitter.send(1)
      #expect(heard.value == 1 && emitter.subscriberCount == 1, "round \(round)")
      newcomer.value = nil
      #expect(emitter.subscriberCount == 0, "round \(round)")
    }
  }
}
