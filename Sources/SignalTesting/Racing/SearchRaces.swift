import Signals

/// The result of a race search.
public struct RaceRounds: Sendable, Hashable {
  /// The number of rounds until one failed, or in total.
  public var roundCount: Int
  /// The seed of the round that failed.
  public var failingSeed: UInt64?
}

/// Runs two to four real threads concurrently in many rounds, with pauses that a seed picks, and checks the outcome of each round.
///
/// Virtual time has one thread, so it cannot show two threads inside the same code at once. This can: all threads of a
/// round begin together; before each of its steps a thread waits, for a time that the seed picks, and the closures of
/// ``Race/anywhere(_:_:)`` run on a thread and at a step that the seed picks. A round fails by a check, by an error
/// that a thread throws, by a violation that ``Race/observe(_:)`` finds, by an unhandled failure, and by a thread that
/// hangs.
///
/// ```swift
/// @Test func eachValueComesOnce() {
///   searchRaces(rounds: 200) { race in
///     let emitter = Emitter<Int>()
///     let log = race.observe(emitter.signal)
///     for number in 1...3 {
///       race.thread { thread in thread.step("send") { emitter.send(number) } }
///     }
///     race.check { #expect(log.values.sorted() == [1, 2, 3]) }
///   }
/// }
/// ```
///
/// The system never schedules real threads in the same way twice. A failure names the seed of its round; replaying it
/// runs rounds with the same pauses until one fails. `scripts/test-races` runs tests under Thread Sanitizer, which also
/// finds races that no check notices.
///
/// - Parameters:
///   - rounds: The number of rounds, at least 1. A round of a few short steps takes some 50 microseconds.
///   - seed: The first round's seed; each further round uses the next one.
///   - seedToReplay: A seed whose placement all rounds use, as printed by a failure.
///   - patience: The time limit of a round, after which its threads count as hung.
///   - scenario: Creates everything and declares the threads. It runs once for each round, on the test's thread. A global object,
///     such as a singleton, races in the first round only, as later rounds find it changed.
/// - Returns: The number of rounds, and the failing seed.
@discardableResult
public func searchRaces(
  rounds: Int = 5_000, seed: UInt64 = 0, replaying seedToReplay: UInt64? = nil, patience: Duration = .seconds(20),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ scenario: (Race) throws -> Void
) -> RaceRounds {
  let place = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
  guard rounds > 0 else {
    report("rounds: \(rounds) runs no round, so nothing is checked. Pass at least 1.", at: place)
    return RaceRounds(roundCount: 0)
  }
  let search = RaceSearch(rounds: rounds, seed: seed, seedToReplay: seedToReplay, patience: patience)
  var failures: [FailureCapture.Failure] = []
  let result = search.run(scenario, &failures)
  for failure in failures { report(failure.message, at: failure.source ?? place, else: place) }
  return result
}

/// One call of a race search.
struct RaceSearch {
  let rounds: Int
  let seed: UInt64
  let seedToReplay: UInt64?
  let patience: Duration

  func run(_ scenario: (Race) throws -> Void, _ failures: inout [FailureCapture.Failure]) -> RaceRounds {
    let capture = FailureCapture()
    var result = RaceRounds(roundCount: 0)
    var found: [FailureCapture.Failure] = []
    capture.hold {
      var crew: RaceCrew?
      var stepCounts: [Int] = []
      defer { crew?.close() }
      for number in 0..<rounds {
        let seed = seedToReplay ?? seed &+ UInt64(number)
        let round = RaceRound(RacePlacement(seed: seed), stepCounts: stepCounts)
        result.roundCount += 1
        let isAlive = round.run(scenario, &crew, patience: patience, capture)
        let failures = capture.take()
        guard failures.isEmpty, isAlive else {
          result.failingSeed = round.isDeclared ? seed : nil
          found = round.isDeclared ? [told(failures, round, number: number, seed: seed)] : failures
          return
        }
        stepCounts = round.stepCounts
      }
    }
    failures = found
    return result
  }

