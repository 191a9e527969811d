import Dispatch
import Probes
import Signals
import Testing

@Suite("Law 14: delivery on an actor", .timeLimit(.minutes(20)))
struct ActorSchedulerTests {
  private actor Collector {
    private(set) var values: [Int] = []
    private var ended: CheckedContinuation<[Int], Never>?
    private var isOver = false
    private var subscription: Subscription?
    private let token: LifeCount.Token?

    init(token: LifeCount.Token? = nil) { self.token = token }

    func add(_ value: Int) { values.append(value) }

    func end() {
      isOver = true
      ended?.resume(returning: values)
      ended = nil
    }

    /// The values, once the end has come.
    func result() async -> [Int] {
      if isOver { return values }
      return await withCheckedContinuation { ended = $0 }
    }

    func keep(_ subscription: Subscription) { self.subscription = subscription }

    /// Schedules work, and disposes it before the actor is free to run it.
    func scheduleInVain(
      on scheduler: ActorScheduler, _ work: @escaping @Sendable () -> Void
    ) -> any Disposable {
      let work = scheduler.schedule(after: .milliseconds(1), work)
      work.dispose()
      return work
    }
  }

  /// Collects what comes, in code that traps anywhere but on the actor.
  private func collect(_ signal: Signal<Int>, in collector: Collector) -> Subscription {
    signal.receive(on: .actor(collector)).subscribeToEvents { [weak collector] event in
      collector?.assumeIsolated { collector in
        switch event {
        case .value(let value): collector.add(value)
        case .failed, .finished: collector.end()
        }
      }
    }
  }

  @Test("everything comes on the actor, in order")
  func order() async {
    let collector = Collector()
    let numbers = Emitter<Int>()
    let subscription = collect(numbers.signal, in: collector)
    for number in 0..<50_000 { numbers.send(number) }
    numbers.finish()
    #expect(await collector.result() == Array(0..<50_000))
    withExtendedLifetime(subscription) {}
  }

