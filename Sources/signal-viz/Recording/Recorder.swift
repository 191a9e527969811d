import Foundation
import SignalAttach
import SignalGraph
import SignalPicture

/// Records what happens in a running program.
///
/// The program keeps the last events only, so it is asked for them again and again, and now and then for its graph.
struct Recorder {
  var program: ProgramConnection
  var time: WatchTime
  /// How many events at most.
  var limit: Int

  /// How often events are asked for, and how often the graph.
  private static let (pace, graphPace) = (Duration.milliseconds(100), Duration.seconds(1))
  /// For how many seconds the program goes on when nobody asks any more.
  private static let grace = 10

  /// Records until the time is over, there are as many events as there may be, the program ends, or somebody wants to end it.
  func record() throws -> Recording {
    let interruption = Interruption()
    var program = program
    program.interruption = interruption.descriptor
    let clock = ContinuousClock()
    let first = try program.snapshot(of: GraphFocus(), within: .seconds(10))
    var answer = try program.events(from: nil, recordingFor: Self.grace, within: .seconds(10))
    let began = clock.now
    var recording = Recording(process: first.process, startedAt: first.takenAt, seconds: 0, graphs: [first])
    let zero = UInt64(nanosecondsOf: first.takenAt - answer.startedAt)
    let end = began + .seconds(time.seconds)
    var nextGraph = began + Self.graphPace
    var previous = first
    do {
      while true {
        let isInterrupted = interruption.comes(within: max(.zero, min(Self.pace, end - clock.now)))
        // As long as there is more than fits into an answer.
        repeat {
          answer = try program.events(from: answer.next, recordingFor: Self.grace, within: .seconds(10))
          recording.lost += answer.lost
          for var event in answer.events.prefix(limit - recording.events.count) {
            event.time = event.time > zero ? event.time - zero : 0
            recording.events.append(event.bounded)
          }
        } while answer.events.count == AttachRequest.largestEventCount && recording.events.count < limit
        let isFull = recording.events.count >= limit
        let isOver = isFull || isInterrupted || clock.now >= end
        if isOver || clock.now >= nextGraph {
          let graph = try program.snapshot(of: GraphFocus(), within: .seconds(10))
          guard graph.process == first.process else {
            recording.cut = "another program answered after \(Self.words(since: began))"
            break
          }
          recording.note(graph, since: previous)
          previous = graph
          nextGraph = clock.now + Self.graphPace
        }
        guard isOver else { continue }
        if isFull {
          recording.cut =
            "there were \(limit.grouped) events after \(Self.words(since: began)); --limit sets how many there may be"
        } else if isInterrupted {
          recording.cut = "somebody ended it after \(Self.words(since: began))"
        }
        break
      }
    } catch is ProgramConnection.Interrupted {
      recording.cut = "somebody ended it after \(Self.words(since: began))"
    } catch {
      // What was recorded until then is worth something.
      guard program.isGone || !recording.events.isEmpty else { throw error }
      recording.cut = program.isGone ? "the program ended after \(Self.words(since: began))" : "\(error)"
    }
    recording.seconds = (clock.now - began) / .seconds(1)
    recording.events.sort { ($0.time, $1.duration) < ($1.time, $0.duration) }
    return recording
  }

  private static func words(since began: ContinuousClock.Instant) -> String {
    WatchTime(seconds: (.now - began) / .seconds(1)).words
  }
}

extension Recording {
  /// Keeps a look at the graph, with how many values passed in a second since the look before, and how many wait.
  fileprivate mutating func note(_ graph: GraphSnapshot, since before: GraphSnapshot) {
    keep(graph)
    let time = UInt64(nanosecondsOf: graph.takenAt - startedAt)
    let active = graph.addingActivity(since: before)
    let definitions = Dictionary(active.definitions.map { ($0.id, $0) }) { first, _ in first }
    var figures: [String: Double] = ["values/s": 0, "waiting": 0]
    for node in active.nodes {
      guard let definition = definitions[node.definition] else { continue }
      let file = definition.fileID.split(separator: "/").last.map(String.init) ?? definition.fileID
      let place = "\(definition.kind) \(file):\(definition.line)".displayable(limit: 100)
      if definition.kind == "subscribe" {
        let rate = node.rate ?? 0
        figures["values/s", default: 0] += rate
        if rate > 0 { figures["values/s: \(place)", default: 0] += rate }
      }
      if let waiting = node.waiting {
        figures["waiting", default: 0] += Double(waiting)
        figures["waiting: \(place)", default: 0] += Double(waiting)
      }
    }
    for (name, value) in figures where samples[name] != nil || samples.count < 1_000 {
      samples[name, default: []].append(Sample(time: time, value: value))
    }
    // What is zero again.
    for name in samples.keys where figures[name] == nil { samples[name]?.append(Sample(time: time, value: 0)) }
  }
}
