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
