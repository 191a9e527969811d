import Hummingbird
import HummingbirdTesting
import Prices
import SignalRecording
import Testing
import Tracing

@Suite struct ServerTests {
  /// Asks until an answer has all of these words.
  private func answer(
    _ path: String, has words: [String], _ client: any TestClientProtocol
  ) async throws -> String {
    var body = ""
    for _ in 0..<600 {
      body = try await client.execute(uri: path, method: .get) { String(buffer: $0.body) }
      if words.allSatisfy(body.contains) { return body }
      try await Task.sleep(for: .milliseconds(50))
    }
    Issue.record("\(path) never had \(words): \(body)")
    return body
  }

  @Test func chainsShowInMetricsAndTraces() async throws {
    Introspection.enable()
    let (metrics, spans) = (TextMetrics(), SpanLog())
    InstrumentationSystem.bootstrap(spans.tracer)
    let server = priceApplication(port: 0, metrics: metrics, spans: spans)
    try await server.test(.live) { client in
      _ = try await answer("/", has: ["ABC", "XYZ"], client)
      try await client.execute(uri: "/quotes/9999", method: .post) { #expect($0.status == .accepted) }
      _ = try await answer("/", has: ["YOU: 9999", "alarm: YOU at 9999"], client)
      _ = try await answer(
        "/metrics",
        has: [
          "signals_values_total{place=\"Prices/PriceBoard.swift:", "kind=\"filter\"} ",
          "signals_findings{rule=\"leak\"} 0",
          "signals_live{place=\"Prices/PriceBoard.swift:",
        ], client)
      let traces = try await answer("/traces", has: ["/quotes/{cents}"], client)
      let request = try #require(traces.split(separator: "\n").first { $0.hasPrefix("/quotes/") })
      let trace = try #require(request.split(separator: " ").drop { $0 != "trace" }.dropFirst().first)
      // It comes when it has had no effect for a second.
      let later = try await answer("/traces", has: [" trace \(trace) below span"], client)
      let below = later.split(separator: "\n").filter { $0.contains(" trace \(trace) below span") }
      #expect(below.count == 1)
      #expect(below.first?.hasPrefix("quotes ") == true)
      #expect(below.first?.contains("dear") == true)
    }
  }
}
