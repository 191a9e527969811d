import Foundation
import SignalSystem
import Signals
import Testing

/// Delivers the signals of the process. What is set for a signal belongs to the whole process, so the tests come one after the other, and each has
/// its own.
@Suite("processSignals", .serialized)
struct ProcessSignalTests {
  private func raise(_ signal: ProcessSignal) { kill(getpid(), signal.rawValue) }

  /// Where the handler is that is set now.
  private func handler(_ signal: ProcessSignal) -> Int {
    var current = sigaction()
    sigaction(signal.rawValue, nil, &current)
    #if canImport(Darwin)
      // Safe: a function of C is one pointer, as an `Int` is.
      return unsafeBitCast(current.__sigaction_u.__sa_handler, to: Int.self)
    #else
      // Safe: as above.
      return unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
    #endif
  }

  @Test("each subscriber gets the signals that it asked for; the process goes on")
  func several() async throws {
    let (both, one) = (Received<ProcessSignal>(), Received<ProcessSignal>())
    let first = Signal.processSignals(.user1, .hangUp, .user1).receive(into: both)
    let second = Signal.processSignals(.hangUp).receive(into: one)
    raise(.user1)
    try await eventually("the first") { both.values == [.user1] }
    raise(.hangUp)
    try await eventually("the second") { both.values == [.user1, .hangUp] && one.values == [.hangUp] }
    first.dispose()
    raise(.hangUp)
    try await eventually("the third") { one.values == [.hangUp, .hangUp] }
    #expect(both.values.count == 2)
    second.dispose()
  }

  @Test("a signal that comes behind more than the pipe can hold is not lost")
  func flood() async throws {
    let (flood, other) = (Received<ProcessSignal>(), Received<ProcessSignal>())
    let goOn = DispatchSemaphore(value: 0)
    let isBlocked = DispatchSemaphore(value: 0)
    let first = Signal.processSignals(.user1).prefix(1)
      .handle { _ in
        isBlocked.signal()
        goOn.wait()
      }.receive(into: flood)
    let second = Signal.processSignals(.user1).receive(into: Received<ProcessSignal>())
    let third = Signal.processSignals(.user2).receive(into: other)
    raise(.user1)
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        isBlocked.wait()
        // Handled on this thread, before each call returns: a thread begins with the signals blocked that its creator blocks.
        var both = sigset_t()
        sigemptyset(&both)
        for number in [SIGUSR1, SIGUSR2] { sigaddset(&both, number) }
        pthread_sigmask(SIG_UNBLOCK, &both, nil)
        for _ in 0..<70_000 { Foundation.raise(SIGUSR1) }
        Foundation.raise(SIGUSR2)
        goOn.signal()
        done.resume()
      }
    }
    try await eventually("the other signal") { other.values == [.user2] }
    for subscription in [first, second, third] { subscription.dispose() }
  }

  @Test("what was set before is set again when the last subscriber has left")
  func restored() async throws {
    signal(SIGUSR2, SIG_IGN)
    defer { signal(SIGUSR2, SIG_DFL) }
    let before = handler(.user2)
    let first = Signal.processSignals(.user2).receive(into: Received<ProcessSignal>())
    let received = Received<ProcessSignal>()
    let second = Signal.processSignals(.user2).receive(into: received)
    #expect(handler(.user2) != before)
    first.dispose()
    #expect(handler(.user2) != before)
    raise(.user2)
    try await eventually("the signal") { received.values == [.user2] }
    second.dispose()
    #expect(handler(.user2) == before)
    // It is ignored again, so this does nothing.
    raise(.user2)
    let again = Signal.processSignals(.user2).receive(into: received)
    raise(.user2)
    try await eventually("the signal") { received.values == [.user2, .user2] }
    again.dispose()
  }

  @Test("what somebody else has set meanwhile stays")
  func replaced() {
    let subscription = Signal.processSignals(.windowChange).receive(into: Received<ProcessSignal>())
    signal(SIGWINCH, SIG_IGN)
    let set = handler(.windowChange)
    subscription.dispose()
    #expect(handler(.windowChange) == set)
    signal(SIGWINCH, SIG_DFL)
  }

  @Test("signals that nobody can handle, and faults, fail", arguments: [SIGKILL, SIGSTOP, SIGSEGV, 0, 1_000])
  func impossible(_ number: Int32) {
    let received = Received<ProcessSignal>()
    let before = handler(.resume)
    let subscription = Signal.processSignals(.resume, ProcessSignal(rawValue: number)).receive(into: received)
    #expect(received.failure as? SystemCallError == SystemCallError("sigaction", code: EINVAL))
    #expect(handler(.resume) == before)
    subscription.dispose()
  }
}
