import Dispatch
import Foundation
import SignalTesting
import Signals
import Synchronization
import Testing

@Suite struct LeakConcurrencyTests {
  @Test func scopesInParallelDoNotSeeEachOther() async {
    let shared = Emitter<Int>()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          let keeper = LeakKeeper()
          let sample = number.isMultiple(of: 2) ? LeakSample.allCases[number / 2 % 4] : nil
          let check = LeakCheck(patience: .brief)
          await check.recorder.record {
            let own = shared.signal.map { $0 }.subscribe { _ in }
            await Task.yield()
            shared.send(number)
            sample?.run(keeping: keeper)
            await Task.yield()
            own.dispose()
          }
          // Other tasks may be in the middle of a value that this one's subscription still sees.
          let kinds = await check.leaksAfterRelease().map(\.kind)
          #expect(kinds == sample.map { [$0.kind] } ?? [])
          check.recorder.close()
        }
      }
    }
  }

  @Test func detachedTasksAndThreadsBelongToTheScopeOfTheirSource() async {
    let keeper = LeakKeeper()
    let check = LeakCheck(patience: .brief)
    await check.recorder.record {
      let numbers = Emitter<Int>()
      keeper.keep(numbers)
      await Task.detached {
        numbers.signal.map { $0 }.subscribe { _ in }.store(in: keeper.bag)
      }.value
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          numbers.signal.filter { _ in true }.subscribe { _ in }.store(in: keeper.bag)
          continuation.resume()
        }
      }
    }
    let chains = await check.leaks().map(\.chain)
    #expect(chains.count == 2)
    #expect(chains.first?.contains("map LeakConcurrencyTests.swift") == true)
    #expect(chains.last?.contains("filter LeakConcurrencyTests.swift") == true)
    check.recorder.close()
  }

  @Test func workThatADetachedTaskSchedulesBelongsToTheScopeOfItsScheduler() async {
    let check = LeakCheck(patience: .brief)
    let work: any Disposable = await check.recorder.record {
      let scheduler = VirtualTimeScheduler()
      return await Task.detached { scheduler.schedule(after: .seconds(1)) {} }.value
    }
    #expect(await check.leaks().map(\.kind) == [.workStillPending])
    work.dispose()
    #expect(await check.leaks() == [])
    check.recorder.close()
  }

  @Test(arguments: 0..<50) func valuesOnTheirWayThroughQueuesAreWaitedFor(_ number: Int) async {
    let keeper = LeakKeeper()
    await assertNoLeaks {
      let numbers = Emitter<Int>()
      keeper.keep(numbers)
      let queue = DispatchQueue(label: "test")
      let background = numbers.signal.receive(on: .queue(queue)).map { $0 + 1 }.receive(on: .qos(.utility))
      keeper.keep(background.subscribe { _ in })
      for value in 0..<number { numbers.send(value) }
      numbers.finish()
    }
  }

  @Test(arguments: 0..<50) func theSynchronousFormWaitsToo(_ number: Int) {
    let keeper = LeakKeeper()
    assertNoLeaks {
      let numbers = Emitter<Int>()
      keeper.keep(numbers)
      let hopping = numbers.signal.receive(on: .qos(.utility)).map { $0 + 1 }
      keeper.keep(hopping.subscribe { _ in })
      for value in 0..<number { numbers.send(value) }
      numbers.finish()
    }
  }

  @Test @MainActor func theMainQueueIsServedByTheAsynchronousForm() async {
    let keeper = LeakKeeper()
    await assertNoLeaks {
      let numbers = Emitter<Int>()
      keeper.keep(numbers)
      keeper.keep(numbers.signal.receive(on: .main).subscribe { _ in })
      numbers.send(1)
      numbers.finish()
    }
  }

  @Test func aQueueThatIsStuckIsReportedAsPendingWork() {
    let keeper = LeakKeeper()
    let gate = DispatchSemaphore(value: 0)
    var patience = LeakCheck.Patience()
    patience.forWork = .milliseconds(1)
    let check = LeakCheck(patience: patience)
    check.recorder.record {
      let queue = DispatchQueue(label: "stuck")
      queue.async { gate.wait() }
      let numbers = Emitter<Int>()
      keeper.keep(numbers)
      numbers.signal.receive(on: .queue(queue)).subscribe { _ in }.store(in: keeper.bag)
      numbers.send(1)
    }
    #expect(check.leaks().map(\.kind) == [.neverDisposed])
    keeper.bag.disposeAll()
    #expect(check.leaks().map(\.kind) == [.workStillPending])
    gate.signal()
    check.recorder.close()
  }

  @Test func aSubscriptionThatIsDisposedWhileItsHandlerRunsElsewhereIsWaitedFor() {
    let keeper = LeakKeeper()
    let inside = DispatchSemaphore(value: 0)
    let mayLeave = DispatchSemaphore(value: 0)
    assertNoLeaks {
      let numbers = Emitter<Int>()
      keeper.keep(numbers)
      let subscription = numbers.signal.subscribe { _ in
        inside.signal()
        mayLeave.wait()
      }
      Thread.detachNewThread { numbers.send(1) }
      inside.wait()
      subscription.dispose()
      Thread.detachNewThread { mayLeave.signal() }
    }
  }
}

extension LeakCheck {
  /// The leaks, after other threads have left what is over.
  fileprivate func leaksAfterRelease() async -> [Leak] {
    while LeakFinder(recorder).leaks().contains(where: {
      $0.kind == .stillRetained && !$0.chain.contains("observerKept")
    }) {
      await Task.yield()
    }
    return LeakFinder(recorder).leaks()
  }
}
