public import Synchronization

/// Delivers the values of an operator with several inputs, timers or its own queue.
///
/// All its work runs inside its gate: one work item at a time, in one order, without a lock. It is the origin of the
/// subscription below and owns the subscriptions above and the scheduled work; when it ends, or when the subscription
/// below leaves, all of those are disposed and the closures below are freed.
///
/// An operator with much state of its own inherits from it, so that a subscription takes one object fewer.
// Safe: `below` is used only inside the gate, or while `changeLocked` keeps all threads out; `subscription`, `owned`
// and `connecting` are touched only under `lock`; `nesting` only inside the gate.
@usableFromInline
class Junction<Output: Sendable>: Gate, @unchecked Sendable {
  // Safe: no access overlaps another, as inside the gate there is one thread, which reads it while calling down and
  // replaces it only between calls.
  /// Nil once it is freed: then this is closed, too.
  @exclusivity(unchecked) @usableFromInline final var below: KeptObserver<Output>?
  @usableFromInline final let isClosed = Atomic<Bool>(false)
  /// The operator's node in the live graph.
  @usableFromInline final let node: OperatorNode
  /// The location and identity of the subscriber below, which the inputs inherit.
  @usableFromInline final let site: SubscriptionSite
  @usableFromInline final let tag: SubscriberTag?
  private final var subscription: Unmanaged<Subscription>?
  // Safe: no access overlaps another, as it is touched only under `lock`, in short stretches that call nothing else.
  @exclusivity(unchecked) private final var owned = OwnedDisposables()
  @usableFromInline final let lastKey = Atomic<Int>(0)
  /// The innermost input that the thread inside is connecting, 0 if there is none, and that thread: events that the
  /// input delivers on it in the meantime are inside already.
  @usableFromInline final let connectingKey = Atomic<Int>(0)
  @usableFromInline final let connectingThread = Atomic<UInt>(0)
  /// Whether it has one input, or several of which each is connected after the end of the one before.
  @usableFromInline final let hasOneInput: Bool
  /// Whether work was enqueued for an input that is or was being connected. It may be true while there is none, since
  /// work is removed without clearing it, but never false while there is: it is set under `lock` together with the
  /// work, and cleared under `lock` only when there is none.
  @usableFromInline final let hasEnqueuedWork = Atomic<Bool>(false)
  /// The number of other inputs that it is connecting, each of which led to the next. Touched only inside the gate.
  @exclusivity(unchecked) @usableFromInline final var nesting = 0
  /// Those inputs, and the enqueued work.
  @exclusivity(unchecked) private final var connecting = ConnectingInputs()

  /// - Parameters:
  ///   - hasOneInput: Whether it ends without an event when its current input does.
  ///   - node: The operator's node, if it is not the one that was added last to the subscription's chain.
  @usableFromInline
  init(
    _ observer: Observer<Output>, _ subscription: Subscription, hasOneInput: Bool = false, node: OperatorNode? = nil
  ) {
    self.hasOneInput = hasOneInput
    below = KeptObserver(observer)
    self.node = node ?? OperatorNode(newestOf: subscription.recording)
    site = subscription.site
    tag = subscription.tag
    self.subscription = .passUnretained(subscription)
    super.init()
    subscription.link(to: self)
  }

  // MARK: Inside the gate

  /// Delivers a value, unless this is closed. Inside the gate.
  @inlinable
  final func emit(_ value: Output) throws {
    assertInside()
    if isClosed.load(ordering: .relaxed) { throw StopDelivery() }
    try handDown(value)
  }

  /// Delivers a value without checking ``isClosed``: the caller has done so. Throws once the closures below are freed.
  @inlinable
  @inline(__always)
  final func handDown(_ value: Output) throws {
    switch below {
    case .some(let below): try below.receive(value)
    case .none: throw StopDelivery()
    }
  }

  /// Ends the downstream, after disposing the upstream. Inside the gate.
  @usableFromInline
  final func end(_ completion: Completion) {
    assertInside()
    guard let end = endBelow, let keeper = close() else { return }
    end(completion)
    keeper.subscription?.release()
  }

  /// Takes the end below, unless this is closed and freed.
  private final var endBelow: (@Sendable (Completion) -> Void)? {
    switch below {
    case .some(let below): below.observer.end
    case .none: nil
    }
  }

  /// Runs a part of the operator; an error that it throws ends the operator. Inside the gate.
  @inlinable
  final func attempt(_ work: () throws -> Void) {
    assertInside()
    do {
      try work()
    } catch {
      stop(error)
    }
  }

  @usableFromInline
  final func stop(_ error: any Error) {
    assertInside()
    guard let end = endBelow, let keeper = close() else { return }
    endChain(end, after: error)
    keeper.subscription?.release()
  }

