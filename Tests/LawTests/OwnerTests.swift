import Foundation
import Probes
import SignalGraph
import SignalTesting
import Signals
import Synchronization
import Testing

/// What is bound to an owner ends with it (laws 7 and 9), also where no value comes any more.
@Suite struct OwnerTests {
  private final class Owner: Sendable {
    private let atRelease: AtRelease?
    /// What only this keeps.
    private let kept: Owner?

    init(keeping kept: Owner? = nil, atRelease: (@Sendable () -> Void)? = nil) {
      self.kept = kept
      self.atRelease = atRelease.map { AtRelease($0) }
    }

    func touch() {}
  }

  @Test func aDeadOwnersSubscriptionIsNotCounted() {
    let emitter = Emitter<Int>()
    let living = Owner()
    var owner: Owner? = Owner()
    if let owner { emitter.signal.subscribe(with: owner) { _, _ in } }
    emitter.signal.subscribe(with: living) { _, _ in }
    #expect(emitter.subscriberCount == 2)
    owner = nil
    #expect(emitter.subscriberCount == 1)
    withExtendedLifetime(living) {}
  }

  @Test func theWholeChainIsFreedUpToTheSource() {
    let emitter = Emitter<Int>()
    let other = Emitter<Int>()
    let time = VirtualTimeScheduler()
    let lives = LifeCount()
    var owner: Owner? = Owner()
    if let owner {
      let token = lives.token()
      emitter.signal.map { $0 + 1 }.flatMap { _ in other.signal }
        .debounce(for: .seconds(1), on: time).share()
        .filter { _ in true }
        .receive(on: time)
        .subscribe(with: owner) { _, _ in token.touch() }
    }
    emitter.send(1)
    other.send(1)
    #expect(emitter.subscriberCount == 1)
    #expect(other.subscriberCount == 1)
    #expect(time.pendingCount == 1)
    owner = nil
    #expect(emitter.subscriberCount == 0)
    #expect(other.subscriberCount == 0)
    #expect(time.pendingCount == 0)
    #expect(lives.alive == 0)
  }

  @Test func aPropertysCountKnowsToo() {
    let property = Property(1)
    var owner: Owner? = Owner()
    if let owner { property.signal.subscribe(with: owner) { _, _ in } }
    owner = nil
    #expect(property.subscriberCount == 0)
  }

  @Test func aSnapshotShowsItDisposed() {
    let recorder = GraphRecorder()
    let emitter = Emitter<Int>()
    recorder.record {
      var owner: Owner? = Owner()
      if let owner { emitter.signal.map { $0 }.subscribe(with: owner) { _, _ in } }
      #expect(recorder.snapshot().nodes.map(\.state) == [.live, .live, .live])
      owner = nil
      let nodes = recorder.snapshot().nodes
      #expect(nodes.map(\.state) == [.disposed, .disposed, .live])
      #expect(nodes.map(\.findings) == [[], [], []])
      #expect(recorder.retainedNodes.count == 0)
    }
  }

  @Test func aLeakCheckKnowsThatItIsOver() {
    let emitter = Emitter<Int>()
    let time = VirtualTimeScheduler()
    assertNoLeaks {
      let owner = Owner()
      emitter.signal.debounce(for: .seconds(1), on: time).subscribe(with: owner) { _, _ in }
      emitter.send(1)
      withExtendedLifetime(owner) {}
    }
  }

  @Test func laterOwnersFreeEarlierOnesOnAQuietSource() {
    let quiet = Emitter<Int>()
    let lives = LifeCount()
    for _ in 0..<10_000 {
      let owner = Owner()
      let token = lives.token()
      quiet.signal.subscribe(with: owner) { _, _ in token.touch() }
    }
    // Other tests bind owners too, and some of theirs may live.
    #expect(lives.alive < 5_000)
  }

