import Foundation
import SignalAttach
import SignalGraph
import SignalPicture

/// Records what happens in a running program.
///
/// The program keeps the last events only, so it is asked for them again and again, and now and then for its graph. When the time is over, what happened until
/// then is asked for, for a moment at most; what has not come by then is lost, and counted.
struct RecordingSession {
  /// What is asked.
  var program: any RecordedProgram
  var time: WatchTime
  /// The maximum number of events retained.
  var limit: Int

  /// The polling intervals of events and of the graph, and the factor that makes queries for a large graph rarer, so
  /// that the program has time for other work.
  private static let (pace, graphPace, graphRest) = (Duration.milliseconds(100), Duration.seconds(1), 4)
  /// The maximum number of seconds for which a program continues to record after the last query: while it is recorded,
  /// and at the end.
  private static let (grace, lastGrace) = (10, 2)
  /// The maximum time to fetch the remaining events once the time is up.
  private static let rest = Duration.seconds(1)

  /// Records until the time is up, the program ends, or the recording is interrupted.
  func record() throws -> Recording {
    let asked = program.now
    program.beginLook()
    guard let first = try program.look(within: nil) else { throw Failure("The program sent no graph.") }
    let cost = program.now - asked
    let answer = try program.events(
      from: nil, recordingFor: Self.seconds(until: .seconds(time.seconds)), within: .seconds(10))
    // A query for a large graph takes a while, so the first snapshot is older.
    let (began, startedAt) = (program.now, max(first.takenAt, program.secondsSince1970))
    var work = Work(
      recording: Recording(process: first.process, startedAt: startedAt, seconds: 0, graphs: [first]),
      thinning: Thinning(limit: limit),
      zero: UInt64(nanosecondsOf: startedAt - answer.startedAt), next: answer.next, began: began,
      end: began + .seconds(time.seconds), looks: Looks(cost: cost, next: began + Self.graphPace, latest: first))
    do {
      try record(&work)
    } catch is ProgramConnection.Interrupted {
      work.cut("it was interrupted", at: program.now)
      try? finish(&work)
    } catch {
      // What was recorded until then is still useful.
      let isGone = program.isGone
      guard isGone || !work.recording.events.isEmpty else { throw error }
      if work.recording.cut == nil {
        if isGone { work.cut("the program exited", at: program.now) } else { work.recording.cut = "\(error)" }
      }
      work.stopped = min(program.now, work.end)
    }
    var recording = work.recording
    recording.seconds = ((work.stopped ?? program.now) - began) / .seconds(1)
    work.thinning.note(in: &recording)
    recording.events.sort { ($0.time, $1.duration) < ($1.time, $0.duration) }
    return recording
  }

  /// A recording in progress.
  private struct Work {
    var recording: Recording
    var thinning: Thinning
    /// Its start by the clock of events, in nanoseconds.
    var zero: UInt64
    /// The number of the next event to fetch.
    var next: UInt64
    var began: Duration
    var end: Duration
    /// The time at which it ended.
    var stopped: Duration?
    var looks: Looks
    /// The end of the latest event received, in nanoseconds since the recording began.
    var known: UInt64 = 0

    mutating func cut(_ words: String, at now: Duration) {
      recording.cut = "\(words) after \(WatchTime(seconds: (now - began) / .seconds(1)).words)"
    }

    /// Notes that a number of events are missing that ended before a time.
    mutating func lose(_ count: UInt64, until time: UInt64) {
      guard count > 0 else { return }
      recording.lost = recording.lost.addingSaturated(count)
      recording.gaps.append(Recording.Gap(time: known, duration: max(known, time) - known, count: count))
    }
  }

  /// The queries for the graph.
  private struct Looks {
    /// The duration of the longest query.
    var cost: Duration
    var began: Duration?
    /// The time at which the next query is due.
    var next: Duration
    var latest: GraphSnapshot
    /// Whether the last query has begun.
    var isLast = false
  }

  private struct AnotherProgram: Error {}

  private func record(_ work: inout Work) throws {
    do {
      while true {
        if program.pause(for: max(.zero, min(Self.pace, work.end - program.now))) {
          work.cut("it was interrupted", at: program.now)
          return try finish(&work)
        }
        try read(&work)
        try look(&work)
        if program.now >= work.end { return try finish(&work) }
      }
    } catch is AnotherProgram {
      work.cut("another program responded", at: program.now)
    }
  }

  /// Fetches events while responses are full and time is left.
  private func read(_ work: inout Work) throws {
    while true {
      let answer = try program.events(
        from: work.next, recordingFor: Self.seconds(until: work.end - program.now),
        within: Self.patience(until: work.end - program.now))
      keep(answer, before: .max, in: &work)
      guard answer.events.count == AttachRequest.largestEventCount, program.now < work.end,
        !program.pause(for: .zero)
      else { return }
    }
  }

  /// Adds the events of a response whose numbers are below a limit.
  private func keep(_ answer: RecordedEvents, before last: UInt64, in work: inout Work) {
    let first = answer.next - min(answer.next, UInt64(answer.events.count))
    let events = answer.events.prefix(Int(clamping: last - min(last, first)))
    func time(_ time: UInt64) -> UInt64 { time > work.zero ? time - work.zero : 0 }
    let ends = answer.events.first.map { time($0.bounded.time) + $0.bounded.duration }
    work.lose(min(first, last) - min(work.next, first, last), until: ends ?? work.known)
    for var event in events {
      event = event.bounded
      event.time = time(event.time)
      work.thinning.add(event, to: &work.recording.events)
      work.known = max(work.known, event.time + event.duration)
    }
    work.next = answer.next
  }

