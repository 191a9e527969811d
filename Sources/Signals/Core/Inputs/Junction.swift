import DequeModule
public import Synchronization

/// Where an operator that has several inputs, timers or a queue of its own hands values to what is below it.
///
/// All its work runs inside its gate: one piece at a time, in one order, without a lock. It is the origin of the subscription below and
/// owns the subscriptions above and the scheduled work; when it ends, or when the subscription below leaves, all of those are disposed and
/// the closures below are freed.
@usableFromInline
final class Junction<Output: Sendable>: Gate, @unchecked Sendable {
  // Safe: `below` is used only inside the gate, or while `changeLocked` keeps everybody out; `subscription` and
  // `owned` and `connecting` are touched only under `lock`.

  // Unchecked exclusivity: inside the gate there is one thread, which reads it while calling down and replaces it only between calls.
  @exclusivity(unchecked) @usableFromInline var below: KeptObserver<Output>
  @usableFromInline let isClosed = Atomic<Bool>(false)
  /// The operator's node in the live graph.
  @usableFromInline let node: OperatorNode
  /// Where the subscriber below is written, and who it is: the inputs have it from here.
  @usableFromInline let site: SubscriptionSite
  @usableFromInline let tag: SubscriberTag?
  private var isFreed = false
  private var subscription: Unmanaged<Subscription>?
  // Unchecked exclusivity, here too: touched only under `lock`, in short stretches that call nothing else.
  @exclusivity(unchecked) private var owned = OwnedDisposables()
  private let lastKey = Atomic<Int>(0)
  /// The inputs that the thread that is inside is connecting.
  @exclusivity(unchecked) private var connecting = ConnectingInputs()
  /// The innermost of them, and that thread: what the input delivers on it meanwhile is inside already.
  private let connectingKey = Atomic<Int>(0)
  private let connectingThread = Atomic<UInt>(0)
  /// Whether something was left behind for one of them.
  private let hasLeftBehind = Atomic<Bool>(false)

  /// - Parameter node: The operator's node, if it is not the one that was added last to the subscription's chain.
  @usableFromInline
  init(_ observer: Observer<Output>, _ subscription: Subscription, node: OperatorNode? = nil) {
    below = KeptObserver(observer)
    self.node = node ?? OperatorNode(newestOf: subscription.recording)
    site = subscription.site
    tag = subscription.tag
    self.subscription = .passUnretained(subscription)
    super.init()
    subscription.link(to: self)
  }

  // MARK: Inside the gate

  /// Hands a value down. Inside the gate.
  @inlinable
  func emit(_ value: Output) throws {
    assertInside()
    if isClosed.load(ordering: .relaxed) { throw StopDelivery() }
    try below.receive(value)
  }

  /// Ends what is below, after disposing all that is above. Inside the gate.
  @usableFromInline
  func end(_ completion: Completion) {
    assertInside()
    let observer = below.observer
    guard let keeper = close() else { return }
    observer.end(completion)
    keeper.subscription?.release()
  }

  /// Runs a piece of the operator; what it throws ends the operator. Inside the gate.
  @inlinable
  func attempt(_ work: () throws -> Void) {
    assertInside()
    do {
      try work()
    } catch {
      stop(error)
    }
  }

  @usableFromInline
  func stop(_ error: any Error) {
    assertInside()
    let observer = below.observer
    guard let keeper = close() else { return }
    endChain(observer.end, after: error)
    keeper.subscription?.release()
  }

  /// Ends what is below without an event, after disposing all that is above, as nothing can be delivered any more. On any thread.
  @usableFromInline
  func abandon() {
    guard let keeper = close(isSilent: true) else { return }
    keeper.subscription?.release()
    tag?.inputHasLeft()
  }

  private struct Keeper {
    var subscription: Unmanaged<Subscription>?
  }

  /// Closes, once: disposes all that is above, and tells the subscription below that it is over.
  ///
  /// - Parameter isSilent: Whether what is below is told of no end.
  private func close(isSilent: Bool = false) -> Keeper? {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
    var keeper = Keeper()
    let owned = lock.withLock {
      if let subscription {
        keeper.subscription = subscription._withUnsafeGuaranteedRef {
          isSilent ? $0.disposedByOrigin() : $0.completed()
        }
      }
      subscription = nil
      return self.owned.takeAll()
    }
    owned.disposeAll()
    freeBelow()
    return keeper
  }

