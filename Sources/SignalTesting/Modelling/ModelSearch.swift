import SignalMarbles
import Signals

/// The settings of a model check.
struct ModelSettings {
  var call: String
  var seeds: ClosedRange<UInt64>
  var horizon: Duration
  var workLimit: Int
  /// The values that inputs send, the simplest first.
  var values: [Int]
  var place: CompiledPlace
}

/// The location of a call.
struct CompiledPlace {
  var fileID: StaticString
  var filePath: StaticString
  var line: UInt
  var column: UInt

  var source: MarbleSource { MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column) }
}

/// The result of a model check.
public struct ModelRuns: Sendable, Hashable {
  /// The number of runs until one differed, or in total.
  public var runCount: Int
  /// The seed of the run that differed.
  public var failingSeed: UInt64?
}

/// Runs the seeds' plans until one differs, shrinks it, and reports it.
struct ModelSearch<Output: Sendable & Equatable> {
  /// The varied parts: the operators, and the events of the inputs.
  struct Candidate: Hashable {
    var stages: [Int]
    var plan: ModelPlan
  }

  let settings: ModelSettings
  /// The operator for a chain.
  let subject: ([Int]) -> ModelSubject<Output>
  /// The operators that a seed picks.
  let stages: (UInt64) -> [Int]
  /// The rest of a plan when one operator is removed from a chain.
  let removing: (Candidate, Int) -> Candidate?

  func run() -> ModelRuns {
    guard !settings.values.isEmpty else {
      report("There are no values for the inputs to send. Pass at least one.", at: settings.place.source)
      return ModelRuns(runCount: 0)
    }
    let capture = FailureCapture()
    var result = ModelRuns(runCount: 0)
    var message: String?
    var hasValues = false
    capture.hold {
      for seed in settings.seeds {
        result.runCount += 1
        let candidate = candidate(seed)
        let trial = trial(candidate, capture)
        hasValues = hasValues || trial.firstValue != nil
        guard trial.isWrong else { continue }
        result.failingSeed = seed
        message = told(shrunk(candidate, trial, capture), seed: seed).framed
        return
      }
      if !hasValues { message = lateValues(capture) }
    }
    if let message { report(message, at: settings.place.source, else: settings.place.source) }
    return result
  }

  private func candidate(_ seed: UInt64) -> Candidate {
    let stages = stages(seed)
    return Candidate(
      stages: stages,
      plan: ModelPlan(seed: seed, inputCount: subject(stages).inputCount, valueCount: settings.values.count))
  }

  /// The report of a check without a value until its horizon, if there are values beyond.
  private func lateValues(_ capture: FailureCapture) -> String? {
    var later = settings
    later.horizon = .seconds(1_000_000)
    later.workLimit = min(settings.workLimit, 10_000)
    guard settings.horizon < later.horizon else { return nil }
    for seed in settings.seeds.prefix(20) {
      let candidate = candidate(seed)
      let subject = subject(candidate.stages)
      guard let value = ModelTrial(subject, candidate.plan, later, capture).firstValue else { continue }
      return "\(subject.name) has no value until the horizon, so no value was compared. With seed \(seed) "
        + "the first value comes after \(MarbleDuration.spoken(value)). Pass a longer horizon:."
    }
    return nil
  }

  private func trial(_ candidate: Candidate, _ capture: FailureCapture) -> ModelTrial<Output> {
    ModelTrial(subject(candidate.stages), candidate.plan, settings, capture)
  }

  private func shrunk(
    _ candidate: Candidate, _ trial: ModelTrial<Output>, _ capture: FailureCapture
  ) -> (Candidate, ModelTrial<Output>) {
    // Another run would report again.
    if trial.failures.contains(where: \.isTold) { return (candidate, trial) }
    var best = (candidate, trial)
    var tried: Set<Candidate> = [candidate]
    var runsLeft = 5_000
    var isSmaller = true
    while isSmaller, runsLeft > 0 {
      isSmaller = false
      let rows = best.0.stages.indices.compactMap { removing(best.0, $0) }
      let plans = best.0.plan.smaller.filter { $0.size.lexicographicallyPrecedes(best.0.plan.size) }
      for next in rows + plans.map({ Candidate(stages: best.0.stages, plan: $0) })
      where tried.insert(next).inserted && runsLeft > 0 {
        runsLeft -= 1
        let trial = self.trial(next, capture)
        guard trial.isWrong else { continue }
        best = (next, trial)
        isSmaller = true
        break
      }
    }
    return best
  }

  private func told(_ found: (candidate: Candidate, trial: ModelTrial<Output>), seed: UInt64) -> String {
    let subject = subject(found.candidate.stages)
    var parts: [String] = []
    let failures = found.trial.failures.filter { !$0.isTold }.map(\.message)
    if failures.isEmpty {
      parts.append("\(subject.name) differs from its reference. These are the smallest inputs found:")
    } else {
      parts.append(contentsOf: failures.prefix(3))
      parts.append("\(subject.name) fails with these inputs, the smallest found:")
    }
    parts.append(ModelPicture(trial: found.trial, otherCount: subject.otherCount).lines.joined(separator: "\n"))
    parts.append("Found with seed \(seed). To run it again: \(settings.call), seeds: \(seed)...\(seed)).")
    return parts.joined(separator: "\n\n")
  }
}
