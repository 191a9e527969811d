import Probes
import Signals
import Testing

@Suite("Law 4: no lock is held while user code runs")
struct Law04NoLockTests {
  @Test("Law 4: crosswise sends between two emitters on two threads end", arguments: [0, 1])
  func crosswise(replay: Int) {
    let left = Emitter<Int>(replay: replay)
    let right = Emitter<Int>(replay: replay)
    let leftLog = EventLog<Int>()
    let rightLog = EventLog<Int>()
    let bag = DisposeBag()
    left.signal.subscribe { value in
      leftLog.append(.value(value))
      if value < 1_000 { right.send(value + 1_000) }
    }.store(in: bag)
    right.signal.subscribe { value in
      rightLog.append(.value(value))
      if value < 1_000 { left.send(value + 1_000) }
    }.store(in: bag)
    onThreads {
      for value in 0..<500 { left.send(value) }
    } _: {
      for value in 0..<500 { right.send(value) }
    }
    #expect(leftLog.values.count == 1_000)
    #expect(rightLog.values.count == 1_000)
  }

  @Test("Law 4: subscribing, disposing, reading and sending in every callback")
  func everything() {
    let emitter = Emitter<Int>(replay: 2)
    let property = Property(0)
    let bag = DisposeBag()
    let count = Box(0)
    let work: @Sendable () -> Void = {
      count.value += 1
      guard count.value < 20 else { return }
      emitter.signal.subscribe { _ in }.store(in: bag)
      emitter.signal.subscribe { _ in }.dispose()
      emitter.send(emitter.subscriberCount)
      property.update { $0 += 1 }
      _ = property.value + property.subscriberCount + emitter.sentCount
    }
    let subscription = emitter.signal.merge(with: property.signal)
      .handle(onSubscribe: work, onValue: { _ in work() }, onFailure: { _ in work() }, onFinish: work)
      .map { value in
        work()
        return value
      }
      .subscribe(onValue: { _ in work() }, onFailure: { _ in work() }, onFinish: work)
    emitter.send(1)
    bag.disposeAll()
    emitter.finish()
    #expect(count.value >= 20)
    withExtendedLifetime(subscription) {}
  }

  /// Sends when it is released.
  private final class Sender: Sendable {
    let emitter: Emitter<Int>
    init(_ emitter: Emitter<Int>) { self.emitter = emitter }
    deinit {
      emitter.send(1)
      _ = emitter.subscriberCount
    }
  }

  @Test("Law 4: what is released by disposing may use the emitter")
  func releasing() {
    let emitter = Emitter<Int>()
    let sent = Box(0)
    let watcher = emitter.signal.subscribe { _ in sent.value += 1 }
    var sender: Sender? = Sender(emitter)
    let subscription = emitter.signal.subscribe { [sender] _ in withExtendedLifetime(sender) {} }
    sender = nil
    subscription.dispose()
    #expect(sent.value == 1)
    #expect(sender == nil)
    withExtendedLifetime(watcher) {}
  }

  @Test("Law 4: a value that is released by the emitter's memory may use the emitter")
  func releasingMemory() {
    let emitter = Emitter<Int>()
    let holder = Emitter<Sender>(replay: 1)
    let property = Property(Sender(emitter))
    let sent = Box(0)
    let watcher = emitter.signal.subscribe { _ in
      sent.value += 1
      _ = property.value
      _ = holder.subscriberCount
    }
    holder.send(Sender(emitter))
    holder.send(Sender(emitter))
    property.value = Sender(emitter)
    #expect(sent.value == 2)
    watcher.dispose()
  }

  @Test("Law 4: a value that waits for a newcomer may use the emitter when it is released")
  func releasingArrivals() {
    let emitter = Emitter<Int>()
    let holder = Emitter<Sender?>(replay: 1)
    let sent = Box(0)
    let watcher = emitter.signal.subscribe { _ in
      sent.value += 1
      _ = holder.subscriberCount
    }
    holder.send(nil)
    let inner = holder.signal.handle { _ in
      holder.send(Sender(emitter))
      holder.send(nil)
    }.prefix(1).subscribe { _ in }
    #expect(inner.isDisposed)
    #expect(sent.value == 1)
    watcher.dispose()
  }
}