  private func told(
    _ failures: [FailureCapture.Failure], _ round: RaceRound, number: Int, seed: UInt64
  ) -> FailureCapture.Failure {
    var parts = failures.filter { !$0.isTold }.prefix(3).map(\.message)
    parts.append("Fails in round \(number + 1), with the seed \(seed).")
    let lines = round.picture
    if !lines.isEmpty { parts.append(lines.joined(separator: "\n")) }
    parts.append("To run rounds with the pauses of this seed: searchRaces(replaying: \(seed)).")
    return FailureCapture.Failure(
      message: parts.joined(separator: "\n\n").framed, source: failures.first { !$0.isTold }?.source)
  }
}

/// One round of a race search.
private final class RaceRound {
  let placement: RacePlacement
  /// The number of steps of each thread in the previous round.
  private let knownStepCounts: [Int]
  private let notes: RaceNotes
  private let race: Race
  private var threads: [RaceThread] = []
  /// Whether the scenario could be declared.
  private(set) var isDeclared = false

  init(_ placement: RacePlacement, stepCounts: [Int]) {
    self.placement = placement
    knownStepCounts = stepCounts
    race = Race(placement)
    notes = race.notes
  }

  var stepCounts: [Int] { threads.map(\.steps) }

  var picture: [String] { notes.lines(threadCount: threads.count) }

  /// Runs the round; returns whether all threads have ended.
  func run(
    _ scenario: (Race) throws -> Void, _ crew: inout RaceCrew?, patience: Duration, _ capture: FailureCapture
  ) -> Bool {
    func note(_ message: String) { capture.note(FailureCapture.Failure(message: message)) }
    do { try scenario(race) } catch {
      capture.note(error, of: "The scenario")
      return false
    }
    let count = race.threads.count
    guard (2...RaceNotes.limit).contains(count) else {
      note("There \(count == 1 ? "is 1 thread" : "are \(count) threads"). Call race.thread { } two to four times.")
      return false
    }
    isDeclared = true
    let counts = knownStepCounts.count == count ? knownStepCounts : Array(repeating: 1, count: count)
    var acts: [[Int: [Race.Act]]] = Array(repeating: [:], count: count)
    for (number, act) in race.acts.enumerated() {
      let place = placement.place(ofAct: number, stepCounts: counts)
      acts[place.thread][place.step, default: []].append(act)
    }
    threads = (0..<count).map { RaceThread(number: $0 + 1, placement: placement, notes: notes, acts: acts[$0]) }
    let thrown = SeenLock<[(error: any Error, thread: Int)]>([])
    let works = zip(threads, race.threads).map { thread, body -> @Sendable () -> Void in
      // A task, so that the thread knows the running test, and the handler of its failures.
      InlineTask.prepare {
        defer { thread.noteEnd() }
        do {
          try body(thread)
          thread.finish()
        } catch {
          thrown.withLock { $0.append((error, thread.number)) }
        }
      }
    }
    let workers = crew ?? RaceCrew(size: RaceNotes.limit)
    crew = workers
    guard workers.run(works, patience: patience) else {
      let late = threads.filter { !$0.isDone }.map { String($0.number) }
      let subject = late.count == 1 ? "Thread \(late[0]) has" : "Threads \(late.joined(separator: " and ")) have"
      note("\(subject) not returned after \(patience): blocked, or in an endless loop.")
      return false
    }
    for (error, thread) in thrown.withLock({ $0.map { $0 } }) { capture.note(error, of: "Thread \(thread)") }
    RaceNotes.$step.withValue(notes.tick()) {
      for check in race.checks {
        do { try check() } catch { capture.note(error, of: "A check") }
      }
    }
    for log in race.logs {
      for fault in log.faults { note(fault) }
      log.dispose()
    }
    return true
  }
}
