/// The error for a diagram that a dialect cannot express.
public struct MarblePrintingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, and its remedy.
  public let description: String
}

/// Writes diagrams, for tests, recordings and failure messages alike.
///
/// Parsing its output gives the same diagram, with the diagram's frame length.
///
/// ```swift
/// let diagram = MarbleDiagram(moments: [
///   MarbleMoment(nanoseconds: 2_000_000, events: [.value(.key("a"))]),
///   MarbleMoment(nanoseconds: 90_000_000, events: [.value(.key("b")), .finished]),
/// ])
/// print(try MarblePrinter().print(diagram))  // The long gap becomes a duration.
/// ```
public struct MarblePrinter: Hashable, Sendable {
  /// The notation.
  public var dialect: MarbleDialect
  /// The longest gap in frames that is written as dashes; a longer one becomes a duration.
  public var longestRun: Int

  /// Creates a printer.
  ///
  /// - Parameters:
  ///   - dialect: The notation.
  ///   - longestRun: The longest gap in frames that is written as dashes; a longer one becomes a duration.
  public init(dialect: MarbleDialect = .signals, longestRun: Int = 20) {
    self.dialect = dialect
    self.longestRun = longestRun
  }

  /// Returns the text of a diagram.
  ///
  /// - Parameter diagram: The diagram.
  /// - Throws: ``MarblePrintingError`` if the dialect has no notation for the diagram, or if its parts are inconsistent
  ///   (moments closer than a frame, or out of order).
  /// - Complexity: O(*n*) in the length of the text.
  public func print(_ diagram: MarbleDiagram) throws(MarblePrintingError) -> String {
    try checkFrame(diagram.frame)
    var line = Line(printer: self, frame: diagram.frame, clock: diagram.start)
    var isAnchorPending = diagram.isAnchored
    for moment in diagram.moments {
      if isAnchorPending, moment.nanoseconds >= 0 {
        try line.append("^", at: 0, width: diagram.frame)
        isAnchorPending = false
      }
      let token = token(for: moment)
      let width = moment.isInsideSubscribe ? 0 : width(ofToken: token, frame: diagram.frame)
      try line.append(token, at: moment.nanoseconds, width: width)
    }
    if isAnchorPending { try line.append("^", at: 0, width: diagram.frame) }
    let text = try line.finish(at: diagram.end)
    guard readsBack(text, as: diagram) else {
      throw MarblePrintingError(
        description:
          "The .\(dialect) dialect has no notation for \(text). Use the .signals dialect, or change its events.")
    }
    return text
  }

  /// Returns the text of a subscription diagram.
  ///
  /// - Parameter diagram: The diagram.
  /// - Throws: ``MarblePrintingError`` if the marks are closer than a frame or out of order.
  public func print(_ diagram: SubscriptionDiagram) throws(MarblePrintingError) -> String {
    try checkFrame(diagram.frame)
    var line = Line(printer: self, frame: diagram.frame, clock: 0)
    if let subscribed = diagram.subscribed, subscribed == diagram.unsubscribed {
      try line.append("(^!)", at: subscribed, width: width(ofToken: "(^!)", frame: diagram.frame))
    } else {
      if let subscribed = diagram.subscribed { try line.append("^", at: subscribed, width: diagram.frame) }
      if let unsubscribed = diagram.unsubscribed { try line.append("!", at: unsubscribed, width: diagram.frame) }
    }
    // Nothing follows the text, so its width does not matter.
    return try line.finish(at: max(diagram.end, line.clock))
  }

  private func checkFrame(_ frame: Int64) throws(MarblePrintingError) {
    guard frame > 0 else {
      throw MarblePrintingError(description: "The frame is \(frame) nanoseconds long. Give the diagram one above 0.")
    }
  }

  /// Returns the text of one moment.
  ///
  /// - Parameter moment: The moment; its time does not matter.
  public func token(for moment: MarbleMoment) -> String {
    let events = moment.events.map { Self.text(of: $0, dialect: dialect) }
    if moment.isInsideSubscribe { return "{" + Self.joined(events) + "}" }
    if events.count == 1 { return events[0] }
    return moment.order == .any ? "(" + events.joined(separator: " & ") + ")" : "(" + Self.joined(events) + ")"
  }

  /// Returns the text of one event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - dialect: The notation.
  public static func text(of event: MarbleEvent, dialect: MarbleDialect = .signals) -> String {
    switch event {
    case .finished: "|"
    case .failed(nil): "#"
    case .failed(let name?):
      name.allSatisfy { $0.isMarbleNamePart && MarbleEscaping.isSelfContained($0) } && !name.isEmpty
        ? "#" + name : "#" + MarbleEscaping.write(name, opening: "<", closing: ">")
    case .anyValue: "?"
    case .value(.text(let text)): MarbleEscaping.write(text, opening: "'", closing: "'")
    case .value(.key(let key)):
      isBare(key, dialect: dialect) ? key : MarbleEscaping.write(key, opening: "<", closing: ">")
    }
  }

