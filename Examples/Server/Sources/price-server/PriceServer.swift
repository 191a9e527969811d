import CoreMetrics
import Hummingbird
import Prices
import SignalInspector
import Tracing

/// Serves prices at http://127.0.0.1:8080, its metrics at `/metrics` and its traces at `/traces`.
@main
struct PriceServer {
  static func main() async throws {
    let (metrics, spans) = (TextMetrics(), SpanLog())
    MetricsSystem.bootstrap(metrics)
    InstrumentationSystem.bootstrap(spans.tracer)
    // Turns the graph on, and lets signal-viz look too.
    let inspector = try await SignalInspector.start()
    print("The graph is served at \(inspector.socketPath)")
    try await priceApplication(port: 8_080, metrics: metrics, spans: spans).runService()
    await inspector.stop()
  }
}
