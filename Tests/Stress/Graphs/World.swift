import Foundation
import OperatorCatalogue
import SignalGraph
import SignalTesting
import Signals
import Synchronization

/// A plan that has come to life.
final class World: Sendable {
  static let bagCount = 2
  private static let queue = MarkedQueue(number: 100)

  let plan: Plan
  let judge: Judge
  let life = Life()
  let lanes = Lanes()
  let other = Emitter<Int>(replay: 1)
  let virtualTime = VirtualTimeScheduler()
  let subscriptionCount = Atomic<Int>(0)
  /// Events that subscribers saw who came and went.
  let extraEvents = Atomic<Int>(0)
  /// Whether nobody may subscribe any more.
  private let isClosed = Atomic<Bool>(false)
  private let subscribingCount = Atomic<Int>(0)
  private let built = Guarded(Built())
  private let bags = (0..<bagCount).map { _ in DisposeBag() }
  /// How often each bag was emptied.
  private let emptyings = (0..<bagCount).map { _ in Guarded((begun: 0, ended: 0, threads: [UInt]())) }
  private let bagMembers = (0..<bagCount).map { _ in Guarded<[Int]>([]) }

  /// What refers back to this, until ``tearDown()``.
  struct Built: Sendable {
    var hots: [Hot] = []
    var hubs: [Signal<Int>] = []
    var receivers: [Receiver] = []
    var auditors: [Receiver] = []
    var journals: [Int: ColdJournal] = [:]
    var owners: [Int: any AnyObject & Sendable] = [:]
    /// Bags that end with an owner and outlive it.
    var boundBags: [DisposeBag] = []
  }

  init(_ plan: Plan, _ judge: Judge) {
    self.plan = plan
    self.judge = judge
  }

  var hots: [Hot] { built.withLock { $0.hots } }
  var receivers: [Receiver] { built.withLock { $0.receivers } }
  var auditors: [Receiver] { built.withLock { $0.auditors } }
  var scheduler: any Scheduler { plan.usesQueue ? Self.queue.scheduler : virtualTime }

  func journal(of receiver: Int) -> ColdJournal? { built.withLock { $0.journals[receiver] } }

  /// Makes the sources, and a subscriber beside the plan on each.
  func begin() {
    other.send(Stamp.unmarked)
    let hots = plan.hots.map { hot in
      Hot(hot) { [weak self] in
        if case .objects(_, let step) = hot { self?.performOnce(step) }
      }
    }
    built.withLock { $0.hots = hots }
    let hubs = plan.hubs.map { hub in
      chain(hub.chain, receiver: nil, visit: visit(throwAt: hub.chain.throwAt, nil)).share(replay: hub.replay)
    }
    let receivers = plan.receivers.enumerated().map { index, part in receiver(index, part.value) }
    built.withLock {
      $0.hubs = hubs
      $0.receivers = receivers
    }
    let source = Promise(ChainPlan(base: .hot(0)), in: plan)
    let auditors = hots.indices.map { index in
      Receiver("the auditor of hot\(index)", source, keepsLog: true, queue: nil, judge) { _ in }
    }
    for (auditor, hot) in zip(auditors, hots) {
      auditor.subscribed(hot.signal.subscribeToEvents { auditor.take($0) }, sentBefore: [])
    }
    built.withLock { $0.auditors = auditors }
  }

  /// Lets nobody subscribe any more. Who is about to do it may still be at it; see ``isSubscribing``.
  func close() { isClosed.store(true, ordering: .sequentiallyConsistent) }

  /// Whether somebody is subscribing, on a queue for instance.
  var isSubscribing: Bool { subscribingCount.load(ordering: .sequentiallyConsistent) > 0 }

  /// Lets go of everything.
  func tearDown() {
    for receiver in receivers + auditors { receiver.drop() }
    for bag in bags { bag.disposeAll() }
    built.value = Built()
  }

  // MARK: Chains

  private func receiver(_ index: Int, _ plan: ReceiverPlan) -> Receiver {
    let promise = Promise(plan.chain, in: self.plan)
    let sender = Sender(self)
    let reactions = plan.reactions.map(\.value)
    return Receiver(
      "receiver\(index)", promise, keepsLog: promise.isExact && !promise.mayMixSenders,
      queue: promise.isOnQueue ? Self.queue : nil, judge
    ) { [weak self] call in
      for reaction in reactions where reaction.at == call { self?.perform(reaction.step, sender) }
    }
  }