  /// Why nothing can be delivered any more.
  private enum Silence {
    case actorGone
    case inputSilenced
  }

  /// Ends the downstream without an event, after disposing the upstream, as an actor is deallocated. On any thread.
  @usableFromInline
  final func abandon() { end(silently: .actorGone) }

  /// Ends the downstream without an event, unless another input has followed. On any thread.
  override final func inputWasSilenced(_ key: Int) {
    guard owns(key) else { return }
    // The fallback of a `timeout` may have followed before the source was connected.
    if inputs.count > 1 { drop(key) } else { end(silently: .inputSilenced) }
  }

  private final func end(silently reason: Silence) {
    guard let keeper = close(silently: reason) else { return }
    keeper.subscription?.release()
    if let below = keeper.operatorBelow { below.origin.inputWasSilenced(below.key) }
    tag?.inputHasLeft()
  }

  private struct Keeper {
    var subscription: Unmanaged<Subscription>?
    /// The operator whose input ends without an event.
    var operatorBelow: Subscription.OperatorBelow?
  }

  /// Closes, once: disposes the upstream, and notifies the subscription below.
  ///
  /// - Parameter reason: Why the downstream gets no end, if it gets none.
  private final func close(silently reason: Silence? = nil) -> Keeper? {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
    var keeper = Keeper()
    let owned = lock.withLock {
      if let subscription {
        subscription._withUnsafeGuaranteedRef {
          if reason != nil { keeper.operatorBelow = $0.operatorBelow }
          keeper.subscription =
            switch reason {
            case .actorGone: $0.abandonedByOrigin()
            case .inputSilenced: $0.disposedByOrigin()
            case nil: $0.completed()
            }
        }
      }
      subscription = nil
      return self.owned.takeAll()
    }
    owned.disposeAll()
    freeBelow()
    return keeper
  }

  /// Frees the closures below, now or when the thread inside leaves.
  private final func freeBelow() {
    var freed: KeptObserver<Output>?
    lock.withLock {
      _ = changeLocked { freed = takeBelow() }
    }
    withExtendedLifetime(freed) {}
  }

  private final func takeBelow() -> KeptObserver<Output>? {
    assertLocked()
    assertAlone()
    return below.take()
  }

  override func cleanUpLocked(_ releases: inout DeferredReleases) {
    if isClosed.load(ordering: .acquiring), let below = takeBelow() { releases.add(NoncopyableBox(below)) }
  }

  override func forget(_ subscription: Subscription) {
    lock.withLock { self.subscription = nil }
    _ = close()
  }

  // MARK: Inputs

  /// The value of a signal that is exactly one value, which need not be connected; nil if the graph is to show it.
  @inlinable
  final func onlyValue(of signal: Signal<Output>) -> Output? {
    if case .just(let value) = signal.storage, !node.isRecorded { value } else { nil }
  }

  /// Connects a signal; its events run inside the gate, which ``JunctionInput`` enters for each. An error that
  /// `receive` throws ends the operator.
  ///
  /// - Returns: A key for ``drop(_:)``.
  @inlinable
  @discardableResult
  final func connect<Input>(
    _ signal: Signal<Input>, as role: InputRole = .values, key: Int? = nil,
    receive: @escaping @Sendable (Input) throws -> Void,
    end: @escaping @Sendable (Completion) -> Void
  ) -> Int {
    let key = key ?? reserveKey()
    let input = JunctionInput(of: self, key, receive: receive, end: end)
    connect(signal, as: role, key: key, input.observer, input)
    return key
  }

  /// Connects a signal to an observer of the operator.
  @inlinable
  final func connect<Input>(
    _ signal: Signal<Input>, as role: InputRole, key: Int, _ observer: consuming Observer<Input>
  ) {
    connect(signal, as: role, key: key, observer, OperatorInput(of: below(of: key), at: site, tag: tag))
  }

  @inlinable
  final func connect<Input>(
    _ signal: Signal<Input>, as role: InputRole, key: Int, _ observer: consuming Observer<Input>, _ child: Subscription
  ) {
    // Before other code has the child.
    child.beginRecording(signal, as: role, of: node)
    defer { child.recording.connected() }
    guard adopt(child, as: key) else { return }
    signal.connect(observer, child)
  }

  /// What an input's origin notifies when it ends the input without an event.
  @usableFromInline
  final func below(of key: Int) -> Subscription.OperatorBelow? { hasOneInput ? (self, key) : nil }

