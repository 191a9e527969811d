import Dispatch
import Foundation
import MainQueueTrial
import Signals
import Testing

@Suite("Law 14: the main queue, in tests of the main actor", .timeLimit(.minutes(20)))
@MainActor
struct MainActorTests {
  @MainActor
  private final class Seen {
    var values: [Int] = []
  }

  @Test("everything below a hop is on the main queue")
  func trial() async {
    #expect(await MainQueueTrial().complaints() == [])
  }

  @Test("the immediate form does not overtake what waits, and the other form waits always", arguments: [true, false])
  func waiting(isImmediate: Bool) async {
    let emitter = Emitter<Int>()
    let seen = Seen()
    let subscription = emitter.signal.receive(on: isImmediate ? .mainImmediate : MainScheduler.main).subscribe {
      value in
      MainActor.assumeIsolated { seen.values.append(value) }
    }
    onAnotherThread { emitter.send(1) }
    emitter.send(2)
    #expect(seen.values == [])
    await turn()
    #expect(seen.values == [1, 2])
    if !isImmediate {
      emitter.send(3)
      #expect(seen.values == [1, 2])
      await turn()
      #expect(seen.values == [1, 2, 3])
    }
    withExtendedLifetime(subscription) {}
  }

  @Test("a handler on the main queue is there: what it sends through another hop comes at once")
  func handlerIsThere() async {
    for _ in 0..<1_000 {
      let outer = Emitter<Int>()
      let inner = Emitter<Int>()
      let seen = Seen()
      let subscriptions = [
        inner.signal.receive(on: .mainImmediate).subscribe { value in
          MainActor.assumeIsolated { seen.values.append(value) }
        },
        outer.signal.receive(on: .main).subscribe { value in
          inner.send(value)
          MainActor.assumeIsolated { seen.values.append(-value) }
        },
      ]
      outer.send(1)
      await turn()
      withExtendedLifetime(subscriptions) {}
      // Other code of the process may use the main queue too: then the immediate form waits.
      if seen.values == [1, -1] { return }
    }
    Issue.record("the immediate form was never immediate")
  }

  /// Runs work on a thread of its own, and returns when it has ended.
  private func onAnotherThread(_ work: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      work()
      done.signal()
    }
    done.wait()
  }

  /// Returns once everything has run that is on the main queue now.
  private func turn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}
