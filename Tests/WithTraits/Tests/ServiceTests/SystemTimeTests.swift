#if os(Linux)
  import Logging
  import ServiceLifecycle
  import SignalTesting
  import Testing

  /// The time limits of swift-service-lifecycle, which it waits for with `Task.sleep`.
  @Suite("ServiceLifecycle in virtual system time") struct SystemTimeTests {
    /// Ignores the request to shut down, and ends when it is cancelled.
    private struct Stubborn: Service {
      func run() async throws { try? await Task.sleep(for: .seconds(86_400)) }
    }

    @Test("a group cancels a service that has not ended after its limit") func gracefulShutdown() throws {
      try withVirtualTime(systemTime: .virtual) { _ in
        var configuration = ServiceGroupConfiguration(services: [Stubborn()], logger: Logger(label: "test"))
        configuration.maximumGracefulShutdownDuration = .seconds(30)
        let group = ServiceGroup(configuration: configuration)
        let start = ContinuousClock.now
        let run = Task { try await group.run() }
        try await Task.sleep(for: .seconds(100))
        await group.triggerGracefulShutdown()
        _ = await run.result
        #expect(start.duration(to: .now) == .seconds(130))
      }
    }
  }
#endif