  @Test func anOwnerThatOnlyAClosureOfAnothersSubscriptionKeepsIsOverToo() {
    let emitter = Emitter<Int>()
    var first: Owner? = nil
    for _ in 0..<10 {
      let next = Owner()
      let kept = first
      emitter.signal.subscribe(with: next) { _, _ in kept?.touch() }
      first = next
    }
    var last = first
    first = nil
    #expect(emitter.subscriberCount == 10)
    withExtendedLifetime(last) {}
    last = nil
    #expect(emitter.subscriberCount == 0)
  }

  @Test func whatAnOwnersEndDoesMayUseTheSource() {
    let emitter = Emitter<Int>()
    let log = Journal<Int>()
    var owner: Owner? = Owner(atRelease: { [weak emitter] in
      emitter?.send(7)
      log.append(emitter?.subscriberCount ?? -1)
    })
    if let owner { emitter.signal.subscribe(with: owner) { _, value in log.append(value) } }
    owner = nil
    // The sweep of another test may hold the owner for a moment, and then releases it on its own thread.
    let limit = ContinuousClock.now + .seconds(60)
    while log.entries.isEmpty, ContinuousClock.now < limit { sched_yield() }
    #expect(log.entries == [0])
    #expect(emitter.subscriberCount == 0)
  }

  @Test func anOwnerMayEndInsideItsOwnHandler() {
    let emitter = Emitter<Int>()
    let log = Journal<Int>()
    let kept = Box<Owner?>(Owner())
    if let owner = kept.value {
      emitter.signal.subscribe(with: owner) { _, value in
        log.append(value)
        kept.value = nil
        emitter.send(value + 1)
        log.append(emitter.subscriberCount)
      }
    }
    emitter.send(1)
    // While the handler ran, the call itself kept the owner.
    #expect(log.entries == [1, 1])
    #expect(emitter.subscriberCount == 0)
  }

  @Test func aSignalThatEndsAtOnceLeavesNothing() {
    let lives = LifeCount()
    let owner = Owner()
    let log = Journal<Int>()
    do {
      let token = lives.token()
      let subscription = Signal.just(1).subscribe(with: owner) { _, value in
        token.touch()
        log.append(value)
      }
      #expect(subscription.isDisposed)
    }
    #expect(log.entries == [1])
    #expect(lives.alive == 0)
    withExtendedLifetime(owner) {}
  }

  @Test func whatEndsMayCountAgainHoweverMuchEnds() {
    let numbers = Emitter<Int>()
    let depth = Box((now: 0, most: 0))
    var owners = (0..<100).map { _ in Owner() }
    for owner in owners {
      let other = Signal<Int> { producer in
        producer.onDisposal {
          depth.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
          _ = numbers.subscriberCount
          depth.withLock { $0.now -= 1 }
        }
      }
      numbers.signal.prefix(untilOutputFrom: other).subscribe(with: owner) { _, _ in }
    }
    #expect(numbers.subscriberCount == 100)
    owners = []
    #expect(numbers.subscriberCount == 0)
    // Otherwise a stack would be as deep as many owners have gone. Other threads may be at some of them meanwhile.
    #expect((1..<50).contains(depth.value.most))
  }

  @Test func ownersMayEndOnAnyThread() {
    let emitter = Emitter<Int>()
    let calls = Atomic<Int>(0)
    onThreads(4) { thread in
      for round in 0..<500 {
        let owner = Owner()
        emitter.signal.subscribe(with: owner) { _, _ in calls.add(1, ordering: .relaxed) }
        if thread == 0 { emitter.send(round) }
        if thread == 1 { _ = emitter.subscriberCount }
      }
    }
    #expect(emitter.subscriberCount == 0)
  }

  // MARK: Owners with a bag

  private final class Model: DisposeBagOwner {
    let disposeBag = DisposeBag()
  }

  @MainActor private final class Screen: DisposeBagOwner {
    let disposeBag = DisposeBag()
    var title = ""
  }

