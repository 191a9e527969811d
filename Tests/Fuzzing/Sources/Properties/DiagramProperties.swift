import SignalTesting

/// Diagrams that are made of parts, with any times and any frame, are written or refused; what is written reads as the same diagram. They have a
/// description, a picture, and a comparison with what came at any times.
public func checkDiagrams(_ bytes: UnsafeBufferPointer<UInt8>) {
  var parts = Parts(bytes: bytes[...])
  let frame = parts.number()
  var moments: [MarbleMoment] = []
  for _ in 0..<parts.small(6) {
    let isInside = parts.small(4) == 0
    let order: MarbleMoment.Order = parts.small(2) == 0 ? .asWritten : .any
    let time = parts.number()
    let events = (0...parts.small(3)).map { _ in parts.event() }
    moments.append(MarbleMoment(nanoseconds: time, isInsideSubscribe: isInside, order: order, events: events))
  }
  let start = parts.small(2) == 0 ? nil : parts.number()
  let end = parts.small(2) == 0 ? nil : parts.number()
  let diagram = MarbleDiagram(
    moments: moments, start: start, end: end, isAnchored: parts.small(2) == 0, frame: frame)
  for dialect in MarbleDialect.allCases { _ = try? MarblePrinter(dialect: dialect).print(diagram) }
  require(!diagram.description.isEmpty, "A diagram without a description.")
  require(diagram.svg(name: "a").hasPrefix("<svg"), "A picture that is none.")

  let spans = (0..<2).map { _ in
    SubscriptionDiagram(
      subscribed: parts.small(3) == 0 ? nil : parts.number(), unsubscribed: parts.small(2) == 0 ? nil : parts.number(),
      end: parts.small(2) == 0 ? nil : parts.number(), frame: frame)
  }
  for dialect in MarbleDialect.allCases { _ = try? MarblePrinter(dialect: dialect).print(spans[0]) }
  require(!spans[0].description.isEmpty, "A subscription without a description.")
  let comparison = SubscriptionComparison(expected: [spans[0]], actual: [spans[1]])
  require(comparison.isMatch || !comparison.description.isEmpty, "A difference without a word.")
  let rows = [MarblePicture.Row.subscription(MarblePicture.Span("a", spans[0]))]
  require(MarblePicture(rows: rows, frame: frame).svg().hasPrefix("<svg"), "A picture that is none.")

  checkComparison(of: diagram, with: &parts)
}

private func checkComparison(of diagram: MarbleDiagram, with parts: inout Parts) {
  var actual: [TimedEvent<String>] = []
  for _ in 0..<parts.small(5) {
    let event: ReceivedEvent<String> =
      switch parts.event() {
      case .value(let value): .value(value.string)
      case .anyValue: .value("")
      case .failed: .failed(MarbleFailure())
      case .finished: .finished
      }
    actual.append(
      TimedEvent(nanoseconds: parts.number(), isInsideSubscribe: parts.small(4) == 0, event: event))
  }
  guard let parsed = try? ParsedMarbleDiagram(MarbleText("a"), role: .expectation),
    let template = try? MarbleValues<String>.literal().expectation(parsed).first
  else { stop("The simplest diagram does not read.") }
  let moments = diagram.moments.map { moment in
    var expected = template
    expected.moment = moment
    expected.events = moment.events.map { event in
      switch event {
      case .value(let value): .value(value.string)
      case .anyValue: .anyValue
      case .failed: .failed(MarbleFailure())
      case .finished: .finished
      }
    }
    return expected
  }
  let comparison = MarbleComparison(
    expected: moments, diagram: diagram, actual: actual, name: { MarbleValue.key($0) }, isEqual: ==)
  require(comparison.isMatch == "\(comparison)".isEmpty, "A difference without a word, or words without a difference.")
}

/// Bytes as choices and numbers.
private struct Parts {
  var bytes: Slice<UnsafeBufferPointer<UInt8>>

  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  mutating func small(_ bound: UInt8) -> Int { Int(byte() % bound) }

  /// Times that a test has, and those at which numbers end.
  mutating func number() -> Int64 {
    let edges: [Int64] = [0, 1, -1, .max, .min, .max / 2, .min / 2, .max - 1_000_000, .min + 1_000_000, 1_000_000]
    let choice = byte()
    if choice < 10 { return edges[Int(choice)] }
    if choice < 128 { return Int64(choice) * 1_000_000 }
    return (0..<8).reduce(Int64(0)) { number, _ in number << 8 | Int64(byte()) }
  }

  mutating func event() -> MarbleEvent {
    let texts = [
      "a", "b", "1", "", "two words", "é", "\n", "'", ">", "\\", "👩‍👧", "\u{200D}", "|", "\u{301}", "ms", "\r\n",
    ]
    let text = texts[small(UInt8(texts.count))]
    return switch small(6) {
    case 0: .finished
    case 1: .failed(nil)
    case 2: .failed(text)
    case 3: .anyValue
    case 4: .value(.text(text))
    default: .value(.key(text))
    }
  }
}
