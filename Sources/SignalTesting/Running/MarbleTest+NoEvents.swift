import SignalPicture
public import Signals

extension MarbleTest {
  /// Subscribes to a signal and expects no event: no value, no failure and no end.
  ///
  /// ```swift
  /// @Test func waitsForAPause() {
  ///   marbles { m in
  ///     let keys = m.hot("-a-b-c-d-")
  ///     let searches = keys.signal.debounce(for: .milliseconds(5), on: m.scheduler)
  ///     m.expectNoEvents(of: searches, for: .milliseconds(9))
  ///   }
  /// }
  /// ```
  ///
  /// The failure message contains the events, as a diagram.
  ///
  /// - Parameters:
  ///   - signal: The signal under test; its values may be of any type.
  ///   - duration: The length of the subscription, at least a nanosecond; as long as there is work by default. An event
  ///     at the last instant counts.
  public func expectNoEvents<Value: Sendable>(
    of signal: Signal<Value>, for duration: Duration? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    _ = declare(at: MarbleText("", source: source)) {
      let last = duration.map { Int64(clamping: $0.attoseconds / 1_000_000_000) }
      if let duration, let last, last <= 0 {
        throw MarbleRunError(
          "for: \(ProbeText.spoken(duration)) is too short. Pass at least 1 ns, or none to watch as long "
            + "as there is work.")
      }
      // An event at the last instant counts, as with a probe.
      let end = last?.addingSaturated(1)
      let recorder = EventRecorder<Value>(scheduler: scheduler)
      // Copied, because the test's own closures must not retain the test.
      let frame = frame
      let span = SubscriptionDiagram(subscribed: 0, unsubscribed: end)
      func difference() -> MarbleFailureText {
        let events = recorder.events
        guard !events.isEmpty else { return .nothing }
        let recorded = RecordedDiagram(
          events, frame: frame.exactNanoseconds ?? 1, values: MarbleValues(), areTextsEnough: true
        ) { _, _ in
          false
        }
        let count = events.count == 1 ? "1 event" : "\(events.count) events"
        return MarbleFailureText(
          message: "expected nothing, but \(count) arrived\n\nreceived: \(recorded.words)".framed)
      }
      observe(
        signal, recorder, span, at: source, until: end ?? 0, difference: difference,
        picture: { [weak self] in
          self?.picture(of: recorder.events, text: MarbleText("", source: source), span: span)
        })
    }
  }
}
