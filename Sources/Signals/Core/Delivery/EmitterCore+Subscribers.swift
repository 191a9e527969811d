public import DequeModule
import Synchronization

/// Adds and removes subscribers.
extension EmitterCore {
  /// Adds a subscriber; delivers the replayed values first, and the end if the emitter has ended.
  ///
  /// - Returns: Whether it was added: not if the emitter has ended, or if the subscription was already disposed.
  @inlinable
  @discardableResult
  final func add(
    _ observer: consuming Observer<Value>, _ subscription: Subscription, skippingMemory: Bool = false
  ) -> Bool {
    subscription.link(to: self)
    if subscription.recording.isOn { noteSubscriber(subscription.recording) }
    if memoryLimit > 0 && !skippingMemory { return addWithMemory(observer, subscription) }
    return add(Subscriber(observer), subscription)
  }

  /// Adds fused operators, like ``add(_:_:skippingMemory:)``.
  @inlinable
  final func add(_ input: consuming StageInput, _ subscription: Subscription) {
    if memoryLimit > 0 {
      add(input.observer(of: Value.self), subscription)
      return
    }
    subscription.link(to: self)
    if subscription.recording.isOn { noteSubscriber(subscription.recording) }
    add(Subscriber(input), subscription)
  }

  @inlinable
  @discardableResult
  final func add(_ subscriber: consuming Subscriber<Value>, _ subscription: Subscription) -> Bool {
    var isAdded = false
    var unadded = Optional(subscriber)
    let completion: Completion? = lock.withLock {
      if let completion = self.completion { return completion }
      if !subscription.isDisposed, let subscriber = unadded.take() {
        addLocked(subscriber, subscription, flags: 0)
        isAdded = true
      }
      return nil
    }
    if let completion, let subscriber = unadded.take() { subscription.end(subscriber.end, completion) }
    // The closures of a subscription that was already disposed are released after the lock: a release may run any code.
    withExtendedLifetime(unadded) {}
    return isAdded
  }

  /// Adds a subscriber, which the caller has found not disposed: else ``forget(_:)`` would have found nothing to
  /// remove.
  @inlinable
  final func addLocked(_ subscriber: consuming Subscriber<Value>, _ subscription: Subscription, flags: UInt8) {
    assertLocked()
    if table.isFull { growLocked() }
    // While values wait, or waiting ones are being delivered, a new subscriber gets only those accepted from now on.
    table.append(
      subscriber, subscription, flags: willDeliverWaiting ? flags | SubscriberSlot<Value>.late : flags,
      acceptedBefore: acceptedCount)
  }

  @usableFromInline
  final func growLocked() {
    if !changeLocked({ table.grow(whileWalked: false) }) { table.grow(whileWalked: true) }
  }

  @usableFromInline
  final func addWithMemory(_ observer: Observer<Value>, _ subscription: Subscription) -> Bool {
    var isAdded = false
    var memory = Deque<Value>()
    let now = isAging ? moment() : nil
    let completion: Completion? = lock.withLock {
      memory = older
      if let newest { memory.append(newest) }
      if let now { memory = freshLocked(memory, at: now) }
      if let completion = self.completion { return completion }
      if !subscription.isDisposed {
        addLocked(Subscriber(observer), subscription, flags: memory.isEmpty ? 0 : SubscriberSlot<Value>.arriving)
        isAdded = true
      }
      return nil
    }
    guard let completion else {
      if isAdded, !memory.isEmpty { welcome(observer, subscription, memory) }
      return isAdded
    }
    for value in memory {
      if subscription.isDisposed { return false }
      do { try observer.receive(value) } catch {
        subscription.end(observer, after: error)
        return false
      }
    }
    subscription.end(observer, completion)
    return false
  }

  /// - Returns: Whether it was in the table.
  @inlinable
  @discardableResult
  final func remove(_ subscription: Subscription) -> Bool {
    var freed: Subscriber<Value>?
    // Its waiting events are released after the lock: a release may run any code.
    var arrived: Deque<Event<Value>>?
    let wasThere: Bool = lock.withLock {
      let position = Int(subscription.position)
      guard position >= 0 else { return false }
      let key = Unmanaged.passUnretained(subscription).toOpaque()
      table.assertHolds(key, at: position)
      subscription.position = -1
      if memoryLimit > 0 { arrived = forgetArrivals(of: key) }
      if !changeLocked({ freed = table.remove(position) }) { table.markDead(position) }
      return true
    }
    withExtendedLifetime(freed) {}
    withExtendedLifetime(arrived) {}
    return wasThere
  }
}