  @Test("several senders: each one's values in order, none lost")
  func severalSenders() async {
    let collector = Collector()
    let numbers = Emitter<Int>()
    let subscription = collect(numbers.signal, in: collector)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask { for index in 0..<5_000 { numbers.send(thread * 5_000 + index) } }
      }
    }
    numbers.finish()
    let values = await collector.result()
    for thread in 0..<4 {
      #expect(values.filter { $0 / 5_000 == thread } == Array(thread * 5_000..<(thread + 1) * 5_000))
    }
    withExtendedLifetime(subscription) {}
  }

  @Test("the main actor is one too")
  @MainActor func mainActor() async {
    let scheduler = ActorScheduler(MainActor.shared)
    var isDone = false
    await withCheckedContinuation { continuation in
      scheduler.schedule {
        MainActor.assumeIsolated { isDone = true }
        continuation.resume()
      }
      #expect(!isDone)
    }
    #expect(isDone)
  }

  @Test("work runs in the order in which it was scheduled, also what is scheduled meanwhile")
  func workOrder() async {
    let scheduler = ActorScheduler(Collector())
    let collector = Collector()
    let kept = ActorScheduler(collector)
    let order = Journal<Int>()
    await withCheckedContinuation { continuation in
      for number in 0..<1_000 {
        kept.schedule {
          order.append(number)
          if number == 999 { kept.schedule { continuation.resume() } }
        }
      }
    }
    #expect(order.entries == Array(0..<1_000))
    withExtendedLifetime((scheduler, collector)) {}
  }

  @Test("delayed work that is due at once runs in the order in which it was scheduled")
  func delayedOrder() async {
    let collector = Collector()
    let scheduler = ActorScheduler(collector)
    let order = Journal<Int>()
    await withCheckedContinuation { continuation in
      for number in 0..<2_000 {
        _ = scheduler.schedule(after: .zero) {
          order.append(number)
          if order.entries.count == 2_000 { continuation.resume() }
        }
      }
    }
    #expect(order.entries == Array(0..<2_000))
    withExtendedLifetime(collector) {}
  }

  @Test("a delay, and its cancellation")
  func delay() async {
    let collector = Collector()
    let scheduler = ActorScheduler(collector)
    let count = Box(0)
    let cancelled = await collector.scheduleInVain(on: scheduler) { count.withLock { $0 += 1 } }
    await withCheckedContinuation { continuation in
      _ = scheduler.schedule(after: .milliseconds(5)) {
        collector.assertIsolated()
        continuation.resume()
      }
    }
    #expect(cancelled.isDisposed)
    #expect(count.value == 0)
  }

  @Test("an actor that keeps its subscription goes when nobody else needs it, and leaves the source")
  func life() async {
    let life = LifeCount()
    let numbers = Emitter<Int>()
    do {
      let collector = Collector(token: life.token())
      await collector.keep(collect(numbers.signal, in: collector))
      #expect(numbers.subscriberCount == 1)
    }
    #expect(life.alive == 0)
    #expect(numbers.subscriberCount == 0)
  }

  @Test("operators that deliver on an actor leave their source when it has gone, and keep nothing of what comes")
  func sourceIsLeft() async {
    func check(
      _ chain: (Signal<LifeCount.Token>, ActorScheduler) -> Signal<LifeCount.Token>
    ) async {
      let (numbers, other) = (Emitter<LifeCount.Token>(), Emitter<LifeCount.Token>())
      let life = LifeCount()
      let subscription = chain(numbers.signal, ActorScheduler(Collector())).subscribe { _ in }
      let sibling = Signal.merge(chain(numbers.signal, ActorScheduler(Collector())), other.signal).subscribe { _ in }
      for _ in 0..<5 { numbers.send(life.token()) }
      while numbers.subscriberCount > 0 { await Task.yield() }
      #expect(subscription.isDisposed)
      #expect(!sibling.isDisposed && other.subscriberCount == 1)
      while life.alive > 0 { await Task.yield() }
    }
    await check { $0.receive(on: $1) }
    await check { $0.receive(on: $1, overflow: .newest(3)) }
    await check { $0.delay(for: .zero, on: $1) }
    await check { $0.debounce(for: .zero, on: $1) }
  }

  @Test("a subscription that was to begin on an actor that has gone ends")
  func beginning() async {
    actor Place {}
    let chain = Signal.just(1).subscribed(on: ActorScheduler(Place()))
    let subscription = chain.subscribe { _ in }
    while !subscription.isDisposed { await Task.yield() }
    await #expect(throws: NoValueError.self) { try await chain.firstValue() }
  }

  @Test("windows and groups leave their source when the actor has gone")
  func sourceOfBranchesIsLeft() async {
    actor Place {}
    let (windowed, sorted) = (Emitter<Int>(), Emitter<Int>())
    let windows = windowed.signal.window(for: .zero, on: ActorScheduler(Place())).subscribe { _ in }
    let groups = sorted.signal.grouped(timeout: .zero, on: ActorScheduler(Place())) { $0 }.subscribe { _ in }
    while windowed.subscriberCount > 0 || sorted.subscriberCount > 0 {
      windowed.send(1)
      sorted.send(1)
      await Task.yield()
    }
    #expect(!windows.isDisposed && !groups.isDisposed)
    withExtendedLifetime((windows, groups)) {}
  }

  @Test("when the actor has gone, what is scheduled is released and does not run")
  func gone() async {
    let life = LifeCount()
    let scheduler = ActorScheduler(Collector())
    let count = Box(0)
    for _ in 0..<100 {
      let token = life.token()
      scheduler.schedule {
        token.touch()
        count.withLock { $0 += 1 }
      }
    }
    // Asks again until the task that drops the work has run.
    while life.alive > 0 { await Task.yield() }
    #expect(count.value == 0)
  }
}
