import Dispatch
import Signals
import Synchronization
import Testing

@testable import SignalTesting

/// Tasks and queues of chains that ``cancelEverywhere`` has disposed.
@Suite struct CancelledTaskTests {
  private func messages(_ declare: (MarbleTest) -> Void) -> [String] {
    heldFailures { cancelEverywhere(declare) }.map(\.message)
  }

  @Test func readerThatIgnoresCancellationIsFound() throws {
    let line = #line + 5
    let messages = messages { m in
      let socket = Socket()
      m.at(.milliseconds(1)) { socket.push("a") }
      m.at(.milliseconds(4)) { socket.push(nil) }
      m.expect(socket, "-a--|")
    }
    try #require(messages.count == 1, "\(messages)")
    #expect(messages[0].contains("task still running: reader of the sequence at CancelledTaskTests.swift:\(line)"))
    #expect(messages[0].contains("it was cancelled when its subscription ended, and has not finished since"))
    #expect(messages[0].contains("make next() of the sequence respond to cancellation"))
  }

  @Test func readerOfElementsThatIgnoresCancellationIsFound() throws {
    let line = #line + 4
    let messages = messages { m in
      let socket = Socket()
      m.at(.milliseconds(1)) { socket.push("a") }
      m.expect(m.elements(of: socket).handle(onValue: { _ in socket.push(nil) }), "-(a|)")
    }
    try #require(messages.count == 1, "\(messages)")
    #expect(messages[0].contains("task still running: reader of the sequence at CancelledTaskTests.swift:\(line)"))
  }

  @Test(.enabled(if: TaskHooks.areThere)) func requestThatIgnoresCancellationIsFound() throws {
    let messages = messages { m in
      let (socket, keys) = (Socket(), m.hot("-a-----------|"))
      m.task { m in
        try await m.sleep(for: .milliseconds(9))
        socket.push("x")
      }
      m.expect(keys.signal.mapAsync { _ in await socket.next() ?? "" }, "---------x---|")
    }
    try #require(messages.count == 1, "\(messages)")
    #expect(messages[0].contains("task still running: task of an expectation <- mapAsync"))
  }

  @Test(.enabled(if: noticesRealTime)) func queueUsedAtTheDisposalIsFound() throws {
    let queue = DispatchQueue(label: "closing")
    let messages = messages { m in
      let source = m.hot("-a---b-|")
      let closing = Signal<String> { producer in
        let hasEnded = Property(false)
        let mark: @Sendable () -> Void = { hasEnded.value = true }
        producer.onDisposal { if !hasEnded.value { queue.async {} } }
        producer.own(
          source.signal.handle(onFailure: { _ in mark() }, onFinish: mark).subscribeToEvents {
            producer.send(event: $0)
          })
      }
      m.expect(closing, "-a---b-|")
    }
    try #require(messages.count == 1, "\(messages)")
    #expect(messages[0].contains("Something left virtual time."), "\(messages)")
    #expect(messages[0].contains("submitted work to a dispatch queue"), "\(messages)")
    #expect(messages[0].contains("received"), "\(messages)")
  }

  @Test func healthyReadersReportNothing() {
    cancelEverywhere { m in
      let (stream, continuation) = AsyncStream.makeStream(of: String.self)
      m.at(.milliseconds(1)) { continuation.yield("a") }
      m.at(.milliseconds(4)) { continuation.finish() }
      m.expect(stream, "-a--|")
    }
    cancelEverywhere { m in
      let ticks = AsyncThrowingStream<Int, any Error> { [scheduler = m.scheduler] in
        try await scheduler.sleep(for: .milliseconds(2))
        return 1
      }
      m.expect(m.elements(of: ticks).prefix(2), "--1-(1|)")
    }
  }

  /// Its own tasks are the business of the test.
  @Test(.enabled(if: noticesRealTime)) func queueOfATestsTaskIsIgnored() {
    let queue = DispatchQueue(label: "test")
    cancelEverywhere { m in
      let isLeft = Property(true)
      m.at(.milliseconds(3)) { Task { if isLeft.value { queue.async {} } } }
      m.expect(m.hot("--a--|").signal.handle(onValue: { _ in isLeft.value = false }), "--a--|")
    }
  }

  /// They run on after the disposal, as the test has asked for.
  @Test func runningTasksOfATestAreIgnored() {
    cancelEverywhere { m in
      let log = m.hot("--a--|")
      m.at(.milliseconds(1)) {
        Task { [scheduler = m.scheduler] in
          for _ in 1...3 { try await scheduler.sleep(for: .milliseconds(1)) }
        }
      }
      m.expect(log.signal, "--a--|")
    }
  }
}

/// A sequence whose reader waits for the next element, cancelled or not.
private final class Socket: AsyncSequence, Sendable {
  private struct State {
    var buffer: [String?] = []
    var waiters: [CheckedContinuation<String?, Never>] = []
  }

  private let state = Mutex(State())

  func push(_ element: String?) {
    let waiter = state.withLock { state -> CheckedContinuation<String?, Never>? in
      if !state.waiters.isEmpty { return state.waiters.removeFirst() }
      state.buffer.append(element)
      return nil
    }
    waiter?.resume(returning: element)
  }

  func next() async -> String? {
    await withCheckedContinuation { continuation in
      let element = state.withLock { state -> String?? in
        if !state.buffer.isEmpty { return state.buffer.removeFirst() }
        state.waiters.append(continuation)
        return nil
      }
      if let element { continuation.resume(returning: element) }
    }
  }

  struct Iterator: AsyncIteratorProtocol {
    let socket: Socket
    func next() async -> String? { await socket.next() }
  }

  func makeAsyncIterator() -> Iterator { Iterator(socket: self) }
}
