import Dispatch
import SignalTesting
import Signals
import Testing

/// Actors and tasks of a test on the main actor run on its thread. What has to run on the main actor finds out all the same.
@Suite struct MainActorChecksTests {
  private actor Engine {
    func check() { MainActor.preconditionIsolated() }
    func assume() -> Int { MainActor.assumeIsolated { 1 } }
    func call() async { await MainActor.run { MainActor.preconditionIsolated() } }
  }

  @concurrent private func checkElsewhere() async { MainActor.preconditionIsolated() }

  @MainActor private func expectFailure(
    namesLine: Bool = noticesRealTime, _ body: @escaping @Sendable () async throws -> Void
  ) {
    let message = failure(offset: 1) {
      try? withVirtualTime { _ in try await body() }
    }
    #expect(message.contains("Code that has to run on the main actor ran outside of it"), "\(message)")
    if namesLine { #expect(message.contains("at MainActorChecksTests.swift:"), "\(message)") }
  }

  @MainActor @Test func inAnActor() { expectFailure { await Engine().check() } }

  @MainActor @Test func assumedInAnActor() { expectFailure { #expect(await Engine().assume() == 1) } }

  @MainActor @Test func inADetachedTask() {
    expectFailure { await Task.detached { MainActor.preconditionIsolated() }.value }
  }

  @MainActor @Test func inAFunctionWithoutIsolation() { expectFailure { await checkElsewhere() } }

  @MainActor @Test(.enabled(if: noticesRealTime)) func onTheMainQueue() {
    // Between dispatch and the call are functions whose caller cannot be found.
    expectFailure(namesLine: false) { await Task.detached { dispatchPrecondition(condition: .onQueue(.main)) }.value }
  }

  @MainActor @Test(.enabled(if: noticesRealTime)) func notOnTheMainQueue() throws {
    try withVirtualTime { _ in
      await Task.detached { dispatchPrecondition(condition: .notOnQueue(.main)) }.value
      dispatchPrecondition(condition: .onQueue(.main))
    }
  }

  @MainActor @Test func inATaskOfAMarbleTest() {
    let message = failure(offset: 2) {
      marbles { m in
        m.task { await Engine().check() }
      }
    }
    #expect(message.contains("Code that has to run on the main actor ran outside of it"), "\(message)")
  }

  private actor Worker {
    let progress = Emitter<Int>()
    private(set) var late = 0

    func work(_ shown: Property<Int>) {
      for step in 1...3 {
        progress.send(step)
        if shown.value != step { late += 1 }
      }
    }
  }

  /// What an actor or a detached task sends arrives on the main actor later, as in a program, and in order with what the main actor sends.
  @MainActor @Test(.enabled(if: noticesRealTime), arguments: [false, true])
  func whatAnActorSendsWaitsForTheMainActor(isDetached: Bool) throws {
    @MainActor final class Label { var steps: [Int] = [] }
    try withVirtualTime { time in
      let (worker, label, shown) = (Worker(), Label(), Property(0))
      let bag = DisposeBag()
      worker.progress.signal.subscribeOnMain { step in
        MainActor.assertIsolated()
        label.steps.append(step)
        shown.value = step
      }.store(in: bag)
      worker.progress.signal.receive(on: .mainImmediate).subscribe { step in
        MainActor.assumeIsolated { label.steps.append(-step) }
      }.store(in: bag)
      if isDetached {
        let late = await Task.detached {
          worker.progress.send(1)
          return shown.value == 0
        }.value
        #expect(late)
        #expect(label.steps == [1, -1])
      } else {
        await worker.work(shown)
        #expect(await worker.late == 3)
        try await time.sleep(for: .seconds(1))
        // Each hop delivers what has come.
        #expect(label.steps == [1, 2, 3, -1, -2, -3])
      }
      // On the main actor itself nothing waits.
      worker.progress.send(4)
      #expect(label.steps.suffix(2) == [4, -4])
      withExtendedLifetime(bag) {}
    }
  }

  @MainActor @Test func whatRunsThereIsThere() throws {
    try withVirtualTime { time in
      await Engine().call()
      MainActor.preconditionIsolated()
      try await time.sleep(for: .seconds(1))
      MainActor.preconditionIsolated()
      await Task { @MainActor in MainActor.preconditionIsolated() }.value
      _ = time.schedule(after: .seconds(1), tolerance: nil) { MainActor.preconditionIsolated() }
      try await time.sleep(for: .seconds(2))
      await Task { MainActor.preconditionIsolated() }.value
    }
    marbles { m in
      m.at(.milliseconds(1)) { MainActor.preconditionIsolated() }
      m.task { await MainActor.run { MainActor.preconditionIsolated() } }
    }
  }
}
