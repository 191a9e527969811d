import Signals
import Synchronization
import Testing

@testable import SignalTesting

/// Operators that start tasks of their own.
@Suite(.enabled(if: TaskHooks.areThere)) struct OperatorTaskTests {
  private func problem(_ start: @escaping @Sendable (Producer<Int>) -> Void) -> String {
    let exemptions: [OperatorCheck: String] = [.endlessAtOnce: "it is built with a producer"]
    let contract = OperatorContract<Int>("starting", delivers: { $0 }, exemptions: exemptions) { upstream, _ in
      Signal { producer in
        start(producer)
        producer.own(upstream.subscribeToEvents { producer.send(event: $0) })
      }
    }
    return ContractChecks(contract, patience: .milliseconds(200)).firstProblem() ?? ""
  }

  @Test func taskThatIsNotCancelledIsFound() {
    let streams = Mutex<[AsyncStream<Int>.Continuation]>([])
    let problem = problem { producer in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      streams.withLock { $0.append(continuation) }
      Task { for await value in stream { producer.send(value) } }
    }
    #expect(problem.contains("breaks law 7"), "\(problem)")
    #expect(problem.contains("The source finished. 1 task of the operator is still running after that."), "\(problem)")
  }

  @Test func taskThatIgnoresCancellationIsFound() {
    let desk = Desk()
    let problem = problem { producer in
      let task = Task { await desk.wait() }
      producer.onDisposal { task.cancel() }
    }
    desk.resumeAll()
    #expect(problem.contains("1 task of the operator is still running after that."), "\(problem)")
  }

  @Test func cancelledTaskPasses() {
    let problem = problem { producer in
      let task = Task { try await Task.sleep(for: .seconds(3_600)) }
      producer.onDisposal { task.cancel() }
    }
    #expect(problem == "")
    let reading = self.problem { producer in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      Task { for await value in stream { producer.send(value) } }
      producer.onDisposal { continuation.finish() }
    }
    #expect(reading == "")
  }

  @Test func taskThatEndsByItselfPasses() {
    let log = Log()
    #expect(problem { producer in producer.onDisposal { Task { await log.add() } } } == "")
    #expect(problem { _ in Task { await log.add() } } == "")
  }

  @Test func taskInRealTimePasses() {
    #expect(problem { _ in Task { try await Task.sleep(for: .milliseconds(1)) } } == "")
    #expect(problem { _ in Task { @MainActor in } } == "")
  }
}

private actor Log {
  private var count = 0
  func add() { count += 1 }
}

private final class Desk: Sendable {
  private let waiters = Mutex<[CheckedContinuation<Void, Never>]>([])

  func wait() async {
    await withCheckedContinuation { waiter in waiters.withLock { $0.append(waiter) } }
  }

  func resumeAll() {
    for waiter in waiters.withLock({ $0 }) { waiter.resume() }
  }
}
