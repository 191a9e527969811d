import SignalTesting
import Signals
import Synchronization
import Testing

/// The task of a global that virtual time uses first outlives the test.
@Suite struct GlobalTaskTests {
  private final class Log: Sendable {
    static let shared = Log()

    let lines: AsyncStream<String>.Continuation
    private let counts = AsyncStream<Int>.makeStream()

    private init() {
      let (stream, lines) = AsyncStream.makeStream(of: String.self)
      self.lines = lines
      Task { [counts] in
        var count = 0
        for await _ in stream {
          count += 1
          counts.continuation.yield(count)
        }
        counts.continuation.finish()
      }
    }

    /// The next number of lines; nil when the log's task has ended.
    func nextCount() async -> Int? {
      var iterator = counts.stream.makeAsyncIterator()
      return await iterator.next()
    }
  }

  @Test(.enabled(if: noticesRealTime)) func taskOfAGlobalIsNotCancelled() async throws {
    try withVirtualTime { time in
      Log.shared.lines.yield("first")
      try time.advance()
    }
    Log.shared.lines.yield("second")
    #expect(await Log.shared.nextCount() == 1)
    #expect(await Log.shared.nextCount() == 2)
  }
}
