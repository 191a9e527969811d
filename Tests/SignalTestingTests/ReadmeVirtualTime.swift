import SignalTesting
import Testing

struct Retry {
  var clock: any Clock<Duration> = ContinuousClock()

  func callAsFunction(_ attempt: () async throws -> Void) async throws {
    do { try await attempt() } catch {
      try await clock.sleep(for: .seconds(30))
      try await attempt()
    }
  }
}

@Test func waitsHalfAMinuteBeforeTheSecondAttempt() throws {
  actor Server {
    private(set) var requests = 0
    func ask() throws {
      requests += 1
      if requests == 1 { throw CancellationError() }
    }
  }

  try withVirtualTime { time in
    let server = Server()
    Task { try await Retry(clock: time) { try await server.ask() } }
    try await time.sleep(for: .seconds(29))
    #expect(await server.requests == 1)
    try await time.sleep(for: .seconds(2))
    #expect(await server.requests == 2)
  }
}
