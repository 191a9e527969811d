public import Logging
import SignalObservability
public import Signals

/// A download whose progress is logged.
public struct Download: Sendable {
  private let percent = Emitter<Int>()
  private let logger: Logger

  /// Makes a download.
  public init(_ logger: Logger) { self.logger = logger }

  /// Notes how far it is.
  public func advance(to percent: Int) { self.percent.send(percent) }

  /// How far it is, in percent.
  public var progress: Signal<Int> { percent.signal.log("download", to: logger, level: .info) }
}