  /// Says whether the closures were freed, without asking for anything that sweeps.
  @Test func anOwnerWithABagFreesAtOnce() {
    let emitter = Emitter<Int>()
    let lives = LifeCount()
    var model: Model? = Model()
    if let model {
      let token = lives.token()
      emitter.signal.map { $0 }.share().subscribe(with: model) { _, _ in token.touch() }
    }
    #expect(lives.alive == 1)
    model = nil
    #expect(lives.alive == 0)
  }

  @Test func aBagThatTheOwnerStoresFreesAtOnce() {
    final class Model: Sendable { let bag = DisposeBag() }
    let emitter = Emitter<Int>()
    let lives = LifeCount()
    var model: Model? = Model()
    if let model {
      let token = lives.token()
      emitter.signal.subscribe(with: model, in: model.bag) { _, _ in token.touch() }
    }
    model = nil
    #expect(lives.alive == 0)
  }

  @Test func anOwnerWithABagIsCalledAsAnyOther() {
    let emitter = Emitter<Int>()
    let model = Model()
    let log = Journal<Int>()
    let subscription = emitter.signal.subscribe(with: model) { owner, value in
      #expect(owner === model)
      log.append(value)
    }
    emitter.send(1)
    #expect(model.disposeBag.count == 1)
    subscription.dispose()
    emitter.send(2)
    #expect(log.entries == [1])
    Signal.just(1).subscribe(with: model) { _, _ in }
    #expect(model.disposeBag.count == 0)
  }

  @Test @MainActor func aMainActorsObjectMayHaveABag() {
    let emitter = Emitter<String>()
    var screen: Screen? = Screen()
    let lives = LifeCount()
    if let screen {
      let token = lives.token()
      emitter.signal.subscribe(with: screen) { screen, title in
        token.touch()
        MainActor.assumeIsolated { screen.title = title }
      }
    }
    emitter.send("Search")
    #expect(screen?.title == "Search")
    screen = nil
    #expect(lives.alive == 0)
  }

  @Test func aBagOfAnOwnerIsClosedWithIt() {
    let emitter = Emitter<Int>()
    var owner: Owner? = Owner()
    guard let bag = owner.map({ DisposeBag(owner: $0) }) else { return }
    emitter.signal.subscribe { _ in }.store(in: bag)
    #expect(emitter.subscriberCount == 1)
    #expect(!bag.isDisposed)
    owner = nil
    #expect(emitter.subscriberCount == 0)
    #expect(bag.isDisposed)
  }

  /// A reader looks at the bags and their owners, and must not make them live longer.
  @Test func aBagOfAnOwnerIsClosedWithItAlsoWhileTheGraphIsRead() {
    let isOver = Atomic(false)
    let others = (0..<200).map { _ in Owner() }
    let bags = others.map { DisposeBag(owner: $0) }
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
      let recorder = GraphRecorder()
      while !isOver.load(ordering: .relaxed) { _ = recorder.snapshot() }
    }
    var lateCount = 0
    for _ in 0..<300 {
      let emitter = Emitter<Int>()
      var owner: Owner? = Owner()
      let bag = owner.map { DisposeBag(owner: $0) }
      if let bag { emitter.signal.subscribe { _ in }.store(in: bag) }
      owner = nil
      if emitter.subscriberCount > 0 { lateCount += 1 }
    }
    isOver.store(true, ordering: .relaxed)
    group.wait()
    #expect(lateCount == 0)
    withExtendedLifetime((others, bags)) {}
  }

  @Test func aBagOfAnOwnerThatIsReleasedDisposesEverything() {
    let emitter = Emitter<Int>()
    let owner = Owner()
    do { emitter.signal.subscribe { _ in }.store(in: DisposeBag(owner: owner)) }
    #expect(emitter.subscriberCount == 0)
    withExtendedLifetime(owner) {}
  }
}
