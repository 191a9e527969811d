import Probes
import Signals
import Testing

/// What is released inside the library may run any code: each of these would stop the process with a recursive lock, or find an operator in
/// the middle of a change, if it were released at the wrong moment.
@Suite("Law 4: what is released may use everything")
struct Law04ReleaseTests {
  @Test("Law 4: arrivals that are thrown away with all subscriptions")
  func arrivals() {
    let holder = Emitter<AtRelease?>(replay: 1)
    let released = Box(0)
    holder.send(nil)
    let subscription = holder.signal.subscribe { value in
      guard value == nil, released.value == 0 else { return }
      holder.send(
        AtRelease {
          released.value += 1
          _ = holder.subscriberCount
        })
      holder.send(nil)
      #expect(released.value == 0)
      holder.disposeAllSubscriptions()
      #expect(released.value == 1)
    }
    #expect(released.value == 1)
    #expect(subscription.isDisposed && holder.subscriberCount == 0)
  }

  @Test("Law 4: a chooser that is replaced")
  func chooser() throws {
    let scheduler = VirtualTimeScheduler()
    let log = Journal<Int>()
    var token: AtRelease? = AtRelease { scheduler.schedule { log.append(1) } }
    scheduler.setChooser { [token] ready in
      token?.touch()
      return ready - 1
    }
    token = nil
    #expect(log.entries == [])
    scheduler.setChooser(nil)
    try scheduler.run()
    #expect(log.entries == [1])
    #expect(token == nil)
  }

  @Test("Law 4: a chooser that replaces itself while it is asked")
  func choosing() throws {
    let scheduler = VirtualTimeScheduler()
    let log = Journal<Int>()
    scheduler.setChooser { ready in
      scheduler.setChooser(nil)
      return ready - 1
    }
    for number in 0..<3 { scheduler.schedule { log.append(number) } }
    try scheduler.run()
    #expect(log.entries == [2, 0, 1])
  }

  /// A value that sends a number into an emitter when it is released.
  private static func sender(_ number: Int, _ emitter: Emitter<(Int, AtRelease?)>) -> (Int, AtRelease?) {
    (number, AtRelease { [weak emitter] in emitter?.send((number + 100, nil)) })
  }

  @Test("Laws 2 and 4: a value that is dropped, replaced or used up by a stage sends into the same chain")
  func stages() {
    let emitter = Emitter<(Int, AtRelease?)>()
    let log = Probes.EventLog<Int>()
    let subscription = emitter.signal
      .filter { $0.0 != 1 }
      .handle { _ in }
      .compactMap { $0.0 == 2 ? nil : $0 }
      .map { $0.0 == 3 ? (3, nil) : $0 }
      .map(\.0)
      .log(to: log)
    for number in 1...4 { emitter.send(Self.sender(number, emitter)) }
    #expect(log.values == [101, 102, 3, 103, 4, 104])
    withExtendedLifetime(subscription) {}
  }

  @Test("Laws 2 and 4: a value that waits for its turn sends when it is released")
  func waiting() {
    let emitter = Emitter<(Int, AtRelease?)>()
    let log = Probes.EventLog<Int>()
    let subscription = emitter.signal.subscribe { value in
      log.append(.value(value.0))
      if value.0 == 1 {
        emitter.send(Self.sender(2, emitter))
        emitter.send((3, nil))
      }
    }
    emitter.send((1, nil))
    #expect(log.values == [1, 2, 3, 102])
    withExtendedLifetime(subscription) {}
  }

  enum Rows: CaseIterable, Sendable { case combineLatest, zip, withLatest }

  private static func rows(
    _ kind: Rows, _ first: Signal<(Int, AtRelease?)>, _ second: Signal<Int>
  ) -> Signal<(Int, Int)> {
    switch kind {
    case .combineLatest: combineLatest(first, second).map { ($0.0.0, $0.1) }
    case .zip: zip(first, second).map { ($0.0.0, $0.1) }
    case .withLatest: second.withLatest(from: first).map { ($0.1.0, $0.0) }
    }
  }

