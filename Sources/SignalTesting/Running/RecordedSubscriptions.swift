import SignalPicture
import Signals

extension MarbleTest {
  /// Adds an expectation of subscriptions whose diagrams have yet to be written: it records them, and fails.
  func recordSubscriptions<Value>(of input: MarbleInput<Value>, _ texts: [MarbleText], at source: MarbleSource) {
    guard !hasBegun else {
      return fail("This is declared while the test runs, or after it. Declare everything first.", texts[0])
    }
    noteAsserted(input.log)
    add(
      SubscriptionRecording(
        log: input.log, texts: texts, source: source, frame: frame.exactNanoseconds ?? 1, dialect: dialect,
        picture: { [weak self] in self?.picture(of: $0, place: source) }),
      until: 0)
  }
}

/// The subscriptions of a source, for a test that has no diagrams of them yet.
private struct SubscriptionRecording: MarbleCheck {
  let log: SubscriptionLog
  let texts: [MarbleText]
  let source: MarbleSource
  let frame: Int64
  let dialect: MarbleDialect
  let picture: (SubscriptionComparison) -> MarblePicture?

  func verify(_ failures: MarbleFailures) {
    let actual = log.diagrams(frame: frame)
    let received =
      actual.isEmpty
      ? "received: no subscription. If that is right, write expectNoSubscriptions(of:)."
      : SubscriptionDiagram.received(actual, dialect: dialect)
    failures.add(
      .difference, "An expectation without a diagram.\n" + received.framed + update(actual), at: source
    ) {
      var picture = picture(SubscriptionComparison(expected: [], actual: actual))
      for index in picture?.rows.indices ?? 0..<0 {
        guard case .subscription(var span) = picture?.rows[index] else { continue }
        span.isDifferent = false
        picture?.rows[index] = .subscription(span)
      }
      return picture
    }
  }

  func dispose() {}

  /// Writes the recorded subscriptions into the file, if updates are on and there is one diagram for each subscription.
  private func update(_ actual: [SubscriptionDiagram]) -> String {
    guard DiagramUpdate.isOn else { return "" }
    guard texts.count == actual.count else {
      return "\n" + "not rewritten: there are \(actual.count) subscriptions and \(texts.count) diagrams.".framed
    }
    return zip(texts, actual).enumerated().map { index, pair in
      DiagramUpdate(pair.0, argument: index).apply("\(pair.1)")
    }.joined()
  }
}
