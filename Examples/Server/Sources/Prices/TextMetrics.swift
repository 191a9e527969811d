import CoreMetrics
import Synchronization

/// Keeps metrics in memory, and writes them as Prometheus reads them. A program of yours has a backend of its own.
public final class TextMetrics: MetricsFactory {
  private let series = Mutex<[String: Series]>([:])

  /// Makes a backend without metrics.
  public init() {}

  /// All metrics, a line each.
  public var text: String {
    series.withLock { $0.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.number)\n" }.joined() }
  }

  private func series(_ label: String, _ dimensions: [(String, String)]) -> Series {
    let labels = dimensions.map { "\($0)=\"\($1.filter { $0 != "\"" && $0 != "\n" })\"" }.joined(separator: ",")
    let name = label.map { $0.isLetter || $0.isNumber ? $0 : "_" }
    let key = String(name) + (labels.isEmpty ? "" : "{\(labels)}")
    return series.withLock { all in
      let known = all[key] ?? Series()
      all[key] = known
      return known
    }
  }

  /// Makes a counter.
  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, dimensions)
  }

  /// Makes a recorder; of what it records, the last is kept.
  public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    series(label, dimensions)
  }

  /// Makes a timer; of what it records, the last is kept.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions)
  }

  /// Keeps it.
  public func destroyCounter(_ handler: any CounterHandler) {}

  /// Keeps it.
  public func destroyRecorder(_ handler: any RecorderHandler) {}

  /// Keeps it.
  public func destroyTimer(_ handler: any TimerHandler) {}
}

private final class Series: CounterHandler, RecorderHandler, TimerHandler {
  private let value = Mutex(0.0)

  var number: Double { value.withLock { $0 } }

  func increment(by amount: Int64) { value.withLock { $0 += Double(amount) } }

  func reset() { value.withLock { $0 = 0 } }

  func record(_ value: Int64) { self.value.withLock { $0 = Double(value) } }

  func record(_ value: Double) { self.value.withLock { $0 = value } }

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }
}
