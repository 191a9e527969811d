public import DequeModule
import SignalLocks
import Synchronization

/// Lets a new subscriber catch up with an emitter that replays values.
///
/// The subscribing thread delivers the replayed values outside the gate, so that a slow handler delays no other
/// subscriber. Values sent during that time wait in `arrivals`, in the order of delivery. The subscribing thread
/// delivers those too; a subscriber that has caught up is like all others.
///
/// A sender that is faster than the handler would block the subscribing thread for ever. So after a bounded number of
/// events, this thread passes the rest to a thread that is inside the gate, or, for as long as the latest events took,
/// waits for one to enter. That thread delivers the rest before it leaves: from then on the handler slows the sender
/// down, like that of any other subscriber. Nothing is added to `arrivals` while that thread works, as only a thread
/// inside the gate adds to them.
///
/// Below an operator that subscribes from inside its own gate, such as `retry` (see `Junction.connectInside`), the other
/// thread can only enqueue the events there, and the subscribing thread still runs the handler.
///
/// Each subscriber's events are taken one at a time under the lock by one `Arrivals.Deliverer`, which changes under the
/// lock, between two events: this preserves laws 2 and 3.
extension EmitterCore {
  /// Delivers the replayed values to a new subscriber, then those delivered to the others in the meantime, until it has
  /// caught up or another thread takes over.
  final func welcome(_ observer: Observer<Value>, _ subscription: Subscription, _ memory: Deque<Value>) {
    for value in memory {
      if subscription.isDisposed { return }
      guard deliver(.value(value), to: observer, subscription) else { return }
    }
    guard var event = nextArrival(of: subscription) else { return }
    var limit = ArrivalLimit()
    while !subscription.isDisposed, deliver(event, to: observer, subscription) {
      if limit.count() {
        if passOn(subscription, within: limit.elapsed) { return }
        limit = ArrivalLimit()
      }
      guard let next = nextArrival(of: subscription) else { return }
      event = next
    }
  }

  /// Delivers an event outside the gate.
  ///
  /// - Returns: Whether the subscriber takes more.
  private func deliver(_ event: Event<Value>, to observer: Observer<Value>, _ subscription: Subscription) -> Bool {
    switch event {
    case .value(let value):
      do {
        try observer.receive(value)
        return true
      } catch {
        // Before the end: whoever gets it may subscribe again.
        if remove(subscription) { subscriberLeft() }
        subscription.end(observer, after: error)
      }
    case .finished:
      remove(subscription)
      subscription.end(observer, .finished)
    case .failed(let error):
      remove(subscription)
      subscription.end(observer, .failed(error))
    }
    return false
  }

  /// Takes the next event of a subscriber; nil once it has caught up, or has left.
  private func nextArrival(of subscription: Subscription) -> Event<Value>? {
    lock.withLock {
      subscription.position < 0 ? nil : takeArrivalLocked(of: .passUnretained(subscription))
    }
  }

  /// Takes the next event. Without one, the subscriber has caught up. Only while the subscriber is in the table.
  private func takeArrivalLocked(of subscription: Unmanaged<Subscription>) -> Event<Value>? {
    assertLocked()
    if let event = arrivals[subscription.toOpaque()]?.events.popFirst() {
      arrivalCount.subtract(1, ordering: .relaxed)
      return event
    }
    arrivals.removeValue(forKey: subscription.toOpaque())
    let position = subscription._withUnsafeGuaranteedRef { Int($0.position) }
    table.assertHolds(subscription.toOpaque(), at: position)
    table.slot(position).pointee.flags.bitwiseAnd(~SubscriberSlot<Value>.arriving, ordering: .releasing)
    return nil
  }

  /// Stores an event for a subscriber that still gets earlier ones. Inside the gate.
  final func addArrivalLocked(_ event: Event<Value>, for subscription: Unmanaged<Subscription>) {
    assertInside()
    assertLocked()
    let key = subscription.toOpaque()
    arrivals[key, default: Arrivals()].events.append(event)
    arrivals[key]?.sender = currentThread()
    arrivalCount.add(1, ordering: .relaxed)
    if arrivals[key]?.deliverer == .nextThread { passToThreadInsideLocked(key) }
    if arrivals[key]?.deliverer == .threadInside { hasMetWork = true }
  }

  /// Lets the thread inside the gate deliver the rest of a subscriber's events, if there is one.
  ///
  /// - Returns: Whether there is one.
  @discardableResult
  private func passToThreadInsideLocked(_ key: UnsafeMutableRawPointer) -> Bool {
    guard appendIfTakenLocked({ self.deliverPassedOn() }) else { return false }
    arrivals[key]?.deliverer = .threadInside
    return true
  }