  /// What closures of a chain's operators do.
  private func visit(throwAt: Numbered<Int>?, _ reaction: Reaction?) -> @Sendable (Int) throws -> Void {
    let token = life.token()
    let calls = Counter()
    return { [weak self] _ in
      token.touch()
      guard throwAt != nil || reaction != nil else { return }
      let call = calls.next()
      if let reaction, reaction.at == call, let self { self.performOnce(reaction.step) }
      if throwAt?.value == call { throw PlannedFailure() }
    }
  }

  private func chain(
    _ chain: ChainPlan, receiver: Int?, visit: @escaping @Sendable (Int) throws -> Void
  ) -> Signal<Int> {
    var signal: Signal<Int>
    switch chain.base {
    case .hot(let hot): signal = hots[hot].signal
    case .hub(let hub): signal = built.withLock { $0.hubs[hub] }
    case .cold(let cold):
      let journal = ColdJournal(lanes)
      if let receiver { built.withLock { $0.journals[receiver] = journal } }
      signal = cold.signal(journal)
    }
    let inputs = OperatorInputs(
      scheduler: scheduler, rest: plan.usesQueue ? .microseconds(30) : .milliseconds(5), other: other.signal,
      visiting: visit)
    for number in chain.rows {
      let row = Rows.all[number.value]
      signal = row.contract.build(signal, inputs)
      if case .summed = row.passage { signal = signal.scan((0, 0)) { ($1, $1 - $0.0) }.map { $0.1 } }
    }
    // There is a closure of the user's in every chain.
    return chain.rows.isEmpty && chain.throwAt == nil
      ? signal
      : signal.map { value in
        try visit(value)
        return value
      }
  }

  // MARK: Steps

  func subscribe(_ index: Int) {
    // In this order: whoever closes the world sees who did not see that it is closed.
    subscribingCount.add(1, ordering: .sequentiallyConsistent)
    defer { subscribingCount.subtract(1, ordering: .releasing) }
    guard !isClosed.load(ordering: .sequentiallyConsistent), let receiver = receivers[safe: index], receiver.claim()
    else { return }
    subscriptionCount.add(1, ordering: .relaxed)
    let plan = plan.receivers[index].value
    let atRelease = plan.atRelease.map { step in AtRelease { [weak self] in self?.performOnce(step.value) } }
    let signal = chain(plan.chain, receiver: index, visit: visit(throwAt: plan.chain.throwAt, plan.visit?.value))
    let token = life.token()
    if let owner = plan.owner {
      subscribe(receiver, index, to: signal, endingWith: owner) { token.touch() }
      return
    }
    let subscription = signal.subscribeToEvents { event in
      token.touch()
      atRelease?.touch()
      receiver.take(event)
    }
    if let bag = plan.bag {
      let emptied = emptyings[bag].withLock { $0.ended }
      bags[bag] += subscription
      bagMembers[bag].withLock { $0.append(index) }
      // Who empties the bag at this moment may have taken the subscription without finding it among the members.
      if emptyings[bag].withLock({ $0.begun }) != emptied { receiver.willBeDisposed() }
    }
    receiver.subscribed(subscription, sentBefore: sent(plan.chain))
  }

  private func subscribe(
    _ receiver: Receiver, _ index: Int, to signal: Signal<Int>, endingWith plan: OwnerPlan,
    _ touch: @escaping @Sendable () -> Void
  ) {
    let sent = sent(self.plan.receivers[index].value.chain)
    let take: @Sendable (Int) -> Void = { [weak receiver] value in
      touch()
      receiver?.take(value)
    }
    let end = OwnerEnd(of: receiver)
    func keep<Owner: AnyObject & Sendable>(_ owner: Owner) -> Owner {
      built.withLock { $0.owners[index] = owner }
      return owner
    }
    switch plan {
    case .object:
      receiver.subscribed(signal.subscribe(with: keep(PlainOwner(end))) { take($1) }, sentBefore: sent)
    case .bagOwner:
      receiver.subscribed(signal.subscribe(with: keep(BagOwner(end))) { take($1) }, sentBefore: sent)
    case .boundBag:
      let owner = keep(PlainOwner(end))
      let bag = DisposeBag(owner: owner)
      built.withLock { $0.boundBags.append(bag) }
      receiver.subscribed(signal.subscribe(with: owner, in: bag) { take($1) }, sentBefore: sent)
    case .actor:
      receiver.subscribed(signal.subscribe(onActor: keep(ActorOwner(end))) { take($1) }, sentBefore: sent)
    case .onMain:
      let owner = keep(PlainOwner(end))
      subscribingCount.add(1, ordering: .sequentiallyConsistent)
      DispatchQueue.main.async { [self] in
        MainActor.assumeIsolated {
          receiver.subscribed(signal.subscribe(onMainWith: owner) { take($1) }, sentBefore: sent)
        }
        subscribingCount.subtract(1, ordering: .releasing)
      }
    }
  }

