import DequeModule
import SignalGraph
public import Synchronization

/// What an emitter and its signal share: the gate, the subscribers, the memory for newcomers.
///
/// A send on an emitter without memory takes the gate, walks the table and leaves: two atomic operations and one indirect call for
/// each subscriber. With memory (`replay` above zero, or a property), every send goes through the lock, because memory and order of
/// delivery have to agree.
@usableFromInline
class EmitterCore<Value: Sendable>: Gate, @unchecked Sendable {
  // Safe: `table` is walked only inside the gate and changed only under `lock`, as its description says; `sent` is written only inside
  // the gate; everything else is touched only under `lock`.
  @usableFromInline final private(set) var table = SubscriberTable<Value>()
  /// How many values were delivered. Written only inside the gate.
  @usableFromInline let sent = Atomic<UInt64>(0)
  /// How many events were accepted under the lock.
  private var acceptedCount: UInt64 = 0
  /// The number of the waiting event that is being delivered; the highest number while a new one is. Touched only under `lock`.
  private var deliveringNumber = UInt64.max
  private var memory: Deque<Value>
  private let memoryLimit: Int
  private var completion: Completion?
  private var sentBase: UInt64 = 0
  /// Events that wait for subscribers who are still being handed the memory.
  private var arrivals: [UnsafeMutableRawPointer: Deque<Event<Value>>] = [:]
  /// The emitter's place in the live graph, once the graph is on and somebody subscribed.
  private var node: GraphNode?
  @usableFromInline let site: Site
  @usableFromInline let recorder: GraphRecorder?

  @usableFromInline
  init(memory: [Value], limit: Int, site: Site) {
    self.memory = Deque(memory)
    self.memoryLimit = limit
    self.site = site
    self.recorder = Introspection.isOn ? GraphRecorder.current : nil
    super.init(guarded: limit > 0)
  }

  deinit {
    table.free()
    node?.disposed()
  }

  // MARK: Sending

  /// Sends a value: delivers it before returning, or leaves it to whoever is delivering.
  @inlinable
  final func send(_ value: Value) {
    if enter() {
      deliver(value)
      leave()
    } else {
      sendUnderLock(value)
    }
  }

  @usableFromInline
  final func sendUnderLock(_ value: Value) {
    _ = accept(value, ifNumber: nil)
  }

  /// Accepts a value, if the emitter has not ended and, where a number is given, nothing was accepted since that number.
  ///
  /// - Returns: Whether nothing was accepted since.
  final func accept(_ value: Value, ifNumber expected: UInt64?) -> Bool {
    var garbage = Garbage()
    var isCurrent = true
    let accepted: Value? = lock.withLock { _ in
      guard completion == nil else { return nil }
      if let expected, expected != acceptedCount {
        isCurrent = false
        return nil
      }
      acceptedCount += 1
      let number = acceptedCount
      if memoryLimit > 0 {
        if memory.count == memoryLimit { garbage.add(memory.removeFirst()) }
        memory.append(value)
      }
      if enterLocked() { return value }
      appendLocked { self.deliver(value, number: number) }
      return nil
    }
    if let accepted {
      deliver(accepted)
      leave()
    }
    garbage.removeAll()
    return isCurrent
  }

  private func deliver(_ value: Value, number: UInt64) {
    lock.withLock { _ in deliveringNumber = number }
    deliver(value)
    lock.withLock { _ in deliveringNumber = .max }
  }