  /// Passes the rest of a subscriber's events to another thread: to the one inside the gate, or to one that enters it within a time.
  ///
  /// The wait does not violate law 4, as it is bounded. It is done only if another thread has sent an event since this
  /// one's last check, and so probably sends again within the time that the handler needed.
  ///
  /// - Returns: Whether this thread is done with the subscriber.
  private func passOn(_ subscription: Subscription, within duration: Duration) -> Bool {
    let key = Unmanaged.passUnretained(subscription).toOpaque()
    let isDone: Bool? = lock.withLock {
      guard subscription.position >= 0 else { return true }
      guard let sender = arrivals[key]?.sender, sender != 0 else { return false }
      if passToThreadInsideLocked(key) { return true }
      arrivals[key]?.sender = 0
      // Events of this thread's own handler come from no other thread.
      if sender == currentThread() { return false }
      arrivals[key]?.deliverer = .nextThread
      return nil
    }
    if let isDone { return isDone }
    let end = ContinuousClock.now.advanced(by: duration)
    repeat {
      pauseThread()
      if lock.withLock({ !isWaitedFor(subscription, key) }) { return true }
    } while ContinuousClock.now < end
    return lock.withLock {
      guard isWaitedFor(subscription, key) else { return true }
      arrivals[key]?.deliverer = .subscribingThread
      return false
    }
  }

  /// Whether no thread has taken over a subscriber's events yet, and there is still a subscriber. Under the lock.
  private func isWaitedFor(_ subscription: Subscription, _ key: UnsafeMutableRawPointer) -> Bool {
    subscription.position >= 0 && arrivals[key]?.deliverer == .nextThread
  }

  /// Delivers the rest of the events of a subscriber that its own thread has passed on. Inside the gate.
  private func deliverArrivals(of key: UnsafeMutableRawPointer) {
    while let (event, position) = lock.withLock({ nextPassedOnLocked(key) }) {
      switch event {
      case .value(let value):
        table.beginWalk()
        defer { table.endWalk() }
        do { try table.slot(position).pointee.subscriber.receive(value) } catch {
          // Released after the lock: a release may run any code.
          let rest = lock.withLock { forgetArrivalsLocked(key, at: position) }
          stopped(position, error)
          withExtendedLifetime(rest) {}
        }
      case .finished: deliverArrivedEnd(.finished, to: position, key)
      case .failed(let error): deliverArrivedEnd(.failed(error), to: position, key)
      }
    }
  }

  private func deliverArrivedEnd(_ completion: Completion, to position: Int, _ key: UnsafeMutableRawPointer) {
    let ending = lock.withLock {
      // It was the last event, so only empty memory is released here.
      _ = forgetArrivalsLocked(key, at: position)
      return takeOutLocked(position)
    }
    ending?.end(completion)
    ending?.keeper?.release()
  }

  /// The next event for the thread inside the gate, and the subscriber's position, which does not change while that thread is inside.
  private func nextPassedOnLocked(_ key: UnsafeMutableRawPointer) -> (Event<Value>, position: Int)? {
    assertInside()
    // Safe: a subscription with arrivals is in the table; it removes both under the lock before it is freed. A later
    // one with the same address is not `.threadInside` before its own thread has made it so.
    guard arrivals[key]?.deliverer == .threadInside else { return nil }
    let subscription = Unmanaged<Subscription>.fromOpaque(key)
    let position = subscription._withUnsafeGuaranteedRef { Int($0.position) }
    return takeArrivalLocked(of: subscription).map { ($0, position) }
  }

  /// Delivers the events that subscribing threads have passed on to the thread inside. Inside the gate.
  final func deliverPassedOn() {
    assertInside()
    for key in lock.withLock({ arrivals.filter { $0.value.deliverer == .threadInside }.map(\.key) }) {
      deliverArrivals(of: key)
    }
  }

  /// Removes the events of a subscriber that leaves, to be released once no lock is held.
  @usableFromInline
  final func forgetArrivals(of key: UnsafeMutableRawPointer) -> Deque<Event<Value>>? {
    assertLocked()
    guard let arrived = arrivals.removeValue(forKey: key) else { return nil }
    arrivalCount.subtract(UInt64(arrived.events.count), ordering: .relaxed)
    return arrived.events
  }

  /// Removes the events of the subscriber in a slot, unless it has left in the meantime: then another one may have the
  /// same address.
  private func forgetArrivalsLocked(_ key: UnsafeMutableRawPointer, at position: Int) -> Deque<Event<Value>>? {
    guard let subscription = table.liveSubscription(position), subscription.toOpaque() == key else { return nil }
    return forgetArrivals(of: key)
  }
}
