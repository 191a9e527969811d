import Foundation
import SignalGraph
import SignalPicture

/// What happened at some nodes of a recording, as marbles over one time. Marbles of one number and colour have one cause: so a value is seen on its way.
struct ReplayMarbles {
  /// How many lines are drawn where nobody says of what.
  static let chosenLines = 8
  /// More lines are no picture that anybody could read.
  static let largestLineCount = 20
  /// How many characters of a node's name or place are shown beside its line.
  static let nameLength = 40
  /// How many marbles a line has at most.
  private static let largestMarbleCount = 200

  var recording: Recording
  /// The nodes that are drawn; nil for those at which most happened.
  var nodes: Set<UInt64>?
  /// Until when, in nanoseconds since it began; nil for all of it.
  var end: UInt64?

  func picture() throws -> MarblePicture {
    let names = RecordedNames(recording.graphs)
    let length = min(end ?? .max, UInt64(nanosecondsOf: max(0.001, recording.seconds)))
    let events = recording.events.filter { $0.time <= length }
    var lines: [UInt64: [GraphEvent]] = [:]
    for event in events {
      guard let nodes else {
        // A source, or a handler: where values come from, and what becomes of them.
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
    // Causes count from 1 in each picture, in the order of time.
    var numbers: [UInt64: Int] = [:]
    for event in chosen.flatMap({ $0.value.prefix(Self.largestMarbleCount) }).sorted(by: { $0.time < $1.time }) {
      if numbers[event.cause] == nil { numbers[event.cause] = numbers.count + 1 }
    }
    let frame = Self.frame(length)
    // What values pass first stands above.
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

  /// How it is drawn.
  static var options: MarbleDrawingOptions {
    var options = MarbleDrawingOptions(maximumWidth: 1_100, showsTitle: true)
    options.maximumNameLength = nameLength
    return options
  }

  /// How many edges away from a source each node is at most.
  private static func depths(_ graphs: [GraphSnapshot]) -> [UInt64: Int] {
    let edges = Set(graphs.flatMap(\.edges).filter { $0.kind != .feedback }.map { [$0.source, $0.target] })
    var depths: [UInt64: Int] = [:]
    // Longer chains, and rings, are in about their order.
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

  /// A round time of which some dozens are in the recording.
  private static func frame(_ length: UInt64) -> Int64 {
    var frame: Int64 = 1_000
    while Int64(clamping: length) / frame > 80 {
      for factor in [2, 5, 10] as [Int64] where Int64(clamping: length) / frame > 80 {
        frame = frame / Self.leading(frame) * factor
      }
    }
    return frame
  }

  /// 1, 2 or 5.
  private static func leading(_ number: Int64) -> Int64 {
    var number = number
    while number >= 10 { number /= 10 }
    return number
  }
}