  /// Frees the closures below, now or when whoever is inside leaves.
  private func freeBelow() {
    var freed: Observer<Output>?
    lock.withLock {
      _ = changeLocked { freed = takeBelow() }
    }
    withExtendedLifetime(freed) {}
  }

  private func takeBelow() -> Observer<Output>? {
    assertLocked()
    assertAlone()
    guard !isFreed else { return nil }
    isFreed = true
    let observer = below.observer
    below = KeptObserver(Observer(receive: { _ in throw StopDelivery() }, end: { _ in }))
    return observer
  }

  override func cleanUpLocked(_ releases: inout DeferredReleases) {
    if isClosed.load(ordering: .acquiring), let observer = takeBelow() { releases.add(observer) }
  }

  override func forget(_ subscription: Subscription) {
    lock.withLock { self.subscription = nil }
    _ = close()
  }

  // MARK: Inputs

  /// The value of a signal that is one value and nothing else, which need not be connected; not where the graph is to show it.
  @inlinable
  func onlyValue(of signal: Signal<Output>) -> Output? {
    if case .just(let value) = signal.storage, !node.isRecorded { value } else { nil }
  }

  /// Connects a signal; its events run inside the gate. What `receive` throws ends the operator.
  ///
  /// - Returns: A key for ``drop(_:)``.
  @inlinable
  @discardableResult
  func connect<Input>(
    _ signal: Signal<Input>, as role: InputRole = .values, key: Int? = nil,
    receive: @escaping @Sendable (Input) throws -> Void,
    end: @escaping @Sendable (Completion) -> Void
  ) -> Int {
    let key = key ?? reserveKey()
    let input = JunctionInput(of: self, key, receive: receive, end: end)
    connect(signal, as: role, key: key, input.observer, input)
    return key
  }

  /// Connects a signal to an observer of the operator's own.
  @inlinable
  func connect<Input>(_ signal: Signal<Input>, as role: InputRole, key: Int, _ observer: consuming Observer<Input>) {
    connect(signal, as: role, key: key, observer, Subscription(at: site, tag: tag, isShared: true))
  }

  @inlinable
  func connect<Input>(
    _ signal: Signal<Input>, as role: InputRole, key: Int, _ observer: consuming Observer<Input>, _ child: Subscription
  ) {
    // Before anybody else has the child.
    child.beginRecording(signal, as: role, of: node)
    defer { child.recording.connected() }
    guard adopt(child, as: key) else { return }
    signal.connect(observer, child)
  }

  /// Connects an input as ``connect(_:as:key:receive:end:)`` does, for operators that do not know the type of its values.
  func connectByPointer(
    _ input: AnyInput, _ kind: ElementKind, as role: InputRole,
    receive: @escaping @Sendable (UnsafeRawPointer) throws -> Void,
    end: @escaping @Sendable (Completion) -> Void
  ) {
    let key = reserveKey()
    let child = PointerInput(of: self, key, kind, receive: receive, end: end)
    // Before anybody else has the child.
    input.beginRecording(child, as: role, of: node)
    defer { child.recording.connected() }
    guard adopt(child, as: key) else { return }
    input.connect(child.observer, child)
  }

  /// Connects a signal from inside the gate: what it delivers on this thread while it is being connected is handled at once, after what
  /// other threads have made it deliver before.
  ///
  /// - Returns: A key for ``drop(_:)``.
  @inlinable
  @discardableResult
  func connectInside<Input>(
    _ signal: Signal<Input>, as role: InputRole = .inner, key: Int? = nil,
    receive: @escaping @Sendable (Input) throws -> Void,
    end: @escaping @Sendable (Completion) -> Void
  ) -> Int {
    let key = key ?? reserveKey()
    beginConnecting(key)
    defer { endConnecting() }
    return connect(signal, as: role, key: key, receive: receive, end: end)
  }

  @usableFromInline
  func beginConnecting(_ key: Int) {
    assertInside()
    lock.withLock { connecting.begin(key) }
    // Only the thread inside the gate writes the two; others only compare with them. Who sees the key sees its thread: not an earlier one,
    // which may be the one that compares.
    connectingThread.store(currentThread(), ordering: .relaxed)
    connectingKey.store(key, ordering: .releasing)
  }

