import Probes
import Signals
import Synchronization
import Testing

@Suite("Law 7: two threads dispose at once, and each may rely on its own call")
struct Law07TwoDisposersTests {
  private static let chains: [String: @Sendable (Signal<Int>) -> Signal<Int>] = [
    "plain": { $0 },
    "stages": { $0.map { $0 }.filter { _ in true } },
    "merge": { $0.merge(with: .never()) },
    "share": { $0.share() },
    "flatMap": { signal in Signal.just(0).flatMap { _ in signal } },
  ]

  @Test("no call after dispose() has returned on the delivering thread", arguments: chains.keys.sorted())
  func disposing(name: String) throws {
    let apply = try #require(Self.chains[name])
    for round in 0..<3_000 {
      let emitter = Emitter<Int>()
      let late = Atomic<Int>(0)
      let isStarted = Atomic<Bool>(false)
      let subscription = Box<Subscription?>(nil)
      let isOver = Box(false)
      subscription.value = apply(emitter.signal).subscribe { _ in
        if isOver.value { late.add(1, ordering: .relaxed) }
      }
      onThreads {
        let mine = subscription.value
        isStarted.store(true, ordering: .releasing)
        for _ in 0..<(round % 20) { emitter.send(0) }
        mine?.dispose()
        isOver.value = true
        for _ in 0..<20 { emitter.send(1) }
      } _: {
        let mine = subscription.value
        spin { !isStarted.load(ordering: .acquiring) }
        mine?.dispose()
      }
      #expect(late.load(ordering: .acquiring) == 0, "round \(round)")
      #expect(emitter.subscriberCount == 0)
    }
  }

  @Test("a subscription that was disposed keeps neither its source nor the source's last value")
  func sourceIsReleased() {
    for isFinished in [false, true] {
      let life = LifeCount()
      var property: Property<LifeCount.Token>? = Property(life.token())
      let subscription = property?.signal.subscribe { _ in }
      let below = property?.signal.merge(with: .never()).share(replay: 1).subscribe { _ in }
      if !isFinished {
        subscription?.dispose()
        below?.dispose()
      }
      property = nil
      // A subscription whose source has ended by itself keeps it until it is disposed or released.
      subscription?.dispose()
      below?.dispose()
      #expect(life.alive == 0)
      withExtendedLifetime((subscription, below)) {}
    }
  }

  @Test("disposing again, from several threads, while the source ends")
  func disposingAtTheEnd() {
    for _ in 0..<2_000 {
      let life = LifeCount()
      let emitter = Emitter<Int>(replay: 1)
      let subscription = emitter.signal.map { $0 }.subscribe { [token = life.token()] _ in token.touch() }
      onThreads {
        emitter.finish()
      } _: {
        subscription.dispose()
        subscription.dispose()
      } _: {
        subscription.dispose()
      }
      #expect(life.alive == 0)
      #expect(subscription.isDisposed)
    }
  }

  @Test("two threads that empty a bag: each finds its subscriptions gone from the source")
  func emptyingABag() {
    for _ in 0..<500 {
      let emitter = Emitter<Int>()
      let bag = DisposeBag()
      for _ in 0..<20 { emitter.signal.map { $0 }.subscribe { _ in }.store(in: bag) }
      onThreads(2) { _ in
        bag.disposeAll()
        #expect(emitter.subscriberCount == 0)
      }
    }
  }
}
