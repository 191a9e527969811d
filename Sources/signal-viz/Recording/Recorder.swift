import Foundation
import SignalAttach
import SignalGraph
import SignalPicture

/// Records what happens in a running program.
///
/// The program keeps the last events only, so it is asked for them again and again, and now and then for its graph. When the time is over, what happened until
/// then is asked for, for a moment at most; what has not come by then is lost, and counted.
struct Recorder {
  /// What is asked.
  var program: any RecordedProgram
  var time: WatchTime
  /// How many events are kept at most.
  var limit: Int

  /// How often events are asked for, and how often the graph; that of a large program less often, so that it has something else to do.
  private static let (pace, graphPace, graphRest) = (Duration.milliseconds(100), Duration.seconds(1), 4)
  /// For how long at most a program goes on when nobody asks any more, in seconds: while it is recorded, and at the end.
  private static let (grace, lastGrace) = (10, 2)
  /// How long it may take, once the time is over, to ask for what happened until then.
  private static let rest = Duration.seconds(1)

  /// Records until the time is over, the program ends, or somebody wants to end it.
  func record() throws -> Recording {
    let asked = program.now
    program.beginLook()
    guard let first = try program.look(within: nil) else { throw Failure("The program told nothing of its graph.") }
    let cost = program.now - asked
    let answer = try program.events(
      from: nil, recordingFor: Self.seconds(until: .seconds(time.seconds)), within: .seconds(10))
    // A look at a large graph takes a while, so the first one is older.
    let (began, startedAt) = (program.now, max(first.takenAt, program.secondsSince1970))
    var work = Work(
      recording: Recording(process: first.process, startedAt: startedAt, seconds: 0, graphs: [first]),
      thinning: Thinning(limit: limit),
      zero: UInt64(nanosecondsOf: startedAt - answer.startedAt), next: answer.next, began: began,
      end: began + .seconds(time.seconds), looks: Looks(cost: cost, next: began + Self.graphPace, latest: first))
    do {
      try record(&work)
    } catch is ProgramConnection.Interrupted {
      work.cut("somebody ended it", at: program.now)
      try? finish(&work)
    } catch {
      // What was recorded until then is worth something.
      let isGone = program.isGone
      guard isGone || !work.recording.events.isEmpty else { throw error }
      if isGone { work.cut("the program ended", at: program.now) } else { work.recording.cut = "\(error)" }
      work.stopped = min(program.now, work.end)
    }
    var recording = work.recording
    recording.seconds = ((work.stopped ?? program.now) - began) / .seconds(1)
    work.thinning.note(in: &recording)
    recording.events.sort { ($0.time, $1.duration) < ($1.time, $0.duration) }
    return recording
  }

  /// A recording that is being made.
  private struct Work {
    var recording: Recording
    var thinning: Thinning
    /// When it began by the clock of events, in nanoseconds.
    var zero: UInt64
    /// The number of the event to ask for next.
    var next: UInt64
    var began: Duration
    var end: Duration
    /// When it was over.
    var stopped: Duration?
    var looks: Looks
    /// When the last event was over that has come, in nanoseconds since it began.
    var known: UInt64 = 0

    mutating func cut(_ words: String, at now: Duration) {
      recording.cut = "\(words) after \(WatchTime(seconds: (now - began) / .seconds(1)).words)"
    }

    /// Notes that events are missing that were over by a time.
    mutating func lose(_ count: UInt64, until time: UInt64) {
      guard count > 0 else { return }
      recording.lost += count
      recording.gaps.append(Recording.Gap(time: known, duration: max(known, time) - known, count: count))
    }
  }

  /// The looks at the graph.
  private struct Looks {
    /// How long the longest took.
    var cost: Duration
    var began: Duration?
    /// When the next one is to begin.
    var next: Duration
    var latest: GraphSnapshot
    /// Whether the last one has begun.
    var isLast = false
  }

  private struct AnotherProgram: Error {}

  private func record(_ work: inout Work) throws {
    do {
      while true {
        let isInterrupted = program.pause(for: max(.zero, min(Self.pace, work.end - program.now)))
        try read(&work)
        try look(&work)
        guard isInterrupted || program.now >= work.end else { continue }
        if isInterrupted { work.cut("somebody ended it", at: program.now) }
        return try finish(&work)
      }
    } catch is AnotherProgram {
      work.cut("another program answered", at: program.now)
    }
  }

  /// Asks for events for as long as there are more than fit into an answer, and time is left.
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

  /// Keeps those events of an answer that have lower numbers than one.
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

  /// Keeps the look that is done, and begins another where it is time for that.
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
        // Whether the program has ended is seen from its events.
        work.looks.began = nil
      }
      work.looks.next = program.now + max(Self.graphPace, work.looks.cost * Self.graphRest)
    }
    guard work.looks.began == nil, !work.looks.isLast else { return }
    // The last one is to be there when the time is over.
    let lastOne = max(work.began + Self.pace, work.end - work.looks.cost)
    guard program.now >= min(work.looks.next, lastOne) else { return }
    work.looks.isLast = program.now >= lastOne
    beginLook(&work)
  }

  private func beginLook(_ work: inout Work) {
    work.looks.began = program.now
    program.beginLook()
  }

  /// Asks for what happened until now, and for a last look at the graph, as far as that comes in a moment.
  private func finish(_ work: inout Work) throws {
    let stopped = program.now
    work.stopped = stopped
    program.finish()
    func left() -> Duration { max(.zero, stopped + Self.rest - program.now) }
    // Another one, unless the last one was just now, or would not be done.
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

  /// How long an answer may take, in tenths of a second: it is said where none comes.
  private static func patience(until time: Duration) -> Duration {
    let tenths = ((time + rest) / .milliseconds(100)).rounded(.up)
    return .milliseconds(100 * Int(min(max(tenths, rest / .milliseconds(100)), 100)))
  }

  /// For how many seconds the program goes on if nobody asks any more.
  private static func seconds(until time: Duration) -> Int {
    let rest = (time / .seconds(1)).rounded(.up) + 1
    return Int(min(max(rest, Double(lastGrace)), Double(grace)))
  }
}

extension Recording {
  /// Keeps a look at the graph, with how many values passed in a second since the look before, and how many wait.
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
      // Steps of other pipelines have no handlers; those of one place are shown together.
      if definition.isSubscription || definition.isReported == true, let rate = node.rate, rate > 0 {
        rates[Figure(.rate, at: place), default: 0] += rate
      }
      if let count = node.waiting {
        waiting[Figure(.waiting), default: 0] += Double(count)
        let kind = definition.kind.displayable(limit: 60)
        waiting[Figure(.waiting, at: "\(kind) \(place)"), default: 0] += Double(count)
      }
    }
    // A rate is that of the time since the look before; what waits, waits now. That of a moment says nothing.
    if samples.isEmpty || graph.takenAt - before.takenAt > 0.25 {
      note(rates, .rate, at: UInt64(nanosecondsOf: before.takenAt - startedAt))
    }
    note(waiting, .waiting, at: time)
  }

  private mutating func note(_ figures: [Figure: Double], _ kind: Figure.Kind, at time: UInt64) {
    for (figure, value) in figures where samples[figure] != nil || samples.count < 1_000 {
      samples[figure, default: []].append(Sample(time: time, value: value))
    }
    // What is zero again.
    for figure in samples.keys where figure.kind == kind && figures[figure] == nil {
      samples[figure]?.append(Sample(time: time, value: 0))
    }
  }
}