  private func sent(_ chain: ChainPlan) -> [Lane] {
    if case .hot(let hot) = chain.base { hots[safe: hot]?.allLanes ?? [] } else { [] }
  }

  /// Does something with lanes of its own.
  func performOnce(_ step: Step) {
    guard !lanes.isFull else { return }
    perform(step, Sender(self))
  }

  func perform(_ step: Step, _ sender: Sender) {
    switch step {
    case .send(let hot, let count): for _ in 0..<count { sender.send(hot) }
    case .sendOther: other.send(Stamp.unmarked)
    case .finish(let hot): hots[safe: hot]?.finish(early: true)
    case .fail(let hot): hots[safe: hot]?.finish(failing: true, early: true)
    case .silence(let hot): silence(hot)
    case .subscribe(let receiver): subscribe(receiver)
    case .dispose(let receiver): receivers[safe: receiver]?.dispose()
    case .drop(let receiver): receivers[safe: receiver]?.drop()
    case .emptyBag(let bag): emptyBag(bag)
    case .releaseOwner(let receiver):
      // Released outside the lock.
      let owner = built.withLock { $0.owners.removeValue(forKey: receiver) }
      withExtendedLifetime(owner) {}
    case .churn(let hot, let count): churn(hot, count)
    case .advance: try? virtualTime.advance(by: .milliseconds(7))
    case .snapshot: _ = Introspection.recorder?.snapshot().nodes.count
    }
  }

  private func emptyBag(_ bag: Int) {
    let thread = Receiver.currentThread
    let isInsideAnother = emptyings[bag].withLock { emptying in
      emptying.begun += 1
      defer { emptying.threads.append(thread) }
      return emptying.threads.contains(thread)
    }
    defer {
      emptyings[bag].withLock { emptying in
        emptying.ended += 1
        if let index = emptying.threads.lastIndex(of: thread) { emptying.threads.remove(at: index) }
      }
    }
    let members = bagMembers[bag].elements()
    for member in members { receivers[safe: member]?.willBeDisposed() }
    bags[bag].disposeAll()
    // A call inside a call of the same thread leaves the rest to that one.
    if isInsideAnother { return }
    for member in members { receivers[safe: member]?.noteDisposal() }
  }

  private func silence(_ index: Int) {
    guard let hot = hots[safe: index] else { return }
    // Also those that are about to subscribe.
    for (receiver, part) in zip(receivers, plan.receivers) where comes(from: index, part.value.chain) {
      receiver.willBeDisposed()
    }
    hot.disposeAllSubscriptions()
  }

  private func comes(from index: Int, _ chain: ChainPlan) -> Bool {
    switch chain.base {
    case .hot(let hot): hot == index
    case .hub(let hub): comes(from: index, plan.hubs[hub].chain)
    case .cold: false
    }
  }

  private func churn(_ hot: Int, _ count: Int) {
    guard let hot = hots[safe: hot] else { return }
    for _ in 0..<count {
      let token = life.token()
      hot.signal.map { $0 }.subscribeToEvents { [weak self] _ in
        token.touch()
        self?.extraEvents.add(1, ordering: .relaxed)
      }.dispose()
    }
    subscriptionCount.add(count, ordering: .relaxed)
  }
}

/// Somebody who sends one value after the other, through any source.
final class Sender: Sendable {
  private weak let world: World?
  private let lanes = Guarded<[Int: Lane]>([:])

  init(_ world: World) { self.world = world }

  func send(_ index: Int) {
    guard let world, let hot = world.hots[safe: index] else { return }
    let lane = lanes.withLock { lanes in
      if let lane = lanes[index] { return lane }
      let lane = world.lanes.open()
      hot.add(lane)
      lanes[index] = lane
      return lane
    }
    hot.send(lane)
  }
}

/// Counts calls.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}

extension Array {
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
