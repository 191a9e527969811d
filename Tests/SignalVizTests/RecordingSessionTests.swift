import SignalGraph
import Testing

@testable import signal_viz

/// How long a recording lasts, and what it counts, in virtual time.
@Suite struct RecordingSessionTests {
  private func record(
    _ program: VirtualProgram, seconds: Double = 5, limit: Int = 2_000_000
  ) throws -> (recording: Recording, took: Double) {
    let began = program.now
    let recording = try RecordingSession(program: program, time: WatchTime(seconds: seconds), limit: limit).record()
    return (recording, (program.now - began) / .seconds(1))
  }

  @Test func nothingIsMissingWhereThereIsRoom() throws {
    let program = VirtualProgram()
    let (recording, took) = try record(program)
    #expect((5...5.1).contains(took) && (5...5.1).contains(recording.seconds))
    #expect(recording.events.map(\.cause) == Array(3_000..<8_000))
    #expect(recording.lost == 0 && recording.gaps.isEmpty && recording.cut == nil && recording.notes.isEmpty)
    // The first event happened as it began, the last just before its end.
    #expect(
      recording.events[0].time < 1_000_000 && (4_990_000_000...5_000_000_000).contains(recording.events[4_999].time))
    #expect((6...7).contains(program.looks))
    // A rate is that of the time from which on it is drawn.
    let rates = try #require(recording.samples[Recording.Figure(.rate, at: "App.swift:5")])
    #expect(rates.first?.time == 0 && rates.allSatisfy { (990...1_010).contains($0.value) }, "\(rates)")
  }

  /// More happens than can be read: it ends in time all the same, and each event is there or counted.
  @Test(arguments: [20.0, 100, 1_000]) func aFastProgramIsRecordedForAsLongAsAsked(microseconds: Double) throws {
    let program = VirtualProgram()
    program.rate = 100_000
    program.costOfEvent = .microseconds(microseconds)
    let (recording, took) = try record(program)
    // An answer that is on its way when the time is over is waited for, and then a second for the rest.
    let answer = microseconds * 10_000 / 1e6
    #expect((5...5.001 + answer).contains(recording.seconds) && took <= 6.1 + answer, "\(took)")
    let last = UInt64((3 + recording.seconds) * 100_000)
    let counted = UInt64(recording.events.count) + recording.lost + 300_000
    #expect((last - 1...last + 1).contains(counted), "\(recording.seconds)")
    #expect(recording.lost > 0 && recording.gaps.reduce(0) { $0 + $1.count } == recording.lost)
    #expect(Set(recording.events.map(\.cause)).count == recording.events.count)
    #expect(recording.notes.first?.contains("events are missing") == true)
    let end = UInt64(recording.seconds * 1e9)
    #expect(
      recording.gaps.allSatisfy { $0.time + $0.duration <= end } && recording.events.allSatisfy { $0.time <= end })
  }

  /// Faster than it can be read: each tenth of the time has its part of the events, and gaps are reported.
  @Test(arguments: [500_000.0, 2_000_000]) func aVeryFastProgramIsSampledEvenly(rate: Double) throws {
    let program = VirtualProgram()
    (program.rate, program.costOfEvent) = (rate, .microseconds(5))
    let (recording, _) = try record(program)
    var counts = [Int](repeating: 0, count: 10)
    for event in recording.events { counts[min(9, Int(Double(event.time) / 5e8))] += 1 }
    let mean = recording.events.count / 10
    #expect(counts.allSatisfy { $0 > mean / 2 && $0 < mean * 2 }, "\(counts)")
    #expect(recording.lost > 0 && recording.notes.first?.contains("events are missing") == true)
  }

  /// While a look at a large graph takes its time, events are read.
  @Test func aLargeGraphTakesNoTimeOfTheRecording() throws {
    let program = VirtualProgram()
    (program.rate, program.costOfLook) = (50_000, .seconds(2))
    let (recording, took) = try record(program, seconds: 20)
    // With the first look, which is before the beginning.
    #expect((22...22.2).contains(took) && (20...20.1).contains(recording.seconds), "\(took) \(recording.seconds)")
    #expect(recording.lost == 0 && recording.events.count == 1_000_000 && recording.events[0].time < 1_000_000)
    // The last look began early enough to be there at the end.
    #expect(
      (2...4).contains(program.looks) && (17...19).contains((recording.graphs.last?.takenAt ?? 0) - recording.startedAt)
    )
    #expect(recording.notes.isEmpty)
  }

  @Test func aLookThatTakesTooLongIsNotWaitedFor() throws {
    let program = VirtualProgram()
    program.costOfLook = .seconds(60)
    let (recording, took) = try record(program)
    #expect((65...66.1).contains(took) && recording.events.count == 5_000, "\(took)")
    #expect(recording.graphs.count == 1 && recording.notes.count == 1)
    #expect(recording.notes.first?.hasPrefix("There is only one snapshot of the graph") == true)
  }

  /// What is recorded costs the program something, so it is not to go on for long.
  @Test func theProgramGoesOnForAMomentOnly() throws {
    let program = VirtualProgram()
    _ = try record(program)
    #expect(program.recordsUntil - program.now <= .seconds(2))
    let other = VirtualProgram()
    other.interruption = .seconds(60)
    _ = try record(other, seconds: 3_600)
    #expect((.seconds(5)...(.seconds(10))).contains(other.recordsUntil - other.now))
  }

  @Test func whoEndsItGetsWhatHappenedUntilThen() throws {
    for cost in [Duration.zero, .microseconds(500)] {
      let program = VirtualProgram()
      (program.interruption, program.costOfEvent) = (.seconds(7), cost)
      let (recording, took) = try record(program, seconds: 3_600)
      #expect((4...5.1).contains(took), "\(took)")
      #expect(
        recording.cut?.hasPrefix("it was interrupted after 4") == true && recording.lost == 0,
        "\(recording.cut ?? "") \(recording.lost)")
      #expect(
        (4_000...4_150).contains(recording.events.count) && recording.graphs.count > 1, "\(recording.events.count)")
    }
  }

  @Test func whoEndsItIsToldThatAlsoIfTheProgramHangs() throws {
    let program = VirtualProgram()
    (program.interruption, program.hang) = (.seconds(7), .seconds(7))
    let (recording, took) = try record(program, seconds: 3_600)
    #expect(recording.cut?.hasPrefix("it was interrupted after 4") == true, "\(recording.cut ?? "")")
    #expect(recording.events.count > 3_800 && took < 5.5, "\(took)")
  }

  @Test func theEndOfTheProgramIsTheEnd() throws {
    let program = VirtualProgram()
    program.death = .seconds(7)
    let (recording, _) = try record(program, seconds: 3_600)
    #expect(recording.cut?.hasPrefix("the program exited after 4") == true && recording.events.count > 3_800)
  }

  /// It is waited for to the end, and what came until then is kept.
  @Test func aProgramThatHangsDelaysNothing() throws {
    let program = VirtualProgram()
    program.hang = .milliseconds(4_230)
    let (recording, took) = try record(program)
    #expect(took <= 6.1 && recording.seconds == 5 && (1_200...1_240).contains(recording.events.count), "\(took)")
    #expect(
      recording.notes.last == "The recording is cut: it did not respond within 4.7 seconds; it may be stopped or hung.",
      "\(recording.notes)")
  }

  /// More events than are wanted: even stretches of all of the time are kept, and the others are counted gaps.
  @Test(arguments: [4_999, 2_345, 100, 7, 1]) func aLimitThinsTheRecordingEvenly(limit: Int) throws {
    let (recording, took) = try record(VirtualProgram(), limit: limit)
    #expect(took >= 5 && recording.cut == nil)
    #expect(recording.events.count <= limit && recording.events.count * 5 > limit)
    #expect(recording.lost + UInt64(recording.events.count) == 5_000)
    #expect(recording.gaps.reduce(0) { $0 + $1.count } == recording.lost)
    #expect(recording.notes.count == 1 && recording.notes[0].hasPrefix("There were more than "), "\(recording.notes)")
    guard limit >= 100 else { return }
    var counts = [Int](repeating: 0, count: 5)
    for event in recording.events { counts[min(4, Int(event.time / 1_000_000_000))] += 1 }
    let mean = recording.events.count / 5
    #expect(counts.allSatisfy { $0 * 2 > mean && $0 < mean * 2 }, "\(counts)")
    // Within a stretch nothing is missing.
    let stretches = Dictionary(grouping: recording.events) { $0.time / 10_000_000 }
    #expect(stretches.values.allSatisfy { $0.count >= 9 })
  }

  /// The second one adds to the largest number, as do the events beyond the limit.
  @Test func impossibleNumbersOfMissingEventsAreLimited() throws {
    let program = VirtualProgram()
    program.claims = [0, .max, 0, .max]
    let (recording, _) = try record(program, limit: 1)
    #expect(recording.lost == .max)
  }

  @Test func whatFitsIsNotThinned() throws {
    let recording = try record(VirtualProgram(), limit: 5_000).recording
    #expect(recording.events.count == 5_000 && recording.lost == 0 && recording.notes.isEmpty)
  }
}
