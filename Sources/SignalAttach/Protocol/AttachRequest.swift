import Foundation
public import SignalGraph

/// A question to an inspected process, sent as `GET` with the request's `target`.
public enum AttachRequest: Hashable, Sendable {
  /// `/hello`: who the process is; answered by a `Hello`.
  case hello
  /// `/snapshot`: the graph as it is, or a part of it; answered by a `GraphSnapshot`.
  case snapshot(GraphFocus)
  /// `/stream`: the graph again and again, every so many milliseconds; answered by lines of `SnapshotLine`.
  case stream(GraphFocus, intervalMilliseconds: Int)
  /// `/watch`: the values of one node, for so many seconds and lines at most; answered by lines of `ObservationLine`.
  case watch(node: Node.ID, seconds: Int, lines: Int)
  /// `/trace`: notes what handlers send and take, for so many seconds from now; snapshots say it. Answered by a `TraceAnswer`.
  case trace(seconds: Int)
  /// `/summary`: a few numbers of the graph, with the rate of so many milliseconds from now; answered by a `GraphSummary`.
  case summary(milliseconds: Int)
  /// `/events`: records what happens, for so many seconds from now, and tells what has happened from an event on. Answered by a `RecordedEvents`.
  case events(from: UInt64?, seconds: Int)

  /// The depths that `/snapshot` and `/stream` take, in edges.
  public static let depths = 0...1_000_000
  /// The intervals that `/stream` takes, in milliseconds.
  public static let intervals = 100...60_000
  /// The interval of `/stream` when none is given, in milliseconds.
  public static let defaultInterval = 1_000
  /// How long `/watch` may last, in seconds.
  public static let watchSeconds = 1...60
  /// How long `/watch` lasts when no time is given, in seconds.
  public static let defaultWatchSeconds = 10
  /// How long `/trace` may last, in seconds.
  public static let traceSeconds = 1...3_600
  /// For how long `/summary` may watch, in milliseconds; with 0 it looks once.
  public static let summaryTimes = 0...10_000
  /// For how many seconds `/events` may record.
  public static let eventSeconds = 1...60
  /// How many events one answer to `/events` has at most.
  public static let largestEventCount = 10_000
  /// How many lines `/watch` may send.
  public static let watchLines = 1...1_000
  /// How many lines `/watch` sends at most when no number is given.
  public static let defaultWatchLines = 100

  /// The paths that a process answers.
  public enum Path: String, CaseIterable, Sendable {
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
  public enum Item: String, CaseIterable, Sendable {
    /// One of `GraphFocus.texts`; may be repeated.
    case focus
    /// `GraphFocus.depth`; needs a focus.
    case depth
    /// The interval of `/stream` or the time of `/summary`, in milliseconds.
    case interval
    /// The node of `/watch`.
    case node
    /// How long `/watch`, `/trace` or `/events` lasts, in seconds.
    case seconds
    /// The number of the first event that `/events` tells.
    case from
    /// How many lines `/watch` sends.
    case lines
  }

  /// The path that the request goes to.
  public var path: Path {
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

  /// The path and the query, percent-encoded, as they stand in the request line.
  public var target: String {
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
