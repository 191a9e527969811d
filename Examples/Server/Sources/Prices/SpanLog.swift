import InMemoryTracing
import Synchronization

/// The last spans, as text. A program of yours has a tracer of its own, which exports them.
public final class SpanLog: Sendable {
  /// Where spans go.
  public let tracer = InMemoryTracer()
  private let lines = Mutex<[String]>([])

  /// Makes a log without spans.
  public init() {}

  /// The last spans, a line each.
  public var text: String {
    let new = tracer.popFinishedSpans().map { span in
      let time = Double(span.endInstant.nanosecondsSinceEpoch - span.startInstant.nanosecondsSinceEpoch) / 1_000_000
      let events = span.events.map { $0.name.split(separator: " ").first ?? "" }.joined(separator: ", ")
      return
        "\(span.operationName) \(time) ms trace \(span.traceID) below \(span.parentSpanID ?? "nothing") [\(events)]"
    }
    return lines.withLock { lines in
      lines = Array((lines + new).suffix(200))
      return lines.map { $0 + "\n" }.joined()
    }
  }
}
