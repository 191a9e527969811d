import Foundation
package import SignalGraph

/// A request to an inspected process, sent as `GET` with the request's `target`.
package enum AttachRequest: Hashable, Sendable {
  /// `/hello`: the identity of the process; the response is a `Hello`.
  case hello
  /// `/snapshot`: the current graph, or a part of it; the response is a `GraphSnapshot`.
  case snapshot(GraphFocus)
  /// `/stream`: the graph repeatedly, at an interval in milliseconds; the response is lines of `SnapshotLine`.
  case stream(GraphFocus, intervalMilliseconds: Int)
  /// `/watch`: the values of one node, up to a number of seconds and lines; the response is lines of `ObservationLine`.
  case watch(node: Node.ID, seconds: Int, lines: Int)
  /// `/trace`: profiles handlers, for a number of seconds from now; the results are in snapshots. The response is a
  /// `TraceAnswer`.
  case trace(seconds: Int)
  /// `/summary`: a few counts of the graph, with the rate over a number of milliseconds from now; the response is a
  /// `GraphSummary`.
  case summary(milliseconds: Int)
  /// `/events`: records events, for a number of seconds from now, and returns those from a number on. The response is a
  /// `RecordedEvents`.
  case events(from: UInt64?, seconds: Int)

  /// The depths that `/snapshot` and `/stream` accept, in edges.
  package static let depths = 0...1_000_000
  /// The intervals that `/stream` accepts, in milliseconds.
  package static let intervals = 100...60_000
  /// The default interval of `/stream`, in milliseconds.
  package static let defaultInterval = 1_000
  /// The durations that `/watch` accepts, in seconds.
  package static let watchSeconds = 1...60
  /// The default duration of `/watch`, in seconds.
  package static let defaultWatchSeconds = 10
  /// The durations that `/trace` accepts, in seconds.
  package static let traceSeconds = 1...3_600
  /// The durations that `/summary` accepts, in milliseconds; with 0 it takes one snapshot.
  package static let summaryTimes = 0...10_000
  /// The durations that `/events` accepts, in seconds.
  package static let eventSeconds = 1...60
  /// The maximum number of events in one response to `/events`.
  package static let largestEventCount = 10_000
  /// The numbers of lines that `/watch` accepts.
  package static let watchLines = 1...1_000
  /// The default maximum number of lines of `/watch`.
  package static let defaultWatchLines = 100

  /// The paths that a process serves.
  package enum Path: String, CaseIterable, Sendable {
    /// See `AttachRequest.hello`.
    case hello = "/hello"
    /// See `AttachRequest.snapshot(_:)`.
    case snapshot = "/snapshot"
    /// See `AttachRequest.stream(_:intervalMilliseconds:)`.
    case stream = "/stream"
    /// See `AttachRequest.watch(node:seconds:lines:)`.
    case watch = "/watch"
    /// See `AttachRequest.trace(seconds:)`.
    case trace = "/trace"
    /// See `AttachRequest.summary(milliseconds:)`.
    case summary = "/summary"
    /// See `AttachRequest.events(from:seconds:)`.
    case events = "/events"
  }

  /// The names of the query items.
  package enum Item: String, CaseIterable, Sendable {
    /// One of `GraphFocus.texts`; may be repeated.
    case focus
    /// `GraphFocus.depth`; needs a focus.
    case depth
    /// The interval of `/stream` or the time of `/summary`, in milliseconds.
    case interval
    /// The node of `/watch`.
    case node
    /// The duration of `/watch`, `/trace` or `/events`, in seconds.
    case seconds
    /// The number of the first event that `/events` returns.
    case from
    /// The maximum number of lines of `/watch`.
    case lines
  }

  /// The path of the request.
  package var path: Path {
    switch self {
    case .hello: .hello
    case .snapshot: .snapshot
    case .stream: .stream
    case .watch: .watch
    case .trace: .trace
    case .summary: .summary
    case .events: .events
    }
  }

  /// The path and the query, percent-encoded, as in the request line.
  package var target: String {
    let items = queryItems
    guard !items.isEmpty else { return path.rawValue }
    return path.rawValue + "?" + items.map { "\($0.0.rawValue)=\(Self.encode($0.1))" }.joined(separator: "&")
  }

  private var queryItems: [(Item, String)] {
    switch self {
    case .hello:
      []
    case .snapshot(let focus):
      focus.queryItems
    case .stream(let focus, let interval):
      focus.queryItems + [(.interval, String(interval))]
    case .watch(let node, let seconds, let lines):
      [(.node, String(node)), (.seconds, String(seconds)), (.lines, String(lines))]
    case .trace(let seconds):
      [(.seconds, String(seconds))]
    case .summary(let milliseconds):
      [(.interval, String(milliseconds))]
    case .events(let from, let seconds):
      (from.map { [(.from, String($0))] } ?? []) + [(.seconds, String(seconds))]
    }
  }

  private static func encode(_ value: String) -> String {
    let unreserved = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }
}

extension GraphFocus {
  fileprivate var queryItems: [(AttachRequest.Item, String)] {
    texts.map { (.focus, $0) } + (depth.map { [(.depth, String($0))] } ?? [])
  }
}
