import Foundation
import SignalGraph

/// The reason why a request's target is invalid.
package enum AttachRequestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is nothing at this path.
  case unknownPath(String)
  /// The query has an item that the path does not accept, a duplicate or superfluous one, or one with an invalid value.
  case badItem(name: String, reason: String)

  /// The message for the user.
  package var description: String {
    switch self {
    case .unknownPath(let path):
      "nothing at '\(path)'; the paths are "
        + AttachRequest.Path.allCases.map(\.rawValue).joined(separator: ", ")
    case .badItem(let name, let reason):
      "query item '\(name)': \(reason)"
    }
  }
}

extension AttachRequest {
  /// Parses the target of a request: a path and a percent-encoded query.
  ///
  /// ```text
  /// let request = try AttachRequest(target: "/stream?interval=500&kind=map")
  /// print(request)
  /// ```
  ///
  /// - Parameter target: The text between `GET` and the version of HTTP.
  /// - Throws: ``AttachRequestError`` for an unknown path or item.
  package init(target: String) throws(AttachRequestError) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first.map(String.init) ?? ""
    guard let known = Path(rawValue: path) else { throw .unknownPath(path) }
    var query = try Query(parts.count > 1 ? parts[1] : "")
    switch known {
    case .hello:
      self = .hello
    case .snapshot:
      self = .snapshot(try query.takeFocus())
    case .stream:
      let interval = try query.takeNumber(.interval, in: Self.intervals, unit: "milliseconds")
      self = .stream(try query.takeFocus(), intervalMilliseconds: interval ?? Self.defaultInterval)
    case .watch:
      guard let text = try query.take(.node) else {
        throw .badItem(name: Item.node.rawValue, reason: "is missing; give the identifier of a node, as in node=17")
      }
      guard let node = UInt64(text) else {
        throw .badItem(name: Item.node.rawValue, reason: "'\(text)' is no identifier of a node; give a whole number")
      }
      self = .watch(
        node: node,
        seconds: try query.takeNumber(.seconds, in: Self.watchSeconds, unit: "seconds") ?? Self.defaultWatchSeconds,
        lines: try query.takeNumber(.lines, in: Self.watchLines, unit: "lines") ?? Self.defaultWatchLines)
    case .trace:
      guard let seconds = try query.takeNumber(.seconds, in: Self.traceSeconds, unit: "seconds") else {
        throw .badItem(name: Item.seconds.rawValue, reason: "is missing; say for how long, as in seconds=10")
      }
      self = .trace(seconds: seconds)
    case .summary:
      self = .summary(
        milliseconds: try query.takeNumber(.interval, in: Self.summaryTimes, unit: "milliseconds") ?? 0)
    case .events:
      let text = try query.take(.from)
      let from = text.flatMap { UInt64($0) }
      if let text, from == nil {
        throw .badItem(name: Item.from.rawValue, reason: "'\(text)' is no number of an event; give a whole number")
      }
      guard let seconds = try query.takeNumber(.seconds, in: Self.eventSeconds, unit: "seconds") else {
        throw .badItem(name: Item.seconds.rawValue, reason: "is missing; say for how long, as in seconds=10")
      }
      self = .events(from: from, seconds: seconds)
    }
    try query.finish(path: known)
  }
}

/// The items of a query. Each reader removes its own; the remaining ones are invalid.
private struct Query {
  private var items: [(name: String, value: String)] = []

  init(_ text: Substring) throws(AttachRequestError) {
    for part in text.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = pair[0].removingPercentEncoding,
        let value = (pair.count > 1 ? pair[1] : "").removingPercentEncoding
      else { throw .badItem(name: String(pair[0]), reason: "is not percent-encoded UTF-8") }
      items.append((name, value))
    }
  }

  mutating func takeAll(_ item: AttachRequest.Item) throws(AttachRequestError) -> [String] {
    let values = items.filter { $0.name == item.rawValue }.map(\.value)
    items.removeAll { $0.name == item.rawValue }
    if values.contains("") { throw .badItem(name: item.rawValue, reason: "has no value; give one after '='") }
    return values
  }

  mutating func take(_ item: AttachRequest.Item) throws(AttachRequestError) -> String? {
    let values = try takeAll(item)
    guard values.count <= 1 else { throw .badItem(name: item.rawValue, reason: "is given twice; give it once") }
    return values.first
  }

  mutating func takeNumber(
    _ item: AttachRequest.Item, in range: ClosedRange<Int>, unit: String
  ) throws(AttachRequestError) -> Int? {
    guard let text = try take(item) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let bounds = "from \(range.lowerBound) to \(range.upperBound)"
      throw .badItem(name: item.rawValue, reason: "'\(text)' is not possible; give a number of \(unit) \(bounds)")
    }
    return number
  }

  mutating func takeFocus() throws(AttachRequestError) -> GraphFocus {
    let focus = GraphFocus(
      try takeAll(.focus), depth: try takeNumber(.depth, in: AttachRequest.depths, unit: "edges"))
    guard focus.depth == nil || !focus.texts.isEmpty else {
      throw .badItem(name: AttachRequest.Item.depth.rawValue, reason: "counts edges from a focus; give one too")
    }
    return focus
  }

  func finish(path: AttachRequest.Path) throws(AttachRequestError) {
    guard let rest = items.first else { return }
    throw .badItem(name: rest.name, reason: "is not an item of \(path.rawValue); take it out")
  }
}
