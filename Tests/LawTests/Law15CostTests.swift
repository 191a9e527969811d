import Probes
import Signals
import Testing

@Suite("Law 15: cost")
struct Law15CostTests {
  @Test("Law 15: subscribing and disposing in random order does not get slower with the number")
  func linear() {
    func run(_ count: Int) {
      let emitter = Emitter<Int>()
      var generator = SystemRandomNumberGenerator()
      let subscriptions = (0..<count).map { _ in emitter.signal.subscribe { _ in } }.shuffled(using: &generator)
      for subscription in subscriptions { subscription.dispose() }
      #expect(emitter.subscriberCount == 0)
    }
    let small = leastProcessorTime(5) { run(2_000) }
    let large = leastProcessorTime(3) { run(40_000) }
    // Twenty times as much work; quadratic cost would show as four hundred times.
    #expect(large < small * 100)
  }

  @Test("Law 15: a hundred thousand subscribers, half of them disposed, the others see every value once")
  func many() {
    let emitter = Emitter<Int>()
    let count = Box(0)
    var subscriptions = (0..<100_000).map { _ in emitter.signal.subscribe { count.value += $0 } }
    subscriptions.shuffle()
    for subscription in subscriptions.prefix(50_000) { subscription.dispose() }
    #expect(emitter.subscriberCount == 50_000)
    emitter.send(1)
    #expect(count.value == 50_000)
    let bag = DisposeBag()
    for subscription in subscriptions { subscription.store(in: bag) }
    bag.disposeAll()
    #expect(emitter.subscriberCount == 0)
    emitter.send(1)
    #expect(count.value == 50_000)
  }

  @Test("Law 15: subscribers that come and go inside handlers leave nothing")
  func churn() {
    let emitter = Emitter<Int>()
    let life = LifeCount()
    let subscription = emitter.signal.subscribe { _ in
      for _ in 0..<50 {
        let token = life.token()
        emitter.signal.subscribe { _ in token.touch() }.dispose()
      }
    }
    for value in 0..<200 { emitter.send(value) }
    #expect(life.alive == 0)
    #expect(emitter.subscriberCount == 1)
    subscription.dispose()
  }

  @Test("Law 15: a bag drops what has ended by itself")
  func bag() {
    let bag = DisposeBag()
    let life = LifeCount()
    for _ in 0..<10_000 {
      let token = life.token()
      Subscription { token.touch() }.store(in: bag)
      if life.alive > 100 { bag.disposeAll() }
    }
    #expect(life.alive <= 100)
    for _ in 0..<1_000 { Signal.just(1).subscribe { _ in }.store(in: bag) }
    bag.close()
    #expect(bag.count == 0)
    #expect(life.alive == 0)
    let late = Subscription {}
    bag += late
    #expect(late.isDisposed && bag.isDisposed)
  }
}
