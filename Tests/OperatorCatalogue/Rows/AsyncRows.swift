import SignalTesting
import Signals

extension OperatorCatalogue {
  /// Operators and sources that run tasks. Under test their tasks run in virtual time.
  static let asynchronous = [
    OperatorEntry(
      "mapAsync", file: "Operators/MapAsync.swift",
      forms: [
        OperatorForm(mixesSenders: true, delivery: .partlyScheduled, exemptions: cancelledLate) { up, inputs in
          up.mapAsync(executor: inputs.executor) { value in
            try inputs.visit(value)
            return value
          }
        },
        OperatorForm(
          "two at a time", mixesSenders: true, delivery: .partlyScheduled, exemptions: cancelledLate
        ) { up, inputs in
          up.mapAsync(maxConcurrent: 2, executor: inputs.executor) { value in
            try inputs.visit(value)
            return value
          }
        },
        OperatorForm(
          "as they come", passage: .shuffled, mixesSenders: true, delivery: .partlyScheduled, exemptions: cancelledLate
        ) { up, inputs in
          up.mapAsync(maxConcurrent: 3, keepsOrder: false, executor: inputs.executor) { value in
            try inputs.visit(value)
            return value
          }
        },
        OperatorForm(
          "newest", passage: .some, mixesSenders: true, delivery: .partlyScheduled, load: .valuesMayBeDropped,
          exemptions: cancelledLate
        ) { up, inputs in
          up.mapAsync(overflow: .newest(4), executor: inputs.executor) { value in
            try inputs.visit(value)
            return value
          }
        },
      ],
      diagrams: [
        "source.mapAsync(executor: scheduler) { try await load($0) }": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          let load = loading(scheduler)
          return shown(source.mapAsync(executor: scheduler) { try await load($0) })
        },
        "source.mapAsync(maxConcurrent: 2, executor: scheduler) { try await load($0) }": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          let load = loading(scheduler)
          return shown(source.mapAsync(maxConcurrent: 2, executor: scheduler) { try await load($0) })
        },
        "source.mapAsync(maxConcurrent: 2, keepsOrder: false, executor: scheduler) { try await load($0) }": { row in
          let (source, scheduler) = try (row.texts("source"), row.scheduler)
          let load = loading(scheduler)
          return shown(source.mapAsync(maxConcurrent: 2, keepsOrder: false, executor: scheduler) { try await load($0) })
        },
      ],
      costs: [
        CostSample(nil, .timed) { $0.first.signal.mapAsync(executor: $0.scheduler) { $0 }.subscribe { _ in } }
      ]),

    OperatorEntry(
      "async", .source, file: "Sources/Async.swift",
      chains: [
        LeakChain("async, merged") { up, inputs in
          up.merge(with: .async(executor: inputs.executor) { 1 })
        }
      ],
      diagrams: [
        "Signal.async(executor: scheduler) { try await load() }": { row in
          let scheduler = row.scheduler
          let load: @Sendable () async throws -> String = {
            try await scheduler.sleep(for: .milliseconds(3))
            return "a"
          }
          return shown(Signal.async(executor: scheduler) { try await load() })
        }
      ],
      costs: [CostSample(nil, .none) { Signal.async(executor: $0.scheduler) { 1 }.subscribe { _ in } }]),

    OperatorEntry(
      "asyncSequence", .source, file: "Sources/AsyncSequence.swift",
      chains: [
        LeakChain("asyncSequence, merged") { up, inputs in
          up.merge(with: .asyncSequence(AsyncStream<Int> { _ in }, executor: inputs.executor))
        }
      ],
      diagrams: [
        "Signal.asyncSequence(letters, executor: scheduler)": { row in
          let scheduler = row.scheduler
          let letters = AsyncStream { continuation in
            let task = scheduler.task {
              for letter in ["a", "b", "c"] {
                try await scheduler.sleep(for: .milliseconds(2))
                continuation.yield(letter)
              }
              continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
          }
          return shown(Signal.asyncSequence(letters, executor: scheduler))
        }
      ],
      costs: [
        CostSample(nil, .timed) {
          Signal.asyncSequence($0.first.signal.values(), executor: $0.scheduler).subscribe { _ in }
        }
      ]),

    OperatorEntry(
      "result", .source, file: "Sources/Result.swift",
      diagrams: [
        "Signal.result(success)": { _ in
          let success = Result<String, FixtureError>.success("a")
          return shown(Signal.result(success))
        },
        "Signal.result(failure)": { _ in
          let failure = Result<String, FixtureError>.failure(FixtureError(.string("error")))
          return shown(Signal.result(failure))
        },
      ],
      costs: [CostSample(nil, .none) { _ in Signal.result(Result<Int, Never>.success(1)).subscribe { _ in } }]),
  ]

  private static let cancelledLate: [OperatorCheck: String] = [
    .release: "a task that was started has to run, to see that it was cancelled: nobody can take it back"
  ]

  /// Takes three milliseconds for `a`, and one for anything else.
  private static func loading(_ scheduler: VirtualTimeScheduler) -> @Sendable (String) async throws -> String {
    { name in
      try await scheduler.sleep(for: .milliseconds(name == "a" ? 3 : 1))
      return name
    }
  }
}

extension OperatorInputs {
  /// Runs tasks where the operators of time run their work.
  fileprivate var executor: any TaskExecutor { scheduler as? any TaskExecutor ?? SchedulerExecutor(scheduler) }
}

/// Runs the jobs of tasks as work of a scheduler.
private final class SchedulerExecutor: TaskExecutor {
  private let scheduler: any Scheduler

  init(_ scheduler: any Scheduler) { self.scheduler = scheduler }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    scheduler.schedule { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
