import Foundation
import SignalGraph
import SignalPicture

/// Reads recordings from files.
enum RecordingFile {
  /// Whether bytes are a trace: they have the key of its events near their beginning.
  static func isTrace(_ data: Data) -> Bool {
    let start = data.prefix(4_096)
    guard let key = start.range(of: Data("\"traceEvents\"".utf8)) else { return false }
    // The same text as a value is not followed by a colon.
    let next = start[key.upperBound...].first { !" \t\r\n".utf8.contains($0) }
    return next == UInt8(ascii: ":")
  }

  /// Reads a recording.
  static func read(_ path: String) throws -> Recording {
    let advice = "give the path of a recording, which `signal-viz record` makes"
    return try read(SnapshotFile.data(of: path, advice: advice), of: path)
  }

  /// Reads a recording from its bytes.
  ///
  /// - Parameter path: The name of its file in errors.
  static func read(_ data: Data, of path: String) throws -> Recording {
    guard isTrace(data) else {
      throw Failure("\(path): this is not a recording; `signal-viz record` makes one. `render` draws a snapshot.")
    }
    let file: File = try decode(data, path)
    let own = try part(file.signals, path)
    let first = own.graphs[0]
    var threads: [Int: String] = [:]
    for event in file.traceEvents where event.ph == "M" && event.name == "thread_name" {
      if let row = event.tid { threads[row] = event.args?.name }
    }
    var recording = Recording(
      process: first.process, startedAt: own.startedAt, seconds: own.seconds, graphs: own.graphs, lost: own.lost,
      thinned: own.thinned, cut: own.cut)
    for event in file.traceEvents where event.ph == "X" {
      if event.cat == TraceFile.missing, let time = event.ts.flatMap(nanoseconds), let count = event.args?.count {
        let duration = event.dur.flatMap(nanoseconds) ?? 0
        recording.gaps.append(Recording.Gap(time: time, duration: duration, count: count))
      }
      guard let kind = event.cat.flatMap(GraphEvent.Kind.init(rawValue:)), let node = event.args?.node,
        let time = event.ts.flatMap(nanoseconds)
      else { continue }
      recording.events.append(
        GraphEvent(
          kind, node: node, first: event.args?.first, cause: event.args?.cause ?? 0, time: time,
          duration: event.dur.flatMap(nanoseconds) ?? 0,
          thread: event.args?.thread ?? event.tid.flatMap { threads[$0] } ?? "", origin: event.args?.origin,
          by: event.args?.by, parent: event.args?.parent
        ).bounded)
    }
    recording.events.sort { ($0.time, $1.duration) < ($1.time, $0.duration) }
    return recording
  }

  /// The graphs of a recording, in order.
  static func graphs(_ data: Data, _ path: String) throws -> [GraphSnapshot] {
    let file: Graphs = try decode(data, path)
    return try part(file.signals, path).graphs
  }

  private static func part(_ own: TraceFile.OwnPart?, _ path: String) throws -> TraceFile.OwnPart {
    guard let own, !own.graphs.isEmpty else {
      throw Failure("\(path): this is not a recording of `signal-viz record`: it has no graph.")
    }
    guard own.version <= TraceFile.OwnPart.currentVersion else {
      throw Failure(
        "\(path): this recording has version \(own.version), and this signal-viz reads up to \(TraceFile.OwnPart.currentVersion); update signal-viz."
      )
    }
    for graph in own.graphs {
      do {
        try graph.validate()
      } catch {
        throw Failure("\(path): \("\(error)".displayable(limit: 1_000))")
      }
      guard graph.process == own.graphs[0].process else {
        throw Failure("\(path): the recording has graphs of two processes.")
      }
    }
    guard (0...1e9).contains(own.seconds), (0...1e11).contains(own.startedAt) else {
      throw Failure("\(path): the recording has invalid timestamps.")
    }
    return own
  }

  private static func decode<Content: Decodable>(_ data: Data, _ path: String) throws -> Content {
    do {
      return try JSONDecoder().decode(Content.self, from: data)
    } catch let error as DecodingError {
      let (context, what): (DecodingError.Context, String) =
        switch error {
        case .dataCorrupted(let context): (context, "this is incomplete, or not JSON")
        case .keyNotFound(let key, let context): (context, "`\(key.stringValue)` is missing")
        case .valueNotFound(_, let context): (context, "a value is missing")
        case .typeMismatch(_, let context): (context, "a value has the wrong type")
        @unknown default: throw Failure("\(path): the recording cannot be read: \(error)")
        }
      let place = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
      throw Failure(
        "\(path): the recording cannot be read: \(what)\(place.isEmpty ? "" : " at \(place.dropFirst().description.displayable())")."
      )
    }
  }

  private static func nanoseconds(_ microseconds: Double) -> UInt64? {
    UInt64(exactly: (min(microseconds, 1e15) * 1_000).rounded())
  }

  private struct Graphs: Decodable {
    var signals: TraceFile.OwnPart?
  }

  private struct File: Decodable {
    var traceEvents: [Event]
    var signals: TraceFile.OwnPart?
  }

  private struct Event: Decodable {
    struct Arguments: Decodable {
      var name: String?
      var node: UInt64?
      var first: UInt64?
      var cause: UInt64?
      var origin: Cause.Origin?
      var by: UInt64?
      var parent: UInt64?
      var thread: String?
      var count: UInt64?
    }

    var ph: String
    var name: String?
    var cat: String?
    var ts: Double?
    var dur: Double?
    var tid: Int?
    var args: Arguments?
  }
}
