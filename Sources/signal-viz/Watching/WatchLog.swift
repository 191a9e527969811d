import Foundation
import SignalFindings
import SignalGraph
import SignalPicture

/// The output while a program is watched: immediate lines for each finding that appears or disappears, with its notes;
/// or JSON with one object per line.
struct WatchLog {
  var isJSON: Bool
  var sources: SourceFolder

  /// The reason why a watch ended.
  enum End: String, Encodable {
    case interrupted, ended
  }

  func start(_ program: ProcessIdentity, every interval: WatchTime, window: WatchTime) throws {
    if isJSON {
      try write(
        Event(
          event: "start", version: CheckReport.version, program: program, everySeconds: interval.seconds,
          watchedSeconds: window.seconds))
    }
    Terminal.note(
      "Watching \(program.words): a poll every \(interval.words), compared with \(window.words) before. Ctrl-C ends it."
    )
  }

  func found(_ finding: Finding) throws {
    if isJSON { return try write(Event(event: "found", finding: entry(finding))) }
    var lines = [
      "\(now) \(sources.words(finding.place)): \(finding.severity.rawValue): \(finding.message) (\(finding.rule))"
    ]
    lines += finding.related.map { "  \(sources.words($0.place)): note: \($0.message)" }
    lines.append("  note: \(finding.remedy)")
    try Terminal.write(line: lines.joined(separator: "\n"))
  }

  func gone(_ finding: Finding) throws {
    if isJSON { return try write(Event(event: "gone", finding: entry(finding))) }
    try Terminal.write(line: "\(now) \(sources.words(finding.place)): gone: \(finding.message) (\(finding.rule))")
  }

  func end(_ program: ProcessIdentity, _ end: End, _ changes: FindingChanges, after seconds: Double) throws {
    if isJSON {
      return try write(
        Event(
          event: "end", watchedSeconds: seconds, reason: end, foundCount: changes.foundCount,
          goneCount: changes.goneCount))
    }
    let found = changes.foundCount == 0 ? "nothing found" : "\(changes.foundCount) found"
    let gone = changes.goneCount == 0 ? "" : ", \(changes.goneCount) of them gone"
    let why = end == .ended ? "\(program.words) has ended" : "\(program.words) goes on"
    try Terminal.write(line: "\(now) \(why): \(found)\(gone), watched for \(WatchTime(seconds: seconds).words).")
  }

  private func entry(_ finding: Finding) -> CheckReport.Entry { CheckReport.Entry(finding, sources: sources) }

  private var now: String { TimeOfDay.words }

  private struct Event: Encodable {
    var event: String
    var at = Date().formatted(.iso8601)
    var version: Int?
    var program: ProcessIdentity?
    var everySeconds: Double?
    var watchedSeconds: Double?
    var finding: CheckReport.Entry?
    var reason: End?
    var foundCount: Int?
    var goneCount: Int?
  }

  private func write(_ event: Event) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try Terminal.write(json: encoder.encode(event) + Data("\n".utf8))
  }
}
