import Logging
import ServiceLifecycle
import SignalAsync
import SignalGraph
import SignalObservability
import SignalRecording
import Testing

@Suite struct ServiceTests {
  private struct Broken: Error {}

  /// Takes prices until it is shut down.
  private struct PriceService: Service {
    let prices: AsyncStream<Int>
    let began: @Sendable () -> Void

    func run() async throws {
      for await _ in prices.traced("prices").cancelOnGracefulShutdown() { began() }
    }
  }

  private struct BrokenService: Service {
    func run() async throws { throw Broken() }
  }

  private let recorder = GraphRecorder()

  private func nodes() -> [String] {
    let snapshot = recorder.snapshot()
    let kinds = Dictionary(uniqueKeysWithValues: snapshot.definitions.map { ($0.id, $0.kind) })
    return snapshot.nodes.map { "\(kinds[$0.definition] ?? "") \($0.name ?? "") of \($0.owner ?? "-") \($0.state)" }
  }

  @Test func whatAServiceMakesBelongsToIt() async throws {
    let prices = AsyncStream<Int>.makeStream()
    let began = AsyncStream<Void>.makeStream()
    let service = PriceService(prices: prices.stream) { began.continuation.yield() }
    try await recorder.record {
      var logger = Logger(label: "test")
      logger.logLevel = .critical
      let group = ServiceGroup(services: [service.graphOwner()], logger: logger)
      try await withThrowingTaskGroup { tasks in
        tasks.addTask { try await group.run() }
        prices.continuation.yield(1)
        for await _ in began.stream { break }
        #expect(
          nodes() == ["service PriceService of - live", "stream prices of PriceService live"])
        #expect(recorder.snapshot().nodes.allSatisfy { $0.findings.isEmpty })
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
    }
    // The task of `cancelOnGracefulShutdown()` that iterates may release its iterator a moment after the service has ended.
    let ended = ["service PriceService of - finished", "stream prices of PriceService disposed"]
    let limit = ContinuousClock.now + .seconds(60)
    while nodes() != ended, ContinuousClock.now < limit { await Task.yield() }
    #expect(nodes() == ended)
    #expect(recorder.snapshot().nodes.allSatisfy { $0.findings.isEmpty })
  }

  @Test func aServiceThatFailsSaysSo() async throws {
    _ = await recorder.record {
      await #expect(throws: Broken.self) { try await BrokenService().graphOwner("prices").run() }
    }
    #expect(nodes() == ["service prices of - failed"])
    #expect(recorder.snapshot().nodes.first?.failure == "Broken()")
  }
}
