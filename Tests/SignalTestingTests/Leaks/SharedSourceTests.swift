import Dispatch
import SignalTesting
import Signals
import Testing

/// What other threads and detached tasks subscribe to, of a source that is shared.
@Suite struct SharedSourceTests {
  private let keeper = LeakKeeper()
  private let shared = Emitter<Int>()

  private func kinds(_ body: () async -> Void) async -> [Leak.Kind] {
    let check = LeakCheck(patience: .brief)
    await check.recorder.record(body)
    defer { check.recorder.close() }
    return await check.leaks().map(\.kind)
  }

  @Test func workOfAQueueThatTheScopeAskedForBelongsToTheScope() async {
    let kinds = await kinds {
      let queue = DispatchQueueScheduler(DispatchQueue(label: "background"))
      queue.schedule { [shared, keeper] in shared.signal.subscribe { _ in }.store(in: keeper.bag) }
    }
    #expect(kinds == [.neverDisposed])
  }

  @Test func workOfAQueueThatEndsItsSubscriptionIsNoLeak() async {
    await assertNoLeaks {
      let queue = DispatchQueueScheduler(DispatchQueue(label: "background"))
      queue.schedule { [shared] in shared.signal.subscribe { _ in }.dispose() }
    }
  }

  @Test func workOfAQueueThatWasMadeOutsideBelongsToTheScopeThatAskedForIt() async {
    let queue = DispatchQueueScheduler(DispatchQueue(label: "background"))
    let kinds = await kinds {
      queue.schedule { [shared, keeper] in shared.signal.subscribe { _ in }.store(in: keeper.bag) }
    }
    #expect(kinds == [.neverDisposed])
  }

  @Test func workInVirtualTimeBelongsToTheScopeToo() throws {
    let scheduler = VirtualTimeScheduler()
    let check = LeakCheck(patience: .brief)
    check.recorder.record {
      scheduler.schedule { [shared, keeper] in shared.signal.subscribe { _ in }.store(in: keeper.bag) }
    }
    // Whoever lets the time pass.
    try scheduler.advance()
    #expect(check.leaks().map(\.kind) == [.neverDisposed])
    check.recorder.close()
  }

  @Test func valuesThatChangeThreadsBelongToTheScopeOfTheirSubscription() async {
    let kinds = await kinds {
      let keys = Emitter<Int>()
      let bag = DisposeBag()
      await withCheckedContinuation { done in
        keys.signal.receive(on: .qos(.utility)).subscribe { [shared, keeper] _ in
          shared.signal.subscribe { _ in }.store(in: keeper.bag)
          done.resume()
        }
        .store(in: bag)
        keys.send(1)
      }
      bag.disposeAll()
    }
    #expect(kinds == [.neverDisposed])
  }

  @Test func aDetachedTaskThatSubscribesToASourceOfTheScopeIsFound() async {
    let kinds = await kinds {
      let keys = Emitter<Int>()
      keeper.keep(keys)
      await Task.detached { [keeper] in keys.signal.subscribe { _ in }.store(in: keeper.bag) }.value
    }
    #expect(kinds == [.neverDisposed])
  }

  /// As the documentation says: nothing leads back to the scope.
  @Test func aDetachedTaskThatSubscribesToASourceFromOutsideCannotBeTold() async {
    let kinds = await kinds {
      await Task.detached { [shared, keeper] in shared.signal.subscribe { _ in }.store(in: keeper.bag) }.value
    }
    #expect(kinds == [])
  }
}
