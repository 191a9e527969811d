import Foundation
import SignalGraph
import SignalPicture

/// The events at some nodes of a recording, as marbles on a common time axis. Marbles of one number and colour have the
/// same cause, which makes a value's path visible.
struct ReplayMarbles {
  /// The number of lines drawn without a selection.
  static let chosenLines = 8
  /// The maximum number of lines in a readable drawing.
  static let largestLineCount = 20
  /// The number of characters of a node's name or location shown beside its line.
  static let nameLength = 40
  /// The maximum number of marbles on a line.
  private static let largestMarbleCount = 200

  var recording: Recording
  /// The nodes to draw; nil for those with the most events.
  var nodes: Set<UInt64>?
  /// The end of the drawing, in nanoseconds since the recording began; nil for all of it.
  var end: UInt64?

  func picture() throws -> MarblePicture {
    let names = RecordedNames(recording.graphs)
    let length = min(end ?? .max, UInt64(nanosecondsOf: max(0.001, recording.seconds)))
    let events = recording.events.filter { $0.time <= length }
    var lines: [UInt64: [GraphEvent]] = [:]
    for event in events {
      guard let nodes else {
        // A source or a handler: where values originate, and what becomes of them.
        if event.kind != .passed || event.origin == .timer { lines[event.node, default: []].append(event) }
        continue
      }
      if event.first - event.node > 1_000 { continue }
      for id in event.node...event.first where nodes.contains(id) { lines[id, default: []].append(event) }
    }
    guard !lines.isEmpty else {
      throw Failure(
        events.isEmpty
          ? "Nothing happened while it was recorded\(end == nil ? "" : ", until then")."
          : "Nothing happened there while it was recorded; `signal-viz replay FILE` lists what did.")
    }
    var notes = recording.notes
    let most = nodes == nil ? Self.chosenLines : Self.largestLineCount
    let chosen = lines.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.prefix(most)
    if lines.count > chosen.count {
      let more = lines.count - chosen.count
      notes.append("\(more.grouped) more node\(more == 1 ? " is" : "s are") not drawn; --place chooses some.")
    }
    // Causes are numbered from 1 in each drawing, in the order of time.
    var numbers: [UInt64: Int] = [:]
    for event in chosen.flatMap({ $0.value.prefix(Self.largestMarbleCount) }).sorted(by: { $0.time < $1.time }) {
      if numbers[event.cause] == nil { numbers[event.cause] = numbers.count + 1 }
    }
    let frame = Self.frame(length)
    // Upstream nodes are at the top.
    let depths = Self.depths(recording.graphs)
    let lineNames = names.short(chosen.map(\.key), limit: Self.nameLength)
    let rows = chosen.sorted { (depths[$0.key] ?? 0, $0.value[0].time) < (depths[$1.key] ?? 0, $1.value[0].time) }.map {
      id, events in
      var moments: [MarblePicture.Moment] = []
      for event in events.prefix(Self.largestMarbleCount) {
        let time = Int64(event.time) / frame * frame
        let marble = MarblePicture.Event.value(numbers[event.cause].map { "\($0)" } ?? "?")
        if moments.last?.nanoseconds == time {
          moments[moments.count - 1].events.append(marble)
        } else {
          moments.append(MarblePicture.Moment(nanoseconds: time, events: [marble]))
        }
      }
      if events.count > Self.largestMarbleCount {
        notes.append(
          "\(names.title(of: id)): the first \(Self.largestMarbleCount) of \(events.count.grouped) are drawn.")
      }
      return MarblePicture.Row.line(MarblePicture.Line(lineNames[id] ?? names.title(of: id), moments: moments))
    }
    notes.insert("Marbles of one number have one cause.", at: 0)
    return MarblePicture(
      title: "\(recording.process.words): \(WatchTime(seconds: recording.seconds).words)", rows: rows, notes: notes,
      frame: frame, end: Int64(length))
  }

  /// The drawing options.
  static var options: MarbleDrawingOptions {
    var options = MarbleDrawingOptions(maximumWidth: 1_100, showsTitle: true)
    options.maximumNameLength = nameLength
    return options
  }

  /// The maximum distance of each node from a source, in edges.
  private static func depths(_ graphs: [GraphSnapshot]) -> [UInt64: Int] {
    let edges = Set(graphs.flatMap(\.edges).filter { $0.kind != .feedback }.map { [$0.source, $0.target] })
    var depths: [UInt64: Int] = [:]
    // Longer chains, and cycles, are ordered approximately.
    for _ in 0..<64 {
      var isNew = false
      for edge in edges
      where depths[edge[1], default: 0] <= depths[edge[0], default: 0] && depths[edge[0], default: 0] < 64 {
        depths[edge[1]] = depths[edge[0], default: 0] + 1
        isNew = true
      }
      if !isNew { break }
    }
    return depths
  }

  /// A round time that divides the recording into some dozens of frames.
  private static func frame(_ length: UInt64) -> Int64 {
    var frame: Int64 = 1_000
    while Int64(clamping: length) / frame > 80 {
      for factor in [2, 5, 10] as [Int64] where Int64(clamping: length) / frame > 80 {
        frame = frame / Self.leading(frame) * factor
      }
    }
    return frame
  }

  /// The leading digit of a number; of a frame 1, 2 or 5.
  private static func leading(_ number: Int64) -> Int64 {
    var number = number
    while number >= 10 { number /= 10 }
    return number
  }
}
