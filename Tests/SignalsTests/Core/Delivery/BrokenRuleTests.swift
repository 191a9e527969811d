import Probes
import Synchronization
import Testing

@testable import Signals

#if DEBUG
  /// What a debug build says when a rule inside the library is broken. Each test breaks one, in a process of its own.
  @Suite("Debug builds end where a rule is broken")
  struct BrokenRuleTests {
    /// Whether a process ended by naming a rule, and not by anything else.
    private func expect(_ rule: String, in result: ExitTest.Result?, _ location: SourceLocation = #_sourceLocation) {
      let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
      #expect(text?.contains("broken rule: \(rule)\n") == true, sourceLocation: location)
    }

    // MARK: Gates and locks

    @Test("what belongs inside a gate is not done outside", arguments: InsideOnly.allCases)
    func outside(_ work: InsideOnly) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [work] in
        work.doOutside()
      }
      expect("only inside the gate", in: result)
    }

    @Test("what needs a lock is not done without it", arguments: LockedOnly.allCases)
    func unlocked(_ work: LockedOnly) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [work] in
        work.doUnlocked()
      }
      expect("only under the lock", in: result)
    }

    @Test func anotherThreadIsNotInside() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let signal = Signal<Int> { producer in
          producer.junction.run { onThreads { try? producer.junction.emit(1) } }
        }
        _ = signal.subscribe { _ in }
      }
      expect("only inside the gate", in: result)
    }

    @Test func aGateIsLeftByTheThreadThatEnteredIt() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let gate = Gate()
        #expect(gate.enter())
        onThreads { gate.leave() }
      }
      expect("a gate is left by the thread that entered it", in: result)
    }

    @Test func enqueuingAtAnOpenGate() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let gate = Gate()
        gate.lock.withLock { gate.appendLocked {} }
      }
      expect("work is enqueued only for a thread that is inside", in: result)
    }

    @Test func aThreadTakesALockOnce() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let lock = Lock()
        lock.withLock { lock.withLock {} }
      }
      expect("a lock is not taken twice by one thread", in: result)
    }

    @Test func threadHoldsOneLockAtATime() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let locks = (Gate(), Gate())
        locks.0.lock.withLock { locks.1.lock.withLock {} }
      }
      expect("a thread holds one lock of an emitter or a junction at a time", in: result)
    }

    @Test func noValueIsDeliveredUnderTheLock() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let emitter = Emitter<Int>()
        let core = emitter.core
        core.lock.withLock { core.send(1) }
        withExtendedLifetime(emitter) {}
      }
      expect("not under the lock", in: result)
    }

    // MARK: The table of subscribers

    @Test func aPositionIsInTheTable() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let emitter = Emitter<Int>()
        let subscription = emitter.signal.subscribe { _ in }
        _ = emitter.core.table.slot(1)
        withExtendedLifetime(subscription) {}
      }
      expect("a position is below the number of slots", in: result)
    }

    @Test func aSlotDiesOnce() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let emitter = Emitter<Int>()
        let core = emitter.core
        let subscription = Signal(emitter: core).subscribe { _ in }
        core.lock.withLock {
          core.table.markDead(0)
          core.table.markDead(0)
        }
        withExtendedLifetime((emitter, subscription)) {}
      }
      expect("a slot dies once", in: result)
    }

    @Test func nothingIsTakenOutOfATableThatIsWalked() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let emitter = Emitter<Int>()
        let core = emitter.core
        let subscription = Signal(emitter: core).subscribe { [unowned core] _ in
          _ = core.lock.withLock { core.table.remove(0) }
        }
        core.send(1)
        withExtendedLifetime((emitter, subscription)) {}
      }
      expect("not while a thread walks the table", in: result)
    }

    @Test func aFullTableGrows() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let core = Emitter<Int>().core
        let observer = Observer<Int>(receive: { _ in }, end: { _ in })
        core.lock.withLock { core.table.append(Subscriber(observer), Subscription(), flags: 0, acceptedBefore: 0) }
      }
      expect("a full table grows before the next slot is appended", in: result)
    }

    @Test func aSubscriptionKnowsItsOwnSlot() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let emitter = Emitter<Int>()
        let subscriptions = (0..<2).map { _ in emitter.signal.subscribe { _ in } }
        subscriptions[0].position = 1
        subscriptions[0].dispose()
      }
      expect("a subscription knows its own slot", in: result)
    }

    @Test func aSubscriptionIsLinkedOnce() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let subscription = Subscription()
        subscription.link(to: Gate())
        subscription.link(to: Gate())
      }
      expect("a subscription is linked once", in: result)
    }

    // MARK: State and memory

    /// Breaks law 3: it calls what is below on two threads at once.
    private static func onTwoThreads(_ signal: Signal<Int>) -> Signal<Int> {
      unsafe signal.unsafeLift(Site("twice", fileID: #fileID, line: #line, function: #function)) { downstream in
        let downstream = downstream
        return Observer(for: downstream) { value in onThreads(2) { _ in try? downstream.receive(value) } }
      }
    }

    @Test func deliveriesThatOverlapOnTwoThreadsAreFound() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let emitter = Emitter<Int>()
        let arrived = Atomic<Int>(0)
        let signal = BrokenRuleTests.onTwoThreads(emitter.signal)
        let subscription = signal.lift(Site("count", fileID: #fileID, line: #line, function: #function), state: 0) {
          count, value, downstream in
          count += 1
          arrived.add(1, ordering: .relaxed)
          // Nobody would get past this if the second thread were not stopped, but both.
          while arrived.load(ordering: .relaxed) < 2 {}
          try downstream.send(value)
        }.subscribe { _ in }
        emitter.send(1)
        withExtendedLifetime(subscription) {}
      }
      expect("deliveries to one subscription do not overlap (law 3)", in: result)
    }

    @Test func deliveriesThatOverlapOnOneThreadAreFound() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let state = SerialState(0)
        func change(_ value: inout Int, _ body: () -> Void) {
          body()
          value += 1
        }
        change(&state.value) { state.value += 1 }
      }
      expect("deliveries to one subscription do not overlap (law 3)", in: result)
    }

    @Test func aValueFitsTheMemoryBetweenStages() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        // A stage that puts something else than it said.
        let signal: Signal<Int> = Signal.just(1).stage(Site("wrong", fileID: #fileID, line: #line, function: #function))
        {
          $0.put((0, 0, 0, 0, 0, 0, 0, $0.take(Int.self), 0))
        }
        _ = signal.subscribe { _ in }
      }
      expect("a value fits the memory between stages", in: result)
    }

    @Test func theMemoryBetweenStagesIsAligned() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let signal = Signal.just(1).map { $0 }
        guard case .stages(let run) = signal.storage else { return }
        withUnsafeTemporaryAllocation(byteCount: 128, alignment: 16) { memory in
          guard let start = memory.baseAddress else { return }
          _ = try? run.pass(start, start + 8)
        }
      }
      expect("the memory between stages is aligned", in: result)
    }

    @Test func aValueIsWhereItsAlignmentAllows() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { memory in
          guard let start = memory.baseAddress else { return }
          ElementKind.of(Int.self).initialize(start + 1, copying: start)
        }
      }
      expect("a value is where its alignment allows", in: result)
    }

    @Test func aRowIsLaidOutAsTheTupleOfItsInputs() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        var inputs = JoinedInputs()
        inputs.append(Signal.just(Int8(1)))
        inputs.append(Signal.just(1))
        inputs.assertDescribes((Int8, Int).self)
        inputs.assertDescribes((Int, Int8).self)
      }
      expect("a row is laid out as the tuple of its inputs", in: result)
    }

    @Test func aRowIsFilledWhenEveryQueueHasAValue() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        var layout = InputLayout()
        layout.append(Int.self)
        InputQueues(layout).fillRow()
      }
      expect("a row is filled when every queue has a value", in: result)
    }

    @Test func aRowIsEmptyBeforeItIsFilled() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        var layout = InputLayout()
        layout.append(Int.self)
        let queues = InputQueues(layout)
        for value in 0..<2 {
          _ = withUnsafePointer(to: value) { queues.append($0, 0) }
          queues.fillRow()
        }
      }
      expect("a row is empty before it is filled, by one thread at a time", in: result)
    }
  }

  /// Work that belongs inside a gate.
  enum InsideOnly: String, CaseIterable, Codable {
    case deliver, deliverWaiting, endWaiting, removeDead, isReady, stopped, leaveAfterPendingWork
    case emit, end, stop, attempt, inputEnded, beginConnecting, endConnecting, deliverHopped, putHopped
    case setVirtualTimer, setOtherTimer

    func doOutside() {
      let emitter = Emitter<Int>()
      let core = emitter.core
      let subscription = Subscription()
      let junction = Junction(Observer<Int>(receive: { _ in }, end: { _ in }), subscription)
      let scheduler = VirtualTimeScheduler()
      let hop = Hop(to: junction, on: scheduler)
      switch self {
      case .deliver: core.deliver(1, upTo: 0)
      case .deliverWaiting: core.deliverWaiting()
      case .endWaiting: _ = core.endWaiting(after: 0)
      case .removeDead: core.workBetweenWalks()
      case .isReady: _ = core.isReady(0, for: 1)
      case .stopped: core.stopped(0, StopDelivery())
      case .leaveAfterPendingWork: core.leaveAfterPendingWork()
      case .emit: try? junction.emit(1)
      case .end: junction.end(.finished)
      case .stop: junction.stop(StopDelivery())
      case .attempt: junction.attempt {}
      case .inputEnded: junction.inputEnded(subscription, 1, .finished) { _ in }
      case .beginConnecting: junction.beginConnecting(1)
      case .endConnecting: junction.endConnecting(1)
      case .deliverHopped: hop.deliverWaiting(isJob: true)
      case .putHopped: hop.put(.value(1), by: junction.timer(on: scheduler) { _ in })
      case .setVirtualTimer: junction.timer(on: scheduler) { _ in }.set(after: .zero)
      case .setOtherTimer: junction.timer(on: .immediate) { _ in }.set(after: .zero)
      }
      withExtendedLifetime((emitter, subscription)) {}
    }
  }

  /// Work that needs a gate's lock.
  enum LockedOnly: String, CaseIterable, Codable {
    case enterLocked, enterLockOnlyLocked, appendLocked, changeLocked, cleanUpLocked
    case remember, waitLocked, addLocked, forgetArrivals
    case grow, append, markDead, remove, removeDead, liveSubscription

    func doUnlocked() {
      let emitter = Emitter<Int>()
      let core = emitter.core
      let subscription = emitter.signal.subscribe { _ in }
      let observer = Observer<Int>(receive: { _ in }, end: { _ in })
      var releases = DeferredReleases()
      switch self {
      case .enterLocked: _ = core.enterLocked()
      case .enterLockOnlyLocked: _ = core.enterLockOnlyLocked()
      case .appendLocked: core.appendLocked {}
      case .changeLocked: _ = core.changeLocked {}
      case .cleanUpLocked:
        #expect(core.enter())
        core.table.retired.append(.allocate(byteCount: 1, alignment: 1))
        core.cleanUpLocked(&releases)
      case .remember: _ = core.remember(1)
      case .waitLocked: core.waitLocked(1, 1)
      case .addLocked: core.addLocked(Subscriber(observer), Subscription(), flags: 0)
      case .forgetArrivals: _ = core.forgetArrivals(of: Unmanaged.passUnretained(subscription).toOpaque())
      case .grow: core.table.grow(whileWalked: false)
      case .append: core.table.append(Subscriber(observer), Subscription(), flags: 0, acceptedBefore: 0)
      case .markDead: core.table.markDead(0)
      case .remove: _ = core.table.remove(0)
      case .removeDead: core.table.removeDead(into: &releases)
      case .liveSubscription: _ = core.table.liveSubscription(0)
      }
      withExtendedLifetime((emitter, subscription)) {}
    }
  }
#else
  @Test("checks take no memory in optimised builds")
  func checksAreFree() {
    #expect(MemoryLayout<ExclusiveUse>.size == 0)
    #expect(MemoryLayout<Lock>.size == MemoryLayout<Mutex<Void>>.size)
  }
#endif