  /// Connects an input like ``connect(_:as:key:receive:end:)``, for operators that do not know the type of its values.
  final func connectByPointer(
    _ input: AnyInput, _ kind: ElementKind, as role: InputRole,
    receive: @escaping @Sendable (UnsafeRawPointer) throws -> Void,
    end: @escaping @Sendable (Completion) -> Void
  ) {
    let key = reserveKey()
    let child = PointerInput(of: self, key, kind, receive: receive, end: end)
    // Before other code has the child.
    input.beginRecording(child, as: role, of: node)
    defer { child.recording.connected() }
    guard adopt(child, as: key) else { return }
    input.connect(child.observer, child)
  }

  /// Connects a signal from inside the gate: events that it delivers on this thread while it is being connected are
  /// handled at once, after those that other threads have made it deliver before.
  ///
  /// - Returns: A key for ``drop(_:)``.
  @inlinable
  @discardableResult
  final func connectInside<Input>(
    _ signal: Signal<Input>, as role: InputRole = .inner, key: Int? = nil,
    receive: @escaping @Sendable (Input) throws -> Void,
    end: @escaping @Sendable (Completion) -> Void
  ) -> Int {
    let key = key ?? reserveKey()
    beginConnecting(key)
    defer { endConnecting(key) }
    return connect(signal, as: role, key: key, receive: receive, end: end)
  }

  @inlinable
  final func beginConnecting(_ key: Int) {
    assertInside()
    let outer = connectingKey.load(ordering: .relaxed)
    if outer != 0 { nestConnecting(in: outer) }
    // Only the thread inside the gate writes the two; others only compare with them. A thread that sees the key sees
    // the matching thread: not an earlier one, which may be the comparing thread.
    connectingThread.store(currentThread(), ordering: .relaxed)
    connectingKey.store(key, ordering: .releasing)
  }

  @usableFromInline
  final func nestConnecting(in outer: Int) {
    nesting += 1
    lock.withLock { connecting.nest(in: outer) }
  }

  /// Notes that the innermost input is connected. From here on its events wait like all others, behind its earlier
  /// ones.
  @inlinable
  final func endConnecting(_ key: Int) {
    assertInside()
    // This thread writes the key and then reads the flag; a thread that enqueues work writes the flag and then reads
    // the key. One of them sees the other's write: see `enqueueLocked`.
    connectingKey.store(0, ordering: .sequentiallyConsistent)
    if nesting != 0 || hasEnqueuedWork.load(ordering: .sequentiallyConsistent) { endConnectingSlowly(key) }
  }

  @usableFromInline
  final func endConnectingSlowly(_ key: Int) {
    lock.withLock {
      var isPending = false
      while let work = connecting.takeWork(for: key) {
        appendLocked(work)
        isPending = true
      }
      if isPending { state.bitwiseOr(Self.pending, ordering: .relaxed) }
      assertLocked()
      debugAssert(
        hasEnqueuedWork.load(ordering: .relaxed) || !connecting.hasWork, "the flag is set while work is enqueued")
      hasEnqueuedWork.store(connecting.hasWork, ordering: .sequentiallyConsistent)
      if nesting > 0 {
        nesting -= 1
        connectingKey.store(connecting.endInnermost(), ordering: .sequentiallyConsistent)
      }
    }
  }

  /// Enqueues work for an input if it is being connected, or if work for it is on its way into the queue.
  ///
  /// - Returns: Whether it was enqueued.
  private final func enqueueLocked(_ work: @escaping @Sendable () -> Void, for key: Int) -> Bool {
    assertLocked()
    guard isConnectingLocked(key) || connecting.hasWork(for: key) else { return false }
    connecting.enqueue(work, for: key)
    // The thread that ends connecting the input finds that the flag is set, waits for the lock, and finds the work.
    if hasEnqueuedWork.exchange(true, ordering: .sequentiallyConsistent) || isConnectingLocked(key) { return true }
    // That thread had checked the flag before it was set: the work is the only one for the input, and takes its normal
    // path.
    connecting.forgetLast()
    return false
  }

  private final func isConnectingLocked(_ key: Int) -> Bool {
    connectingKey.load(ordering: .sequentiallyConsistent) == key || connecting.isOuter(key)
  }

  /// Does the work that was enqueued for an input, if this thread is inside the gate and connecting the input right now.
  ///
  /// - Returns: Whether it is.
  @usableFromInline
  final func continueInside(_ key: Int) -> Bool {
    guard
      connectingKey.load(ordering: .acquiring) == key, connectingThread.load(ordering: .relaxed) == currentThread()
    else { return false }
    assertInside()
    while hasEnqueuedWork.load(ordering: .acquiring), let work = takeEnqueued(key) { work() }
    return true
  }

  private final func takeEnqueued(_ key: Int) -> (@Sendable () -> Void)? {
    lock.withLock { connecting.takeWork(for: key) }
  }

