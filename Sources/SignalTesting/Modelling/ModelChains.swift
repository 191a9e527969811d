import Signals

/// Random chains of operators.
struct ModelChains {
  let operators: [ModelOperator]

  /// The chain that a seed picks, as positions.
  func stages(seed: UInt64) -> [Int] {
    var random = SplitMix(seed: ~seed)
    var stages: [Int] = []
    var isTimed = false
    for _ in 0...random.below(5) {
      let fitting = operators.indices.filter { !isTimed || operators[$0].place == .anywhere }
      guard !fitting.isEmpty else { break }
      let next = fitting[random.below(fitting.count)]
      if operators[next].place == .time { isTimed = true }
      stages.append(next)
    }
    return stages
  }

  /// A chain as one operator. Each of its parts has its own further inputs.
  func subject(of stages: [Int]) -> ModelSubject<Int> {
    let row = stages.map { operators[$0] }
    var firsts: [Int] = []
    var count = 0
    for part in row {
      firsts.append(count)
      count += part.otherCount
    }
    let places = firsts
    return ModelSubject(
      name: row.isEmpty ? "a chain without operators" : row.map(\.name).joined(separator: " → "), otherCount: count,
      innerCount: 0
    ) { upstream, inputs in
      var signal = upstream
      for (part, first) in zip(row, places) {
        signal = part.build(
          signal,
          ModelInputs(
            scheduler: inputs.scheduler, others: Array(inputs.others[first..<(first + part.otherCount)]), inners: []))
      }
      return signal
    } reference: { events, inputs in
      var events = events
      for (part, first) in zip(row, places) {
        let answer = part.reference(
          events, ModelEvents(others: Array(inputs.others[first..<(first + part.otherCount)]), inners: []))
        events = answer.firstIndex { $0.event.isEnd }.map { Array(answer[...$0]) } ?? answer
      }
      return events
    }
  }

  /// The chain without one of its operators, and the plan without that one's inputs.
  func removing(_ index: Int, from stages: [Int], _ plan: ModelPlan) -> ([Int], ModelPlan)? {
    guard stages.count > 1 else { return nil }
    let first = 1 + stages[..<index].reduce(0) { $0 + operators[$1].otherCount }
    var (stages, plan) = (stages, plan)
    plan.inputs.removeSubrange(first..<(first + operators[stages[index]].otherCount))
    stages.remove(at: index)
    return (stages, plan)
  }
}