  /// Whether a key is one character that needs no quoting.
  package static func isBare(_ key: String, dialect: MarbleDialect = .signals) -> Bool {
    let reserved = dialect == .rxjs ? "-|#()^!" : "-|#?()&{}^!'<>"
    // Nearly every key is one byte, which needs no look-up.
    if key.utf8.count == 1, let byte = key.utf8.first {
      return (0x21...0x7E).contains(byte) && !reserved.utf8.contains(byte)
    }
    guard key.count == 1, let character = key.first, !character.isWhitespace else { return false }
    guard LookAlikes.match(character) == nil, LookAlikes.letter(character) == nil else { return false }
    return !reserved.contains(character) && MarbleEscaping.isSelfContained(character)
      && !character.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// Concatenates tokens, separated where a digit and a unit would read as a duration.
  private static func joined(_ tokens: [String]) -> String {
    var result = ""
    for token in tokens { append(token, to: &result) }
    return result
  }

  /// Appends a token. A number followed by a unit must not be a duration (`90h`) nor look like one (`90 h`, `9 ms`):
  /// they become `9 0 h` and `9 m s`.
  fileprivate static func append(_ token: String, to text: inout String) {
    guard let last = text.last, let first = token.first else { return text += token }
    if last.isASCII, last.isNumber, "umsh".contains(first) {
      let number = text.reversed().prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      if number.count > 1 { text.insert(" ", at: text.index(before: text.endIndex)) }
      text += " "
    } else if first == "s", "um".contains(last), let number = text.dropLast().reversed().first(where: { $0 != " " }),
      text.dropLast().last == " ", number.isASCII, number.isNumber
    {
      text += " "
    }
    text += token
  }

  package func width(ofToken token: String, frame: Int64) -> Int64 {
    dialect == .rxjs && token.hasPrefix("(") ? frame &* Int64(token.count { $0 != " " }) : frame
  }

  /// Returns the text of a gap: dashes, or a duration with a space on both sides.
  package func gap(_ nanoseconds: Int64, frame: Int64) -> String {
    let frame = max(1, frame)
    if nanoseconds % frame == 0, nanoseconds / frame <= Int64(longestRun) {
      return String(repeating: "-", count: Int(nanoseconds / frame))
    }
    let units = dialect == .rxjs ? ["ms", "s", "m"] : MarbleDuration.units.map(\.name)
    return " \(MarbleDuration.compact(nanoseconds, units: units)) "
  }

  private func readsBack(_ text: String, as diagram: MarbleDiagram) -> Bool {
    let usesAnchor = diagram.isAnchored
    let read = try? MarbleDiagram(
      text, role: usesAnchor ? .hot : .expectation, dialect: dialect, frame: .nanoseconds(diagram.frame))
    // `?` has no meaning in a hot source; it cannot be parsed there, and no hot diagram contains it.
    return read == diagram
  }

  /// Builds one line of text.
  private struct Line {
    let printer: MarblePrinter
    let frame: Int64
    var clock: Int64
    var text = ""

    init(printer: MarblePrinter, frame: Int64, clock: Int64) {
      self.printer = printer
      self.frame = frame
      self.clock = clock
    }

    mutating func append(_ token: String, at time: Int64, width: Int64) throws(MarblePrintingError) {
      try fill(to: time)
      MarblePrinter.append(token, to: &text)
      let (sum, overflow) = clock.addingReportingOverflow(width)
      if overflow { throw MarblePrintingError(description: "The diagram is longer than 292 years. Shorten it.") }
      clock = sum
    }

    mutating func fill(to time: Int64) throws(MarblePrintingError) {
      guard time >= clock else {
        throw MarblePrintingError(
          description: "There is no space before \(MarbleDuration.spoken(time)): the events before it end at "
            + "\(MarbleDuration.spoken(clock)). Use a frame shorter than \(MarbleDuration.spoken(frame)).")
      }
      let (gap, overflow) = time.subtractingReportingOverflow(clock)
      if overflow { throw MarblePrintingError(description: "The diagram is longer than 292 years. Shorten it.") }
      if gap > 0 { text += printer.gap(gap, frame: frame) }
      clock = time
    }

    mutating func finish(at end: Int64) throws(MarblePrintingError) -> String {
      try fill(to: end)
      var result = text.drop(while: \.isWhitespace)
      // Empty text would not be a diagram.
      if result.isEmpty { result = printer.dialect == .rxjs ? "0ms " : "0ms" }
      // RxJS requires a space after a duration, even at the end.
      if printer.dialect == .signals { while result.last?.isWhitespace == true { result.removeLast() } }
      return String(result)
    }
  }
}

extension MarbleDiagram: CustomStringConvertible {
  /// The diagram's text, or the reason why it cannot be written.
  public var description: String {
    do { return try MarblePrinter().print(self) } catch { return error.description }
  }
}

extension SubscriptionDiagram: CustomStringConvertible {
  /// The diagram's text, or the reason why it cannot be written.
  public var description: String {
    do { return try MarblePrinter().print(self) } catch { return error.description }
  }
}