  /// Hands a value to every subscriber that was there when this began. Inside the gate.
  @inlinable
  final func deliver(_ value: Value) {
    sent.store(sent.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    let end = table.end.load(ordering: .acquiring)
    var position = 0
    while position < end {
      let slot = table.slot(position)
      if slot.pointee.flags.load(ordering: .relaxed) == 0 || isReady(position, for: value) {
        do {
          try slot.pointee.receive(value)
        } catch {
          stopped(position, error)
        }
      }
      position &+= 1
    }
  }

  /// Decides about a slot with a flag: whether it gets the value now. Inside the gate.
  @usableFromInline
  final func isReady(_ position: Int, for value: Value) -> Bool {
    lock.withLock { _ in
      let slot = table.slot(position)
      let flags = slot.pointee.flags.load(ordering: .relaxed)
      if flags & SubscriberSlot<Value>.dead != 0 { return false }
      if flags & SubscriberSlot<Value>.late != 0 {
        if deliveringNumber <= slot.pointee.joinedAfter { return false }
        slot.pointee.flags.bitwiseAnd(~SubscriberSlot<Value>.late, ordering: .relaxed)
      }
      if flags & SubscriberSlot<Value>.arriving != 0 {
        arrivals[slot.pointee.subscription.toOpaque(), default: []].append(.value(value))
        return false
      }
      return true
    }
  }

  /// Takes out a subscriber whose chain threw. Inside the gate.
  @usableFromInline
  final func stopped(_ position: Int, _ error: any Error) {
    if !(error is StopDelivery) {
      // Disposed meanwhile: the error belongs to nobody any more.
      let observer: Observer<Value>? = lock.withLock { _ in
        table.liveSubscription(position) == nil ? nil : table.slot(position).pointee.observer
      }
      observer?.end(.failed(error))
    }
    var hasLeft = false
    let keeper: Unmanaged<Subscription>? = lock.withLock { _ in
      guard let subscription = table.liveSubscription(position) else { return nil }
      hasLeft = true
      markDeadLocked(position)
      return subscription._withUnsafeGuaranteedRef { subscription in
        subscription.position = -1
        return subscription.completed()
      }
    }
    if hasLeft { subscriberLeft() }
    keeper?.release()
  }

  private func markDeadLocked(_ position: Int) {
    table.markDead(position)
    state.bitwiseOr(Self.pending, ordering: .relaxed)
  }

  // MARK: Ending

  /// Ends the emitter; nothing that is sent later is accepted.
  @usableFromInline
  final func complete(_ completion: Completion) {
    let entered: Bool = lock.withLock { _ in
      guard self.completion == nil else { return false }
      self.completion = completion
      acceptedCount += 1
      state.bitwiseOr(Self.ended, ordering: .relaxed)
      if enterLocked() { return true }
      appendLocked { self.deliverEnd(completion) }
      return false
    }
    guard entered else { return }
    deliverEnd(completion)
    leave()
  }

  private func deliverEnd(_ completion: Completion) {
    lock.withLock { _ in node }?.ended(completion)
    let end = table.end.load(ordering: .acquiring)
    for position in 0..<end {
      var keeper: Unmanaged<Subscription>?
      let observer: Observer<Value>? = lock.withLock { _ in
        guard let subscription = table.liveSubscription(position) else { return nil }
        let slot = table.slot(position)
        if slot.pointee.flags.load(ordering: .relaxed) & SubscriberSlot<Value>.arriving != 0 {
          arrivals[subscription.toOpaque(), default: []].append(Event(completion))
          return nil
        }
        let observer = slot.pointee.observer
        markDeadLocked(position)
        keeper = subscription._withUnsafeGuaranteedRef { subscription in
          subscription.position = -1
          return subscription.completed()
        }
        return observer
      }
      observer?.end(completion)
      keeper?.release()
    }
  }

  // MARK: Subscribing

  /// Adds a subscriber; hands it the memory first, and the end if the emitter has ended.
  @usableFromInline
  final func add(_ observer: Observer<Value>, _ subscription: Subscription, skippingMemory: Bool = false) {
    subscription.link(to: self)
    if let trace = observer.trace { record(trace) }
    var memory = Deque<Value>()
    let (isMember, completion): (Bool, Completion?) = lock.withLock { _ in
      if memoryLimit > 0, !skippingMemory { memory = self.memory }
      // Disposed before it was added: `leave` has been here already and found nothing.
      if subscription.isDisposed { return (false, nil) }
      if let completion = self.completion { return (false, completion) }
      if table.isFull {
        if !changeLocked({ table.grow(whileWalked: false) }) { table.grow(whileWalked: true) }
      }
      var flags: UInt8 = 0
      if !memory.isEmpty { flags |= SubscriberSlot<Value>.arriving }
      if pendingCount > 0 { flags |= SubscriberSlot<Value>.late }
      table.append(observer, subscription, joinedAfter: acceptedCount, flags: flags)
      return (true, nil)
    }
    if isMember {
      if !memory.isEmpty { welcome(observer, subscription, memory) }
    } else if let completion {
      for value in memory {
        if subscription.isDisposed { return }
        do { try observer.deliver(value) } catch { break }
      }
      end(observer, subscription, completion)
    }
  }

  /// Ends a subscriber that is not in the table.
  private func end(_ observer: Observer<Value>, _ subscription: Subscription, _ completion: Completion) {
    guard !subscription.isDisposed else { return }
    let keeper = subscription.completed()
    observer.end(completion)
    keeper?.release()
  }

  /// Hands the memory to a newcomer, then what was delivered to the others meanwhile, until it has caught up.
  private func welcome(_ observer: Observer<Value>, _ subscription: Subscription, _ memory: Deque<Value>) {
    let identifier = Unmanaged.passUnretained(subscription).toOpaque()
    var waiting = Deque(memory.map(Event.value))
    while true {
      while let event = waiting.popFirst() {
        if subscription.isDisposed { return }
        switch event {
        case .value(let value):
          do { try observer.receive(value) } catch {
            return withdraw(subscription) { if !(error is StopDelivery) { observer.end(.failed(error)) } }
          }
        case .finished: return withdraw(subscription) { observer.end(.finished) }
        case .failed(let error): return withdraw(subscription) { observer.end(.failed(error)) }
        }
      }
      let hasCaughtUp: Bool = lock.withLock { _ in
        waiting = arrivals.removeValue(forKey: identifier) ?? []
        guard waiting.isEmpty, subscription.position >= 0 else { return subscription.position < 0 }
        table.slot(subscription.position).pointee.flags
          .bitwiseAnd(~SubscriberSlot<Value>.arriving, ordering: .relaxed)
        return true
      }
      if hasCaughtUp { return }
    }
  }

  /// Takes a newcomer out that ended while it was being welcomed.
  private func withdraw(_ subscription: Subscription, _ last: () -> Void) {
    let hasLeft = remove(subscription)
    let keeper = subscription.completed()
    last()
    if hasLeft { subscriberLeft() }
    keeper?.release()
  }

  // MARK: Leaving

  override func leave(_ subscription: Subscription) {
    remove(subscription)
    subscriberLeft()
  }

  /// Called without a lock when a subscriber has left: disposed, or because its chain threw. Not called at the emitter's end.
  func subscriberLeft() {}

  /// - Returns: Whether it was there.
  @discardableResult
  private func remove(_ subscription: Subscription) -> Bool {
    var freed: Observer<Value>?
    var arrived: Deque<Event<Value>>?
    let wasThere: Bool = lock.withLock { _ in
      arrived = arrivals.removeValue(forKey: Unmanaged.passUnretained(subscription).toOpaque())
      let position = subscription.position
      guard position >= 0 else { return false }
      subscription.position = -1
      if !changeLocked({ freed = table.remove(position) }) { table.markDead(position) }
      return true
    }
    withExtendedLifetime((freed, arrived)) {}
    return wasThere
  }

  override func cleanUpLocked(_ garbage: inout Garbage) {
    if table.hasDead { table.removeDead(into: &garbage) }
  }

  // MARK: Reading

  final var subscriberCount: Int { lock.withLock { _ in table.liveCount } }

  final var sentCount: UInt64 { lock.withLock { _ in sent.load(ordering: .relaxed) &- sentBase } }

  final func resetSentCount() {
    lock.withLock { _ in sentBase = sent.load(ordering: .relaxed) }
  }

  @usableFromInline
  final var newest: Value? { lock.withLock { _ in memory.last } }

  /// The newest value in memory, and the number to hand to ``accept(_:ifNumber:)``.
  final var newestWithNumber: (value: Value?, number: UInt64) { lock.withLock { _ in (memory.last, acceptedCount) } }

  /// Ends all subscriptions that are there now, without an event.
  final func disposeAll() {
    var keepers: [Unmanaged<Subscription>] = []
    lock.withLock { _ in
      for position in 0..<table.end.load(ordering: .relaxed) {
        guard let subscription = table.liveSubscription(position) else { continue }
        table.markDead(position)
        arrivals.removeValue(forKey: subscription.toOpaque())
        subscription._withUnsafeGuaranteedRef { subscription in
          subscription.position = -1
          if let keeper = subscription.disposedByOrigin() { keepers.append(keeper) }
        }
      }
    }
    if enter() || lock.withLock({ _ in enterLocked() }) { leaveAfterPendingWork() }
    for keeper in keepers { keeper.release() }
  }

  // MARK: The graph

  /// The place of a shared signal's own subscription in the graph.
  var trace: TraceContext? { lock.withLock { _ in node.map { TraceContext(node: $0) } } }

  /// Notes that a subscriber came, when the graph is on.
  private func record(_ trace: TraceContext) {
    let node = lock.withLock { _ in
      if let node = self.node { return node }
      let node = (recorder ?? trace.recorder).makeNode(site, name: trace.name, downstream: nil, kind: .data)
      node.countSource = { [weak self] in self?.sent.load(ordering: .relaxed) }
      self.node = node
      return node
    }
    trace.node.addInput(node, trace.kind)
  }
}