  @Test("Laws 2 and 4: a value that leaves a row sends into both inputs", arguments: Rows.allCases)
  func rows(_ kind: Rows) {
    let first = Emitter<(Int, AtRelease?)>()
    let second = Emitter<Int>()
    let released = Box(0)
    let log = Probes.EventLog<[Int]>()
    let subscription = Self.rows(kind, first.signal, second.signal).map { [$0.0, $0.1] }.log(to: log)
    for number in 0..<6 {
      first.send(
        (
          number,
          AtRelease { [weak first, weak second] in
            released.value += 1
            first?.send((100 + number, nil))
            second?.send(200 + number)
          }
        ))
      second.send(number)
    }
    if kind == .zip {
      // Released once its row was delivered.
      let rows: [[Int]] = (0..<6).flatMap { number -> [[Int]] in [[number, number], [100 + number, 200 + number]] }
      #expect(log.values == rows)
    } else {
      // What the value of an even number sends takes the place of the value after it.
      #expect(log.values.first == [0, 0] && log.values.last == [105, 5])
      for number in [1, 3, 5] { #expect(log.values.contains([100 + number, 200 + number])) }
    }
    #expect(released.value == 6)
    #expect(log.ends.isEmpty)
    subscription.dispose()
    #expect(first.subscriberCount == 0 && second.subscriberCount == 0)
  }

  @Test("Laws 4 and 7: a value that leaves a row disposes the subscription", arguments: Rows.allCases)
  func disposingRows(_ kind: Rows) {
    let first = Emitter<(Int, AtRelease?)>()
    let second = Emitter<Int>()
    let life = LifeCount()
    let log = Probes.EventLog<Int>()
    let subscription = Box<Subscription?>(nil)
    subscription.value = Self.rows(kind, first.signal, second.signal).subscribe { [token = life.token()] in
      token.touch()
      log.append(.value($0.0))
    }
    let kept = subscription.value
    first.send((1, AtRelease { subscription.value?.dispose() }))
    second.send(1)
    first.send((2, nil))
    second.send(2)
    #expect(log.values == [1])
    #expect(kept?.isDisposed == true)
    #expect(life.alive == 0)
    #expect(first.subscriberCount == 0 && second.subscriberCount == 0)
  }

  @Test(
    "Laws 4 and 7: a handler that disposes while a row is delivered, with more rows waiting", arguments: Rows.allCases)
  func disposingHandler(_ kind: Rows) {
    let first = Emitter<(Int, AtRelease?)>()
    let second = Emitter<Int>()
    let released = Box(0)
    let log = Probes.EventLog<Int>()
    let subscription = Box<Subscription?>(nil)
    subscription.value = Self.rows(kind, first.signal, second.signal).subscribe { row in
      log.append(.value(row.0))
      // Waits, because this row is being delivered.
      first.send((2, AtRelease { released.value += 1 }))
      second.send(2)
      subscription.value?.dispose()
    }
    first.send((1, AtRelease { released.value += 1 }))
    second.send(1)
    #expect(log.values == [1])
    #expect(released.value == 2)
    #expect(first.subscriberCount == 0 && second.subscriberCount == 0)
  }

  @Test("Laws 1 and 9: rows that end early inside their own delivery release every value", arguments: Rows.allCases)
  func endingRows(_ kind: Rows) {
    let life = LifeCount()
    let first = Emitter<(Int, LifeCount.Token)>()
    let second = Emitter<LifeCount.Token>()
    let rows: Signal<Int> =
      switch kind {
      case .combineLatest: combineLatest(first.signal, second.signal).map { $0.0.0 }
      case .zip: zip(first.signal, second.signal).map { $0.0.0 }
      case .withLatest: second.signal.withLatest(from: first.signal).map { $0.1.0 }
      }
    let stopped = Probes.EventLog<Int>()
    let failed = Probes.EventLog<Int>()
    let bag = DisposeBag()
    bag += rows.prefix(1).log(to: stopped)
    bag += rows.map { _ -> Int in throw Failure(number: 7) }.log(to: failed)
    for number in 0..<5 { first.send((number, life.token())) }
    second.send(life.token())
    #expect(stopped.ends.count == 1 && stopped.values.count == 1)
    #expect(failed.events.count == 1 && failed.ends.count == 1)
    #expect(life.alive == 0)
    #expect(first.subscriberCount == 0 && second.subscriberCount == 0)
  }

  @Test("Law 4: a property's old value and the closures of its subscribers use it when they are released")
  func properties() {
    let property = Property<AtRelease?>(nil)
    let replayed = Emitter<AtRelease?>(replay: 3)
    let released = Box(0)
    let make: @Sendable () -> AtRelease = {
      AtRelease { [weak property, weak replayed] in
        released.value += 1
        _ = property?.subscriberCount
        _ = property?.value
        replayed?.send(nil)
      }
    }
    let bag = DisposeBag()
    bag += property.signal.map { $0 }.subscribe { [token = make()] _ in token.touch() }
    bag += replayed.signal.map { $0 }.subscribe { [token = make()] _ in token.touch() }
    for _ in 0..<5 {
      property.value = make()
      property.update { $0 = make() }
      replayed.send(make())
    }
    property.value = nil
    bag.disposeAll()
    for _ in 0..<3 { replayed.send(nil) }
    #expect(released.value == 17)
  }

  @Test("Law 4: whoever joins an ended or busy emitter, or is disposed before it gets there, may use it when released")
  func joining() {
    for replay in [0, 2] {
      let emitter = Emitter<Int>(replay: replay)
      let released = Box(0)
      let join: @Sendable () -> Subscription = {
        let token = AtRelease {
          released.value += 1
          _ = emitter.subscriberCount
          emitter.send(9)
        }
        return emitter.signal.map { $0 }.filter { _ in true }.subscribe { _ in token.touch() }
      }
      join().dispose()
      #expect(released.value == 1)
      let outer = emitter.signal.prefix(1).subscribe { _ in join().dispose() }
      emitter.send(1)
      #expect(released.value == 2)
      // Disposed from inside the closure of the operator that connects it.
      let subscription = Box<Subscription?>(nil)
      let starter = Emitter<Int>()
      subscription.value = starter.signal.flatMap { _ -> Signal<Int> in
        subscription.value?.dispose()
        let token = AtRelease {
          released.value += 1
          _ = emitter.subscriberCount
        }
        return emitter.signal.map { value in
          token.touch()
          return value
        }
      }.subscribe { _ in }
      starter.send(1)
      #expect(released.value == 3)
      emitter.finish()
      _ = join()
      #expect(released.value == 4)
      #expect(emitter.subscriberCount == 0)
      outer.dispose()
    }
  }

  @inline(never)
  private func makeProperty(_ log: Probes.EventLog<Int>) -> Property<Int> {
    let property = Property(1)
    property.signal.log(to: log).retained()
    return property
  }

  @inline(never)
  private func makeEmitter(_ log: Probes.EventLog<Int>) -> Emitter<Int> {
    let emitter = Emitter<Int>()
    emitter.signal.map { $0 }.log(to: log).retained()
    return emitter
  }

  @Test("Laws 1 and 12: what is sent with the last reference is delivered before the end")
  func lastReference() {
    let log = Probes.EventLog<Int>()
    makeProperty(log).value = 2
    makeProperty(log).update { $0 = 3 }
    #expect(makeProperty(log).value == 1)
    makeEmitter(log).send(4)
    makeEmitter(log).send(event: .value(5))
    #expect(
      log.events == [
        .value(1), .value(2), .finished, .value(1), .value(3), .finished, .value(1), .finished, .value(4), .finished,
        .value(5), .finished,
      ])
  }
}
