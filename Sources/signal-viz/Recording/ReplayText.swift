import Foundation
import SignalGraph
import SignalPicture

/// A recording as a table, in the order of time.
struct ReplayText {
  var recording: Recording
  /// The nodes to show; nil for all.
  var nodes: Set<UInt64>?
  /// The end of the table, in nanoseconds since the recording began; nil for all of it.
  var end: UInt64?
  var limit: Int

  var text: String {
    let names = RecordedNames(recording.graphs)
    let all = recording.events.filter { event in
      (end.map { event.time <= $0 } ?? true) && (nodes.map { $0.contains(where: event.isAt) } ?? true)
    }
    let shown = all.prefix(limit)
    let digits = recording.seconds < 10 ? 6 : 3
    let rows = shown.map { event in
      [
        Self.seconds(event.time, digits: digits), Self.took(event), event.thread.displayable(limit: 30),
        event.kind.rawValue, names.title(of: event), Self.cause(event, names),
      ]
    }
    var lines = [heading]
    if !rows.isEmpty {
      lines +=
        TextTable(
          columns: [
            .init(title: "SECONDS", isNumber: true), .init(title: "TOOK", isNumber: true), .init(title: "THREAD"),
            .init(title: "EVENT"), .init(title: "WHAT"), .init(title: "CAUSE"),
          ], rows: rows
        ).lines
    }
    if all.count > shown.count {
      lines.append("\((all.count - shown.count).grouped) more; --limit says how many lines, --place what is shown.")
    } else if all.isEmpty {
      lines.append(nodes == nil ? "Nothing happened." : "Nothing happened there.")
    }
    return lines.joined(separator: "\n")
  }

  private var heading: String {
    let date = Date(timeIntervalSince1970: recording.startedAt).formatted(.iso8601)
    let time = WatchTime(seconds: recording.seconds).words
    return "\(recording.process.words), recorded \(date) for \(time): \(recording.words)"
  }

  private static func seconds(_ nanoseconds: UInt64, digits: Int) -> String {
    let unit: UInt64 = digits == 6 ? 1_000 : 1_000_000
    let parts = nanoseconds / unit
    let scale: UInt64 = digits == 6 ? 1_000_000 : 1_000
    let fraction = String(parts % scale)
    return "\(parts / scale).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
  }

  private static func took(_ event: GraphEvent) -> String {
    switch event.duration {
    case 0: ""
    case ..<1_000_000: "\(max(1, event.duration / 1_000)) µs"
    case ..<10_000_000: "\(Double(event.duration / 100_000) / 10) ms"
    case ..<10_000_000_000: "\(event.duration / 1_000_000) ms"
    default: "\(event.duration / 1_000_000_000) s"
    }
  }

  /// The number of the cause, with its origin if it begins here.
  private static func cause(_ event: GraphEvent, _ names: RecordedNames) -> String {
    guard event.cause > 0 else { return "" }
    return ["\(event.cause)", names.beginning(of: event)].compactMap(\.self).joined(separator: ", ")
  }
}

extension RecordedNames {
  /// The origin of an event's cause, such as "sent by the handler at Feed.swift:42, under 640"; nil if it did not begin
  /// there.
  func beginning(of event: GraphEvent) -> String? {
    guard event.cause > 0, let origin = event.origin else { return nil }
    let what =
      switch origin {
      case .program: "sent by the program"
      case .handler: "sent by the handler"
      case .closure: "sent by a closure"
      case .timer: "by a timer"
      case .task: "by a task"
      case .subscription: "by the subscription"
      case .unknown: "begins here"
      }
    let place = event.by.flatMap { site(of: $0) }.map { " at \($0)" } ?? ""
    return "\(what)\(place)" + (event.parent.map { ", under \($0)" } ?? "")
  }
}
