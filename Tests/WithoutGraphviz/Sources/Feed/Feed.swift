public import Signals

/// Headlines as they are to be shown.
public struct Feed: Sendable {
  private let headlines = Emitter<String>()

  /// Makes an empty feed.
  public init() {}

  /// Adds a headline.
  public func add(_ headline: String) { headlines.send(headline) }

  /// The headlines in capitals, without repetitions.
  public var shown: Signal<String> { headlines.signal.removeDuplicates().map { $0.uppercased() } }
}