  @usableFromInline
  func endConnecting() {
    assertInside()
    lock.withLock {
      // From here on what the input delivers waits like everything else, behind what it delivered before.
      if connecting.hasWork {
        connecting.end { appendLocked($0) }
        state.bitwiseOr(Self.pending, ordering: .relaxed)
        hasLeftBehind.store(connecting.hasWork, ordering: .relaxed)
      } else {
        connecting.end { _ in }
      }
      connectingKey.store(connecting.innermost, ordering: .relaxed)
    }
  }

  /// Whether this is the thread that is inside the gate and connecting the input right now. If so, what was left behind for the input has
  /// been done when this returns.
  @usableFromInline
  func isInsideAlready(_ key: Int) -> Bool {
    guard
      connectingKey.load(ordering: .acquiring) == key, connectingThread.load(ordering: .relaxed) == currentThread()
    else { return false }
    assertInside()
    while hasLeftBehind.load(ordering: .acquiring), let work = takeLeftBehind(key) { work() }
    return true
  }

  private func takeLeftBehind(_ key: Int) -> (@Sendable () -> Void)? {
    lock.withLock { connecting.takeWork(for: key) }
  }

  /// Does an input's work inside the gate: now, or, when somebody is inside, before they leave; in the order in which the input delivers.
  @usableFromInline
  func perform(for key: Int, _ work: @escaping @Sendable () -> Void) {
    perform(work) {
      guard connecting.leaveBehind(work, for: key) else { return false }
      hasLeftBehind.store(true, ordering: .releasing)
      return true
    }
  }

  @usableFromInline
  func inputEnded(_ key: Int, _ completion: Completion, _ end: (Completion) -> Void) {
    assertInside()
    guard isLive(key) else { return }
    drop(key)
    end(completion)
    tag?.inputHasLeft()
  }

  /// Runs work inside the gate, unless the operator has ended.
  @inlinable
  func run(_ work: @escaping @Sendable () -> Void) {
    perform { if !self.isClosed.load(ordering: .relaxed) { work() } }
  }

  /// Asks a scheduler for work after a delay, in the operator's name.
  func schedule(
    after delay: Duration, on scheduler: any Scheduler, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    node.asAuthor {
      scheduler.schedule(after: delay, tolerance: nil, work) { [weak self] in self?.abandon() }
    }
  }

  /// A timer whose work runs inside the gate; the work gets the timer, which it may set again.
  @inlinable
  func timer(
    on scheduler: any Scheduler, tolerance: Duration? = nil,
    _ work: @escaping @Sendable (OperatorTimer) throws -> Void
  ) -> OperatorTimer {
    let timer = OperatorTimer.make(on: scheduler, tolerance: tolerance, self, node) { timer in
      if !self.isClosed.load(ordering: .relaxed) { self.attempt { try work(timer) } }
    }
    adopt(timer, as: reserveKey())
    return timer
  }

  /// Keeps something that is disposed with the operator.
  ///
  /// - Returns: Whether it is kept. When the operator has ended, it was disposed at once.
  @usableFromInline
  @discardableResult
  func adopt(_ child: any Disposable, as key: Int) -> Bool {
    let isKept: Bool = lock.withLock {
      guard !isClosed.load(ordering: .acquiring) else { return false }
      owned.insert(child, for: key)
      return true
    }
    if !isKept { child.dispose() }
    return isKept
  }

  /// The inputs that were connected and not dropped.
  var inputs: [Subscription] { lock.withLock { owned.inputs } }

  /// A key for ``adopt(_:as:)`` that was not used before.
  @usableFromInline
  func reserveKey() -> Int {
    lastKey.add(1, ordering: .relaxed).newValue
  }

  /// Whether an input or scheduled work has neither ended nor been dropped.
  @usableFromInline
  func isLive(_ key: Int) -> Bool {
    lock.withLock { owned.contains(key) }
  }

  /// Disposes an input or scheduled work.
  @usableFromInline
  func drop(_ key: Int) {
    let child = lock.withLock { owned.remove(key) }
    child?.dispose()
  }
}
