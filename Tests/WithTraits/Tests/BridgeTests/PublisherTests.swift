import OpenCombine
import SignalCombine
import Signals
import Synchronization
import Testing

private struct Lost: Error, Equatable {}

/// What a subscriber got.
private final class Log: Sendable {
  private let stored = Mutex<[String]>([])
  var lines: [String] { stored.withLock { $0 } }
  func add(_ line: String) { stored.withLock { $0.append(line) } }
}

/// A subscriber that asks for values when it is told to.
private final class Asking: Subscriber {
  typealias Input = Int
  typealias Failure = any Error

  let log = Log()
  var subscription: (any OpenCombine.Subscription)?
  var first = Subscribers.Demand.none
  var onValue: (Int) -> Subscribers.Demand = { _ in .none }

  func receive(subscription: any OpenCombine.Subscription) {
    self.subscription = subscription
    subscription.request(first)
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    log.add("\(input)")
    return onValue(input)
  }

  func receive(completion: Subscribers.Completion<any Error>) {
    switch completion {
    case .finished: log.add("finished")
    case .failure(let error): log.add("failed \(error)")
    }
  }
}

@Suite struct SignalToPublisherTests {
  @Test func aPublisherDeliversWhatTheSignalDoes() {
    let source = Emitter<Int>()
    let log = Log()
    let cancellable = source.signal.publisher().map { $0 * 2 }.sink {
      log.add("\($0)")
    } receiveValue: {
      log.add("\($0)")
    }
    source.send(1)
    source.send(2)
    source.finish()
    #expect(log.lines == ["2", "4", "finished"])
    cancellable.cancel()
  }

  @Test func aFailureIsAFailure() {
    let source = Emitter<Int>()
    let subscriber = Asking()
    subscriber.first = .unlimited
    source.signal.publisher().subscribe(subscriber)
    source.send(1)
    source.fail(Lost())
    #expect(subscriber.log.lines == ["1", "failed Lost()"])
  }

  @Test func valuesWaitUntilTheyAreAskedFor() {
    let source = Emitter<Int>()
    let subscriber = Asking()
    subscriber.first = .max(1)
    source.signal.publisher().subscribe(subscriber)
    for number in 1...4 { source.send(number) }
    source.finish()
    #expect(subscriber.log.lines == ["1"])
    subscriber.subscription?.request(.max(2))
    #expect(subscriber.log.lines == ["1", "2", "3"])
    subscriber.subscription?.request(.max(1))
    #expect(subscriber.log.lines == ["1", "2", "3", "4", "finished"])
  }

  @Test func whatAValueIsAnsweredWithIsDemand() {
    let subscriber = Asking()
    subscriber.first = .max(1)
    subscriber.onValue = { $0 < 3 ? .max(1) : .none }
    Signal.sequence(1...5).publisher().subscribe(subscriber)
    #expect(subscriber.log.lines == ["1", "2", "3"])
  }

  @Test func whatWaitsIsLimited() {
    let source = Emitter<Int>()
    let (newest, oldest, failing) = (Asking(), Asking(), Asking())
    source.signal.publisher(buffering: .newest(2)).subscribe(newest)
    source.signal.publisher(buffering: .oldest(2)).subscribe(oldest)
    source.signal.publisher(buffering: .fail(2)).subscribe(failing)
    for number in 1...4 { source.send(number) }
    for subscriber in [newest, oldest, failing] { subscriber.subscription?.request(.unlimited) }
    source.send(5)
    #expect(newest.log.lines == ["3", "4", "5"])
    #expect(oldest.log.lines == ["1", "2", "5"])
    #expect(failing.log.lines == ["1", "2", "failed \(OverflowError(limit: 2))"])
  }

  @Test func cancellingLeavesTheSignal() {
    let source = Emitter<Int>()
    let subscriber = Asking()
    subscriber.first = .unlimited
    source.signal.publisher().subscribe(subscriber)
    source.send(1)
    #expect(source.subscriberCount == 1)
    subscriber.subscription?.cancel()
    #expect(source.subscriberCount == 0)
    source.send(2)
    source.finish()
    #expect(subscriber.log.lines == ["1"])
  }

  @Test func anEndlessSignalStopsWhenTheSubscriberHasEnough() {
    let log = Log()
    let cancellable = Signal.sequence(1...).publisher().prefix(3).sink { _ in
      log.add("end")
    } receiveValue: {
      log.add("\($0)")
    }
    #expect(log.lines == ["1", "2", "3", "end"])
    cancellable.cancel()
  }

  @Test func cancellingInsteadOfAskingSubscribesToNothingForLong() {
    let source = Emitter<Int>()
    final class Leaving: Subscriber {
      func receive(subscription: any OpenCombine.Subscription) { subscription.cancel() }
      func receive(_ input: Int) -> Subscribers.Demand { .none }
      func receive(completion: Subscribers.Completion<any Error>) {}
    }
    source.signal.publisher().subscribe(Leaving())
    #expect(source.subscriberCount == 0)
  }

  @Test func valuesOfSeveralThreadsComeOneAtATime() async {
    let source = Emitter<Int>()
    let subscriber = Asking()
    subscriber.first = .max(1)
    subscriber.onValue = { _ in .max(1) }
    source.signal.publisher().subscribe(subscriber)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for number in 0..<100 { source.send(number) } } }
    }
    #expect(subscriber.log.lines.count == 800)
  }
}

@Suite struct PublisherToSignalTests {
  @Test func aSignalDeliversWhatThePublisherDoes() {
    let subject = PassthroughSubject<Int, Lost>()
    let log = Log()
    let subscription = subject.signal().subscribe(onValue: { log.add("\($0)") }, onFailure: { log.add("failed \($0)") })
    subject.send(1)
    subject.send(2)
    subject.send(completion: .failure(Lost()))
    #expect(log.lines == ["1", "2", "failed Lost()"])
    #expect(subscription.isDisposed)
  }

  @Test func theEndIsTheEnd() {
    let log = Log()
    let subscription = [1, 2].publisher.signal().subscribe(
      onValue: { log.add("\($0)") }, onFinish: { log.add("finished") })
    #expect(log.lines == ["1", "2", "finished"])
    #expect(subscription.isDisposed)
  }

  @Test func disposalCancels() {
    let subject = PassthroughSubject<Int, Never>()
    let log = Log()
    let observed = subject.handleEvents(receiveCancel: { log.add("cancelled") })
    let subscription = observed.signal().subscribe { log.add("\($0)") }
    subject.send(1)
    subscription.dispose()
    subject.send(2)
    #expect(log.lines == ["1", "cancelled"])
  }

  @Test func anEndlessPublisherStopsWhenTheSubscriberHasEnough() {
    let log = Log()
    let subscription = (1...Int.max).publisher.signal().prefix(3).subscribe { log.add("\($0)") }
    #expect(log.lines == ["1", "2", "3"])
    subscription.dispose()
  }

  @Test func thereAndBackIsTheSame() {
    let source = Property(1)
    let log = Log()
    let subscription = source.signal.publisher().signal().subscribe { log.add("\($0)") }
    source.value = 2
    #expect(log.lines == ["1", "2"])
    subscription.dispose()
    #expect(source.subscriberCount == 0)
  }
}
