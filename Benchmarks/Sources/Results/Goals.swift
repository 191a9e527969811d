import Measuring

/// What is aimed at in one row. Nil where nothing is.
package struct Goals: Codable, Sendable {
  /// At most so many times the limit's time.
  package var timesLimit: Double?
  /// At least so many times faster than OpenCombine.
  package var timesFaster: Double?
  /// At most so many nanoseconds.
  package var nanoseconds: Double?
  /// At most so many nanoseconds with the graph on.
  package var graphNanoseconds: Double?
  /// At most so many heap blocks.
  package var blocks: Double?
  /// At most so many heap blocks with the graph on.
  package var graphBlocks: Double?
  /// At most so many instructions.
  package var instructions: Double?
  /// What would be better still; not part of the verdict.
  package var stretchNanoseconds: Double?
  package var stretchBlocks: Double?

  package init(
    timesLimit: Double? = nil, timesFaster: Double? = 1, nanoseconds: Double? = nil, graphNanoseconds: Double? = nil,
    blocks: Double? = nil, graphBlocks: Double? = nil, instructions: Double? = nil, stretchNanoseconds: Double? = nil,
    stretchBlocks: Double? = nil
  ) {
    self.timesLimit = timesLimit
    self.timesFaster = timesFaster
    self.nanoseconds = nanoseconds
    self.graphNanoseconds = graphNanoseconds
    self.blocks = blocks
    self.graphBlocks = graphBlocks
    self.instructions = instructions
    self.stretchNanoseconds = stretchNanoseconds
    self.stretchBlocks = stretchBlocks
  }

  /// The goals of a row in which values pass synchronously: no allocation, and five times faster than OpenCombine.
  package static func synchronous(timesLimit: Double, graphNanoseconds: Double? = nil, instructions: Double? = nil)
    -> Goals
  {
    Goals(
      timesLimit: timesLimit, timesFaster: 5, graphNanoseconds: graphNanoseconds, blocks: 0, graphBlocks: 0,
      instructions: instructions)
  }

  /// Which goals a result misses, each with what was measured and what was aimed at; nil when nothing can be judged.
  package func missed(by result: RowResult) -> [String]? {
    let judged = criteria(result).filter { $0.measured != nil && $0.goal != nil }
    return judged.isEmpty ? nil : judged.compactMap(\.miss)
  }

  private func criteria(_ result: RowResult) -> [Criterion] {
    let own = result.measurements["signals"]
    let graph = result.measurements["graph on"]
    return [
      Criterion("x limit", result.ratio(to: "limit"), atMost: timesLimit),
      Criterion("ns", own?.nanoseconds, atMost: nanoseconds),
      Criterion("ns, graph on", graph?.nanoseconds, atMost: graphNanoseconds),
      Criterion("blocks", own?.blocks, atMost: blocks),
      Criterion("blocks, graph on", graph?.blocks, atMost: graphBlocks),
      Criterion("instructions", own?.instructions, atMost: instructions),
      Criterion("x faster than OpenCombine", result.ratio(to: "OpenCombine").map { 1 / $0 }, atLeast: timesFaster),
    ]
  }
}

/// Something measured beside its goal.
private struct Criterion {
  let what: String
  let measured: Double?
  let goal: Double?
  private let isAtLeast: Bool

  init(_ what: String, _ measured: Double?, atMost goal: Double?) {
    (self.what, self.measured, self.goal, isAtLeast) = (what, measured, goal, false)
  }

  init(_ what: String, _ measured: Double?, atLeast goal: Double?) {
    (self.what, self.measured, self.goal, isAtLeast) = (what, measured, goal, true)
  }

  /// What was measured and what was aimed at, if the goal is missed.
  var miss: String? {
    guard let measured, let goal else { return nil }
    // What rounding to the hundredth hides is no miss, such as what starting a thread allocates.
    guard isAtLeast ? measured <= goal - 0.005 : measured >= goal + 0.005 else { return nil }
    return "\(Figures.short(measured)) \(what), goal \(Figures.short(goal))"
  }
}
