import Foundation
import Signals

/// Runs a scenario once for each seed, and looks for the smallest failing order of the first seed that fails.
struct SimulationSearch {
  private static let environment = ProcessInfo.processInfo.environment["SIGNALS_REPLAY"].flatMap(ReplayToken.init)
  private static let isHashingRepeatable = ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] == "1"

  /// The maximum number of further runs after a failure, and after what time none is begun.
  private static let longestShrinking = (runs: 1_000, duration: Duration.seconds(10))

  /// The length from which on only the seed is printed, whose whole order is run again.
  private static let longestToken = 2_000

  private struct Trial {
    var record: OrderRecord
    var failures: [FailureCapture.Failure]
    var isFailed: Bool { !failures.isEmpty }
  }

  let seeds: Range<UInt64>
  let place: MarbleSource
  let mark: String
  /// Runs the scenario once.
  let scenario: (_ seed: UInt64, OrderDirector, SimulationLog?, FailureCapture) -> Void

  /// Runs the seeds, or a single run, and reports at most one failure.
  func run(replaying text: String?) -> Simulations {
    let capture = FailureCapture()
    var result = Simulations(runCount: 0)
    var failures: [FailureCapture.Failure] = []
    capture.hold { failures = judge(text, capture, &result) }
    for failure in failures { report(failure.message, at: failure.source ?? place, else: place) }
    return result
  }

  private func judge(
    _ text: String?, _ capture: FailureCapture, _ result: inout Simulations
  ) -> [FailureCapture.Failure] {
    if let text {
      guard let token = ReplayToken(text), let seed = token.seed else {
        return refused("\"\(text)\" is not a run of a simulation. Pass one that a failure of simulate has printed.")
      }
      return replay(token, seed, capture, &result)
    }
    if let token = Self.environment, token.place == mark, let seed = token.seed {
      return replay(token, seed, capture, &result)
    }
    if seeds.isEmpty { return refused("simulate got no seeds, so nothing was run. Pass some, such as seeds: 0..<100.") }
    var first: Trial?
    for seed in seeds {
      result.runCount += 1
      let trial = perform(seed, Self.plan(of: seed), capture)
      if trial.isFailed { return failed(seed, trial, capture, &result) }
      first = first ?? trial
    }
    // A scenario that depends on something else passes now, and fails without being repeatable.
    let again = perform(seeds.lowerBound, Self.plan(of: seeds.lowerBound), capture)
    if again.isFailed || again.record.counts != first?.record.counts { return refused(unsteady(seeds.lowerBound)) }
    return []
  }

  private func refused(_ message: String) -> [FailureCapture.Failure] { [FailureCapture.Failure(message: message)] }

  private func unsteady(_ seed: UInt64) -> String {
    "The scenario is not the same in each run: seed \(seed) had other work the second time. It depends on something outside: real time, threads, "
      + "state that one run leaves for the next, or the order of a Set or Dictionary"
      + (Self.isHashingRepeatable
        ? "." : ", which is the same in each run with SWIFT_DETERMINISTIC_HASHING=1 in the environment.")
  }

  /// The order of work that a seed picks.
  private static func plan(of seed: UInt64) -> OrderPlan {
    guard seed != 0 else { return OrderPlan() }
    var random = SplitMix(seed: SplitMix.derived(from: seed, for: "order"))
    let seed = random.next()
    // The length of the run is not known.
    let steps = 16 << random.below(10)
    switch random.below(4) {
    case 0, 1: return OrderPlan(rest: .anything(seed: seed))
    case 2: return OrderPlan(rest: .priorities(seed: seed, steps: steps))
    default: return OrderPlan(rest: .fewSwaps(seed: seed, steps: steps))
    }
  }

  private func perform(
    _ seed: UInt64, _ plan: OrderPlan, _ capture: FailureCapture, _ log: SimulationLog? = nil
  ) -> Trial {
    let director = OrderDirector(plan, isVariant: seed != 0)
    StandstillWatch.$detail.withValue(" (seed \(seed))") {
      OrderDirector.$current.withValue(director) { scenario(seed, director, log, capture) }
    }
    return Trial(record: director.record, failures: capture.take())
  }

  // MARK: Failures

  private func replay(
    _ token: ReplayToken, _ seed: UInt64, _ capture: FailureCapture, _ result: inout Simulations
  ) -> [FailureCapture.Failure] {
    result.runCount = 1
    let log = SimulationLog()
    let plan = token.isOfSeedAlone ? Self.plan(of: seed) : OrderPlan(choices: token.choices)
    let trial = perform(seed, plan, capture, log)
    if !trial.isFailed, trial.record.misfit != nil || trial.record.choices.count < token.choices.count {
      return refused("The run \(token) no longer fits the scenario: its work has changed. Run simulate without it.")
    }
    guard trial.isFailed else { return [] }
    return told(seed, trial, log, "Seed \(seed) fails.", &result)
  }

  private func failed(
    _ seed: UInt64, _ found: Trial, _ capture: FailureCapture, _ result: inout Simulations
  ) -> [FailureCapture.Failure] {
    let number = result.runCount
    let head = "Seed \(seed) fails (run \(number) of \(seeds.upperBound - seeds.lowerBound))"
    if found.failures.contains(where: \.isTold) {
      return told(
        seed, found, nil,
        "\(head). To see the fewest swaps and what happened, inherit from ExploringTestCase, or throw instead of asserting.",
        &result)
    }
    let smallest = shrink(seed, found, capture)
    let log = SimulationLog()
    let shown = perform(seed, OrderPlan(choices: smallest.record.choices), capture, log)
    guard shown.isFailed else {
      return told(seed, smallest, nil, "\(head), but not when it ran again. \(unsteady(seed))", &result)
    }
    let swaps = shown.record.swapCount
    let distance =
      swaps == 0
      ? "also in scheduling order" : "\(swaps) swap\(swaps == 1 ? "" : "s") from scheduling order, the fewest found"
    return told(seed, shown, log, "\(head): \(distance).", &result)
  }

  /// What runs a seed again: in the order of a run, or if that is long, in the seed's own. An environment variable cannot be longer than 128 KiB.
  static func token(of seed: UInt64, _ record: OrderRecord, at mark: String) -> ReplayToken {
    var token = ReplayToken(record, at: mark)
    token.seed = seed
    return token.description.count > longestToken ? ReplayToken(ofSeed: seed, at: mark) : token
  }

  /// The failure that is reported.
  private func told(
    _ seed: UInt64, _ trial: Trial, _ log: SimulationLog?, _ heading: String, _ result: inout Simulations
  ) -> [FailureCapture.Failure] {
    let token = Self.token(of: seed, trial.record, at: mark)
    result.failingSeed = seed
    result.failingRun = token.description
    result.swapCount = trial.record.swapCount
    var messages = trial.failures.filter { !$0.isTold }.map(\.message)
    if messages.count > 3 { messages = messages.prefix(3) + ["… and \(messages.count - 3) more"] }
    messages.append(heading)
    if let page = log?.page {
      messages.append(page.summary)
      if let path = FailureAttachment.add(page.events, kind: "txt", at: place) {
        messages.append("All events: \(path)")
      }
    }
    var how = "To run it again: simulate(replaying: \"\(token)\"), or SIGNALS_REPLAY=\(token) in the environment."
    if !Self.isHashingRepeatable {
      how +=
        "\nIf another process does not repeat it, the order of a Set or Dictionary matters: search with SWIFT_DETERMINISTIC_HASHING=1 in the environment."
    }
    return [
      FailureCapture.Failure(
        message: (messages + [how]).joined(separator: "\n\n").framed,
        source: trial.failures.first { !$0.isTold }?.source)
    ]
  }

  // MARK: Shrinking

  /// Whether two runs fail at the same place, or without one for the same reason: another failure would hide the one that was found.
  private func isSame(_ one: Trial, _ other: Trial) -> Bool {
    guard let first = one.failures.first, let second = other.failures.first else { return false }
    guard let place = first.source, let otherPlace = second.source else { return first.message == second.message }
    return (place.fileID, place.line) == (otherPlace.fileID, otherPlace.line)
  }

  /// A failing run of a seed with fewer swaps: parts of the swaps are undone while it still fails.
  private func shrink(_ seed: UInt64, _ found: Trial, _ capture: FailureCapture) -> Trial {
    var best = found
    var left = Self.longestShrinking.runs
    let end = ContinuousClock.now + Self.longestShrinking.duration
    func isBetter(_ choices: [Int]) -> Bool {
      left = ContinuousClock.now < end ? left - 1 : 0
      guard left > 0 else { return false }
      let trial = perform(seed, OrderPlan(choices: choices), capture)
      guard trial.isFailed, trial.record.swapCount < best.record.swapCount else { return false }
      guard isSame(trial, found) else { return false }
      best = trial
      return true
    }
    guard best.record.swapCount > 0, !isBetter([]) else { return best }
    var length = best.record.choices.count { $0 > 0 }
    while length > 0, left > 0 {
      var start = 0
      while left > 0 {
        let swapped = best.record.choices.indices.filter { best.record.choices[$0] > 0 }
        guard start < swapped.count else { break }
        var choices = best.record.choices
        for index in swapped[start...].prefix(length) { choices[index] = 0 }
        // What comes behind has moved to the same place.
        if !isBetter(choices) { start += length }
      }
      length /= 2
    }
    return best
  }
}