  /// Adds a snapshot that has arrived, and starts another query if one is due.
  private func look(_ work: inout Work, within limit: Duration = .zero) throws {
    if let began = work.looks.began {
      do {
        if let graph = try program.look(within: limit) {
          guard graph.process == work.recording.process else { throw AnotherProgram() }
          work.looks.began = nil
          work.looks.cost = max(work.looks.cost, program.now - began)
          work.recording.note(graph, since: work.looks.latest)
          work.looks.latest = graph
        }
      } catch let another as AnotherProgram {
        throw another
      } catch {
        // Whether the program has ended is detected by the queries for events.
        work.looks.began = nil
      }
      work.looks.next = program.now + max(Self.graphPace, work.looks.cost * Self.graphRest)
    }
    guard work.looks.began == nil, !work.looks.isLast else { return }
    // The last query is supposed to end together with the recording.
    let lastOne = max(work.began + Self.pace, work.end - work.looks.cost)
    guard program.now >= min(work.looks.next, lastOne) else { return }
    work.looks.isLast = program.now >= lastOne
    beginLook(&work)
  }

  private func beginLook(_ work: inout Work) {
    work.looks.began = program.now
    program.beginLook()
  }

  /// Fetches the events until now and a last snapshot of the graph, within a short time limit.
  private func finish(_ work: inout Work) throws {
    let stopped = program.now
    work.stopped = stopped
    program.finish()
    func left() -> Duration { max(.zero, stopped + Self.rest - program.now) }
    // Another query, unless the last one was just now, or would not end in time.
    let looks = work.looks
    if looks.began == nil, looks.cost < (looks.isLast ? Self.pace : Self.rest) { beginLook(&work) }
    let last = try program.events(from: nil, recordingFor: Self.lastGrace, within: Self.rest).next
    while work.next < last, left() > .zero {
      let answer = try program.events(from: work.next, recordingFor: Self.lastGrace, within: left())
      keep(answer, before: last, in: &work)
    }
    work.lose(last - min(last, work.next), until: UInt64(nanosecondsOf: (stopped - work.began) / .seconds(1)))
    work.looks.isLast = true
    try look(&work, within: left())
  }

  /// The time limit of a response, rounded to tenths of a second, as error messages mention it.
  private static func patience(until time: Duration) -> Duration {
    let tenths = ((time + rest) / .milliseconds(100)).rounded(.up)
    return .milliseconds(100 * Int(min(max(tenths, rest / .milliseconds(100)), 100)))
  }

  /// The number of seconds for which the program continues to record without further queries.
  private static func seconds(until time: Duration) -> Int {
    let rest = (time / .seconds(1)).rounded(.up) + 1
    return Int(min(max(rest, Double(lastGrace)), Double(grace)))
  }
}

extension Recording {
  /// Adds a snapshot of the graph, with the rates since the snapshot before and the numbers of waiting values.
  fileprivate mutating func note(_ graph: GraphSnapshot, since before: GraphSnapshot) {
    keep(graph)
    let time = UInt64(nanosecondsOf: graph.takenAt - startedAt)
    let active = graph.addingActivity(since: before)
    let definitions = Dictionary(active.definitions.map { ($0.id, $0) }) { first, _ in first }
    let deliveries = GraphSummary.Deliveries(in: graph)
    var rates = [Figure(.rate): deliveries.rate(since: GraphSummary.Deliveries(in: before)) ?? 0]
    var waiting = [Figure(.waiting): 0.0]
    for node in active.nodes {
      guard let definition = definitions[node.definition] else { continue }
      let file = definition.fileID.split(separator: "/").last.map(String.init) ?? definition.fileID
      let place = "\(file):\(definition.line)".displayable(limit: 80)
      // Stages of other pipelines have no handlers; those at one location are combined.
      if definition.isSubscription || definition.isReported == true, let rate = node.rate, rate > 0 {
        rates[Figure(.rate, at: place), default: 0] += rate
      }
      if let count = node.waiting {
        waiting[Figure(.waiting), default: 0] += Double(count)
        let kind = definition.kind.displayable(limit: 60)
        waiting[Figure(.waiting, at: "\(kind) \(place)"), default: 0] += Double(count)
      }
    }
    // A rate applies to the time since the snapshot before, the number of waiting values to its own. A rate over too
    // short a time is meaningless.
    if samples.isEmpty || graph.takenAt - before.takenAt > 0.25 {
      note(rates, .rate, at: UInt64(nanosecondsOf: before.takenAt - startedAt))
    }
    note(waiting, .waiting, at: time)
  }

  private mutating func note(_ figures: [Figure: Double], _ kind: Figure.Kind, at time: UInt64) {
    for (figure, value) in figures where samples[figure] != nil || samples.count < 1_000 {
      samples[figure, default: []].append(Sample(time: time, value: value))
    }
    // Figures that are zero again.
    for figure in samples.keys where figure.kind == kind && figures[figure] == nil {
      samples[figure]?.append(Sample(time: time, value: 0))
    }
  }
}
