import SignalTesting

private let roles: [MarbleRole] = [.hot, .cold, .expectation]
/// The usual one, and some at which times become small, odd or too large.
private let frames: [Duration] = [.milliseconds(1), .nanoseconds(1), .nanoseconds(7), .nanoseconds(Int64.max / 3)]

/// What is read as a diagram, in either dialect and any role, is written so that it reads as the same diagram, and has a picture.
public func checkMarbles(_ bytes: UnsafeBufferPointer<UInt8>) {
  let text = String(decoding: bytes, as: UTF8.self)
  for dialect in MarbleDialect.allCases {
    for role in roles {
      for frame in frames { checkMarbles(text, role, dialect, frame) }
    }
  }
}

private func checkMarbles(_ text: String, _ role: MarbleRole, _ dialect: MarbleDialect, _ frame: Duration) {
  let diagram: MarbleDiagram
  do { diagram = try MarbleDiagram(text, role: role, dialect: dialect, frame: frame) } catch {
    require(!error.description.isEmpty, "A mistake without a word.")
    return
  }
  for run in frame == frames[0] ? [0, 20] : [20] {
    let printed: String
    do { printed = try MarblePrinter(dialect: dialect, longestRun: run).print(diagram) } catch {
      require(dialect == .rxjs, "\(text.debugDescription), role \(role), frame \(frame): \(error)")
      continue
    }
    do {
      let again = try MarbleDiagram(printed, role: role, dialect: dialect, frame: frame)
      require(again == diagram, "\(text.debugDescription) was written as \(printed.debugDescription).")
    } catch {
      stop("\(text.debugDescription) was written as \(printed.debugDescription), which does not read: \(error)")
    }
  }
  guard role == .expectation else { return }
  require(!diagram.description.isEmpty, "A diagram without a description.")
  // Drawing takes long; one of the frames is enough, another one for each text.
  guard frame == frames[text.utf8.count % frames.count] else { return }
  require(diagram.svg(name: "a", title: text).hasPrefix("<svg"), "A picture that is none.")
}

/// The first line is what is expected; what the second says is received. Both are told, with their picture, whatever differs.
public func checkComparisons(_ bytes: UnsafeBufferPointer<UInt8>) {
  let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
  guard lines.count == 2 else { return }
  let texts = lines.map { String(decoding: $0, as: UTF8.self) }
  for dialect in MarbleDialect.allCases {
    for frame in frames { checkComparisons(texts[0], texts[1], dialect, frame) }
  }
}

private func checkComparisons(_ expected: String, _ received: String, _ dialect: MarbleDialect, _ frame: Duration) {
  guard
    let expected = try? ParsedMarbleDiagram(MarbleText(expected), role: .expectation, dialect: dialect, frame: frame),
    let received = try? ParsedMarbleDiagram(MarbleText(received), role: .cold, dialect: dialect, frame: frame),
    let actual = try? MarbleValues<String>.literal().schedule(received),
    let comparison = try? MarbleComparison(expected, values: .literal(), actual: actual)
  else { return }
  require(comparison.isMatch == "\(comparison)".isEmpty, "A difference without a word, or words without a difference.")
}

/// What is read as a subscription is written so that it reads as the same one; two of them are compared.
public func checkSubscriptions(_ bytes: UnsafeBufferPointer<UInt8>) {
  let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
  let texts = lines.map { String(decoding: $0, as: UTF8.self) }
  for dialect in MarbleDialect.allCases {
    for frame in frames {
      let diagrams = texts.compactMap { text in
        checkSubscription(text, dialect, frame, requiresSubscribing: true)
          ?? checkSubscription(text, dialect, frame, requiresSubscribing: false)
      }
      guard let first = diagrams.first else { continue }
      let comparison = SubscriptionComparison(expected: [first], actual: Array(diagrams.dropFirst()))
      require(comparison.isMatch || !comparison.description.isEmpty, "A difference without a word.")
    }
  }
}

private func checkSubscription(
  _ text: String, _ dialect: MarbleDialect, _ frame: Duration, requiresSubscribing: Bool
) -> SubscriptionDiagram? {
  guard
    let diagram = try? SubscriptionDiagram(
      text, requiresSubscribing: requiresSubscribing, dialect: dialect, frame: frame)
  else { return nil }
  require(!diagram.description.isEmpty, "A subscription without a description.")
  do {
    let printed = try MarblePrinter(dialect: dialect).print(diagram)
    let again = try SubscriptionDiagram(
      printed, requiresSubscribing: requiresSubscribing, dialect: dialect, frame: frame)
    require(again == diagram || dialect == .rxjs && again.matches(diagram), "\(text) was written as \(printed).")
  } catch {
    require(dialect == .rxjs, "\(text.debugDescription), frame \(frame): \(error)")
  }
  return diagram
}
