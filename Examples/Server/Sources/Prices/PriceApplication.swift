public import Hummingbird
import ServiceLifecycle
import SignalObservability
import Signals

/// Reports the live graph until the server stops.
private struct Reporting: Service {
  let metrics: GraphMetrics
  let tracing: GraphTracing

  func run() async throws {
    await cancelWhenGracefulShutdown {
      async let reports: Void = metrics.run(every: .milliseconds(500))
      async let spans: Void = tracing.run()
      _ = await (reports, spans)
    }
  }
}

/// A server that shows prices on a page, takes quotes, and tells what its chains do.
///
/// - Parameters:
///   - port: Where it listens on this machine.
///   - metrics: What `/metrics` shows.
///   - spans: What `/traces` shows.
/// - Returns: The server, which does not run yet.
public func priceApplication(port: Int, metrics: TextMetrics, spans: SpanLog) -> some ApplicationProtocol {
  let board = PriceBoard()
  let router = Router()
  router.add(middleware: TracingMiddleware())
  router.add(middleware: MetricsMiddleware())
  router.get("/") { _, _ in
    let lines = board.lines.map { "<li>\($0)</li>" }.joined()
    let page = """
      <!doctype html><title>Prices</title><h1>Prices</h1><ul>\(lines)</ul>
      <p><a href="/metrics">metrics</a> <a href="/traces">traces</a></p>
      """
    return Response(
      status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: page)))
  }
  // What is sent here has the span of the request above it.
  router.post("/quotes/:cents") { _, context -> HTTPResponse.Status in
    board.quotes.send(Quote(symbol: "YOU", cents: try context.parameters.require("cents", as: Int.self)))
    return .accepted
  }
  router.get("/metrics") { _, _ in metrics.text }
  router.get("/traces") { _, _ in spans.text }
  let reporting = Reporting(
    metrics: GraphMetrics(factory: metrics), tracing: GraphTracing(sampling: 1, tracer: spans.tracer))
  return Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
    services: [reporting, PriceService(board: board).graphOwner("PriceService")])
}
