import Limits
import Measuring
import Results
import Signals

/// Values handed to tasks. By hand that is an `AsyncStream`, and a loop over it.
///
/// All tasks run on an executor that the row itself drives, so that the threads of the machine play no part.
enum TaskRows {
  static let all = [
    values(burst: 1, called: "values, one by one"),
    values(burst: 100, called: "values, bursts of 100"),
    mapAsync(burst: 1, called: "mapAsync, one by one"),
    mapAsync(burst: 100, called: "mapAsync, bursts of 100"),
  ]

  /// So many values are sent, and then taken by a loop.
  private static func values(burst: Int, called name: String) -> Row {
    Row(
      name, operations: 100_000, goal: 1.5, batch: burst,
      [
        .signals {
          let (sum, executor, emitter) = (Sum(), HandExecutor(), Emitter<Int>())
          let task = Task(executorPreference: executor) {
            for try await value in emitter.signal.values() { sum.value &+= value }
          }
          return run(executor, burst, sum, task, emitter.send)
        },
        .limit {
          let (sum, executor, emitter) = (Sum(), HandExecutor(), ClosureEmitter<Int>())
          let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
          emitter.add { continuation.yield($0) }
          let task = Task(executorPreference: executor) {
            for await value in stream { sum.value &+= value }
          }
          return run(executor, burst, sum, task, emitter.send)
        },
      ])
  }

  /// So many values are sent, and then go one after the other through an asynchronous closure.
  private static func mapAsync(burst: Int, called name: String) -> Row {
    Row(
      name, operations: 100_000, goal: 1.5, batch: burst,
      [
        .signals {
          let (sum, executor, emitter) = (Sum(), HandExecutor(), Emitter<Int>())
          let subscription = emitter.signal
            .mapAsync(executor: executor) { await twice($0) }
            .subscribe { sum.value &+= $0 }
          return run(executor, burst, sum, subscription, emitter.send)
        },
        .limit {
          let (sum, executor, emitter) = (Sum(), HandExecutor(), ClosureEmitter<Int>())
          let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
          emitter.add { continuation.yield($0) }
          let task = Task(executorPreference: executor) {
            for await value in stream { sum.value &+= await twice(value) }
          }
          return run(executor, burst, sum, task, emitter.send)
        },
      ])
  }

  /// Sends, and lets the tasks run after each burst. Whatever is to be kept is kept.
  private static func run<Kept>(
    _ executor: HandExecutor, _ burst: Int, _ sum: Sum, _ kept: Kept, _ send: @escaping (Int) -> Void
  ) -> Row.Run {
    executor.run()
    return Row.Run(
      perform: { count in
        for _ in 0..<count / burst {
          for value in 0..<burst { send(value) }
          executor.run()
        }
      }, result: { withExtendedLifetime(kept) { sum.value } })
  }

  @inline(never)
  private static func twice(_ value: Int) async -> Int { value &* 2 }
}
