import Probes
import Signals
import Testing

@Suite("a producer and what it owns")
struct ProducerTests {
  @Test("Law 15: what has ended by itself does not pile up in a producer")
  func pruning() {
    let life = LifeCount()
    let kept = Box<Producer<Int>?>(nil)
    let subscription = Signal<Int> { kept.value = $0 }.subscribe { _ in }
    for _ in 0..<20_000 {
      let token = life.token()
      let owned = Subscription { token.touch() }
      kept.value?.own(owned)
      owned.dispose()
    }
    // What a disposed subscription captured is freed, so what is counted is what the producer keeps.
    final class Ended: Disposable {
      let token: LifeCount.Token
      init(_ token: LifeCount.Token) { self.token = token }
      func dispose() {}
      var isDisposed: Bool { true }
    }
    for _ in 0..<20_000 { kept.value?.own(Ended(life.token())) }
    #expect(life.alive <= 100)
    kept.value = nil
    subscription.dispose()
    #expect(life.alive == 0)
  }

  @Test("Law 7: what a producer owns is disposed, newest first, when the subscriber leaves, and at once after that")
  func order() {
    let log = Journal<Int>()
    let kept = Box<Producer<Int>?>(nil)
    let subscription = Signal<Int> { producer in
      kept.value = producer
      for index in 0..<100 { producer.onDisposal { log.append(index) } }
    }.subscribe { _ in }
    #expect(log.entries == [])
    subscription.dispose()
    #expect(log.entries == (0..<100).reversed())
    kept.value?.onDisposal { log.append(100) }
    #expect(log.entries.last == 100)
  }

  @Test("Law 9: what a producer owns is disposed when the signal ends, also what it owns after that")
  func ending() {
    let log = Journal<Int>()
    let subscription = Signal<Int> { producer in
      producer.onDisposal { log.append(1) }
      producer.finish()
      producer.onDisposal { log.append(2) }
    }.subscribe { _ in }
    #expect(log.entries == [1, 2])
    #expect(subscription.isDisposed)
  }

  @Test("Law 4: what a producer owns may own more when it is asked or disposed")
  func reentrant() {
    final class Asker: Disposable {
      let producer: Box<Producer<Int>?>
      init(_ producer: Box<Producer<Int>?>) { self.producer = producer }
      func dispose() { producer.value?.onDisposal {} }
      var isDisposed: Bool {
        _ = producer.value?.isActive
        return false
      }
    }
    let kept = Box<Producer<Int>?>(nil)
    let subscription = Signal<Int> { kept.value = $0 }.subscribe { _ in }
    for _ in 0..<200 { kept.value?.own(Asker(kept)) }
    subscription.dispose()
    #expect(kept.value?.isActive == false)
    kept.value = nil
  }

  @Test(
    "Law 1: a producer sends events as it sends values and the end, and says whether more are taken",
    arguments: [true, false])
  func events(fails: Bool) {
    let log = EventLog<Int>()
    let answers = Journal<Bool>()
    let subscription = Signal<Int> { producer in
      answers.append(producer.send(event: .value(1)))
      answers.append(producer.send(event: fails ? .failed(Failure(number: 2)) : .finished))
      answers.append(producer.send(event: .value(3)))
    }.subscribeToEvents { log.append($0) }
    #expect(log.events == [.value(1), fails ? .failed(Failure(number: 2)) : .finished])
    #expect(answers.entries == [true, false, false])
    #expect(subscription.isDisposed)
  }

  @Test("a producer of nothing but signs sends them without a value")
  func signs() {
    let count = Box(0)
    let subscription = Signal<Void> { producer in
      producer.send()
      producer.send()
    }.subscribe { count.withLock { $0 += 1 } }
    #expect(count.value == 2)
    subscription.dispose()
  }
}
