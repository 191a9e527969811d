import Probes
import Signals
import Testing

/// Who listens to an emitter or a property, and how those are ended, whether or not the graph is on.
@Suite("Subscribers")
struct SubscribersTests {
  private final class Screen: Sendable {}

  @Test("each subscriber is told with its place, in the order of subscription", arguments: [false, true])
  func places(isRecorded: Bool) {
    func check() {
      let emitter = Emitter<Int>()
      let property = Property(0)
      #expect(emitter.subscribers.isEmpty)
      let line = #line
      let first = emitter.signal.subscribe { _ in }
      let second = emitter.signal.map { $0 + 1 }.filter { $0 > 1 }.subscribeToEvents { _ in }
      let third = emitter.signal.combineLatest(property.signal).subscribe(onFailure: { _ in })
      #expect(emitter.subscribers.map(\.line) == [line + 1, line + 2, line + 3])
      #expect(emitter.subscribers.allSatisfy { $0.fileID == #fileID && $0.function == "check()" })
      #expect(property.subscribers.map(\.line) == [line + 3])
      #expect(property.subscribers.first?.description == "\(#fileID):\(line + 3) check()")
      first.dispose()
      #expect(emitter.subscribers.map(\.line) == [line + 2, line + 3])
      withExtendedLifetime((second, third)) {}
    }
    if isRecorded { GraphRecorder().record(check) } else { check() }
  }

  @Test("names and owners are told; the name nearest to the subscriber counts")
  func names() {
    let emitter = Emitter<Int>()
    let screen = Screen()
    let bag = DisposeBag()
    emitter.signal.named("far").map { $0 }.named("near").subscribe { _ in }.store(in: bag)
    emitter.signal.subscribe(with: screen) { _, _ in }
    emitter.signal.named("both").merge(with: .never()).subscribe(with: screen, in: bag) { _, _ in }
    emitter.signal.share().subscribe { _ in }.store(in: bag)
    #expect(emitter.subscribers.map(\.name) == ["near", nil, "both", nil])
    #expect(emitter.subscribers.map(\.owner) == [nil, "Screen", "Screen", nil])
    #expect(emitter.subscribers[2].description.hasSuffix("names(), \"both\", Screen"))
    #expect(emitter.subscribers[3].function == "names()")
  }

  @Test("who has an owner that is gone is not told")
  func ownerGone() {
    let emitter = Emitter<Int>()
    var screen: Screen? = Screen()
    if let screen { emitter.signal.subscribe(with: screen) { _, _ in } }
    #expect(emitter.subscribers.count == 1)
    screen = nil
    #expect(emitter.subscribers.isEmpty)
  }

  @Test("behind an operator that delivers signals, its subscriber is told, and an owner's is ended")
  func branches() {
    let emitter = Emitter<Int>()
    let screen = Screen()
    emitter.signal.grouped { $0 }.subscribe(with: screen) { _, _ in }
    emitter.signal.window(2).subscribe(with: screen) { _, _ in }
    emitter.signal.window(by: Signal<Int>.never()).subscribe(with: screen) { _, _ in }
    #expect(emitter.subscribers.map(\.owner) == ["Screen", "Screen", "Screen"])
    #expect(emitter.subscribers.allSatisfy { $0.line > 0 })
    emitter.disposeSubscriptions(of: screen)
    #expect(emitter.subscriberCount == 0)
  }

  @Test("the subscriptions of one owner are ended, and no others")
  func ofOwner() {
    let (emitter, property) = (Emitter<Int>(), Property(0))
    let (one, other) = (Screen(), Screen())
    let (log, lives) = (EventLog<Int>(), LifeCount())
    let bag = DisposeBag()
    let token = lives.token()
    emitter.signal.subscribe(with: one) { [token] _, _ in token.touch() }
    emitter.signal.map { $0 }.named("x").subscribe(with: one, in: bag) { [token] _, _ in token.touch() }
    emitter.signal.combineLatest(property.signal).subscribe(with: one) { _, _ in log.append(.value(-1)) }
    emitter.signal.subscribe(with: other) { _, value in log.append(.value(value)) }
    emitter.signal.log(to: log).store(in: bag)
    #expect(emitter.subscriberCount == 5 && property.subscriberCount == 1)
    emitter.disposeSubscriptions(of: one)
    #expect(emitter.subscriberCount == 2)
    // A chain ends as a whole.
    #expect(property.subscriberCount == 0)
    emitter.send(1)
    #expect(log.values == [1, 1])
    property.disposeSubscriptions(of: one)
    emitter.disposeSubscriptions(of: Screen())
    #expect(emitter.subscriberCount == 2)
    withExtendedLifetime((one, other)) {}
  }

  @Test("an owner's subscriptions are ended inside a handler: later ones of the round get nothing (law 7)")
  func ofOwnerInside() {
    let emitter = Emitter<Int>()
    let screen = Screen()
    let log = EventLog<Int>()
    let first = emitter.signal.subscribe { _ in emitter.disposeSubscriptions(of: screen) }
    emitter.signal.subscribe(with: screen) { _, value in log.append(.value(value)) }
    emitter.send(1)
    #expect(log.values.isEmpty && emitter.subscriberCount == 1)
    withExtendedLifetime(first) {}
  }

  @Test("an object at the address of one that has gone is another one")
  func reusedAddress() {
    let emitter = Emitter<Int>()
    let bag = DisposeBag()
    for _ in 0..<1_000 {
      var first: Screen? = Screen()
      if let first { emitter.signal.subscribe(with: first, in: bag) { _, _ in } }
      first = nil
      let second = Screen()
      emitter.signal.subscribe(with: second, in: bag) { _, _ in }
      let before = emitter.subscriberCount
      emitter.disposeSubscriptions(of: second)
      #expect(emitter.subscriberCount == before - 1)
      bag.disposeAll()
    }
  }

  @Test("all subscriptions of a property are ended without an event, and it stays usable")
  func ofProperty() {
    let property = Property(1)
    let (log, lives) = (EventLog<Int>(), LifeCount())
    let token = lives.token()
    let subscription = property.signal.map { [token] value in
      token.touch()
      return value
    }.log(to: log)
    property.changes.subscribe { _ in }.retained()
    property.disposeAllSubscriptions()
    #expect(property.subscriberCount == 0 && subscription.isDisposed)
    property.value = 2
    let late = property.signal.log(to: log)
    #expect(log.events == [.value(1), .value(2)])
    withExtendedLifetime(late) {}
  }

  @Test("a property counts the changes that it delivered")
  func sentCount() {
    let property = Property(removingDuplicates: 1)
    let subscription = property.signal.subscribe { _ in }
    property.value = 2
    property.value = 2
    property.update { $0 += 1 }
    #expect(property.sentCount == 2)
    property.resetSentCount()
    #expect(property.sentCount == 0)
    property.value = 9
    #expect(property.sentCount == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("listing and ending while others come, go and send")
  func racing() {
    let emitter = Emitter<Int>()
    let screen = Screen()
    onThreads(
      {
        for value in 0..<2_000 { emitter.send(value) }
      },
      {
        for _ in 0..<1_000 {
          emitter.signal.subscribe(with: screen) { _, _ in }
          emitter.signal.map { $0 }.subscribe { _ in }.dispose()
        }
      },
      {
        for _ in 0..<500 {
          for subscriber in emitter.subscribers { #expect(subscriber.line > 0) }
          emitter.disposeSubscriptions(of: screen)
        }
      })
    emitter.disposeSubscriptions(of: screen)
    #expect(emitter.subscriberCount == 0)
  }
}