  /// Does an input's work inside the gate: now or, if a thread is inside, before it leaves; in the order in which the
  /// input delivers.
  @usableFromInline
  final func perform(for key: Int, _ work: @escaping @Sendable () -> Void) {
    perform(work) { enqueueLocked(work, for: key) }
  }

  /// Whether an input has neither ended nor been dropped.
  @inlinable
  final func isLive(_ input: Subscription) -> Bool {
    // An item removed from `owned` while this is open is disposed at once.
    !isClosed.load(ordering: .relaxed) && !input.wasDisposed
  }

  @usableFromInline
  final func inputEnded(_ input: Subscription, _ key: Int, _ completion: Completion, _ end: (Completion) -> Void) {
    assertInside()
    guard isLive(input) else { return }
    drop(key)
    end(completion)
    // A task or a thread that waits for a value must learn that none can come any more, see `WaitTag`.
    tag?.inputHasEnded()
  }

  /// Runs work inside the gate, unless the operator has ended.
  @inlinable
  final func run(_ work: @escaping @Sendable () -> Void) {
    perform { if !self.isClosed.load(ordering: .relaxed) { work() } }
  }

  /// Notes that the operator tries again, for the graph.
  @inlinable
  final func tries() { node.noteAttempt() }

  /// Notes that the operator's attempt has failed, and that it continues, for the graph.
  ///
  /// - Parameter delay: The delay before the next attempt, if known.
  @inlinable
  final func triedInVain(_ error: any Error, waiting delay: Duration? = nil) {
    node.noteFailedAttempt(error, waiting: delay)
  }

  /// Schedules work after a delay, on behalf of the operator. If the scheduler's actor is deallocated, the work never
  /// runs, and the operator is abandoned.
  ///
  /// - Returns: The pending work, which the caller passes to ``adopt(_:as:)``.
  final func schedule(
    after delay: Duration, on scheduler: any Scheduler, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    node.asAuthorOfTimer {
      scheduler.schedule(after: delay, tolerance: nil, work) { [weak self] in self?.abandon() }
    }
  }

  /// Creates a timer whose work runs inside the gate; the work gets the timer, which it may set again.
  ///
  /// - Parameter interval: The operator's repeated delay, for the graph.
  @inlinable
  final func timer(
    on scheduler: any Scheduler, tolerance: Duration? = nil, interval: Duration? = nil,
    _ work: @escaping @Sendable (OperatorTimer) throws -> Void
  ) -> OperatorTimer {
    works(on: scheduler, interval: interval)
    let timer = OperatorTimer.make(on: scheduler, tolerance: tolerance, self, node) { timer in
      if !self.isClosed.load(ordering: .relaxed) { self.attempt { try work(timer) } }
    }
    adopt(timer, as: reserveKey())
    return timer
  }

  /// Retains a disposable, which is disposed with the operator.
  ///
  /// - Returns: Whether it is retained. If the operator has ended, it was disposed at once.
  @usableFromInline
  @discardableResult
  final func adopt(_ child: any Disposable, as key: Int) -> Bool {
    let isKept: Bool = lock.withLock {
      guard !isClosed.load(ordering: .acquiring) else { return false }
      owned.insert(child, for: key)
      return true
    }
    if !isKept { child.dispose() }
    return isKept
  }

  /// The inputs that were connected and not dropped.
  final var inputs: [Subscription] { lock.withLock { owned.inputs } }

  /// Whether values may wait in it, for a scheduler, for a time or for a task.
  final var hasQueue: Bool { lock.withLock { owned.hasQueue } }

  /// Retains an input, like ``adopt(_:as:)``, and drops another one before. One function for both would cost each some 50
  /// instructions.
  ///
  /// - Parameter old: The key of that one, or 0.
  @usableFromInline
  final func adopt(_ child: Subscription, as key: Int, dropping old: Int) -> Bool {
    var dropped: (any Disposable)?
    let isKept: Bool = lock.withLock {
      guard !isClosed.load(ordering: .acquiring) else { return false }
      if old != 0 { dropped = owned.remove(old) }
      owned.insert(child, for: key)
      return true
    }
    dropped?.dispose()
    if !isKept { child.dispose() }
    return isKept
  }

  /// A new key for ``adopt(_:as:)``.
  @usableFromInline
  final func reserveKey() -> Int {
    lastKey.add(1, ordering: .relaxed).newValue
  }

  /// Whether an input or scheduled work has neither ended nor been dropped.
  @usableFromInline
  final func owns(_ key: Int) -> Bool {
    lock.withLock { owned.contains(key) }
  }

  /// Disposes an input or scheduled work.
  @usableFromInline
  final func drop(_ key: Int) {
    let child = lock.withLock { owned.remove(key) }
    child?.dispose()
  }
}
