import Measuring

/// What is aimed at in one row. Nil where nothing is.
struct Goals: Codable, Sendable {
  /// At most so many times the limit's time.
  var timesLimit: Double?
  /// At least so many times faster than OpenCombine.
  var timesFaster: Double? = 1
  /// At most so many nanoseconds.
  var nanoseconds: Double?
  /// At most so many nanoseconds with the graph on.
  var graphNanoseconds: Double?
  /// At most so many heap blocks.
  var blocks: Double?
  /// At most so many heap blocks with the graph on.
  var graphBlocks: Double?
  /// At most so many instructions.
  var instructions: Double?
  /// What would be better still; not part of the verdict.
  var stretchNanoseconds: Double?
  var stretchBlocks: Double?

  /// The goals of a row in which values pass synchronously: no allocation, and five times faster than OpenCombine.
  static func synchronous(timesLimit: Double, graphNanoseconds: Double? = nil, instructions: Double? = nil) -> Goals {
    Goals(
      timesLimit: timesLimit, timesFaster: 5, graphNanoseconds: graphNanoseconds, blocks: 0, graphBlocks: 0,
      instructions: instructions)
  }

  /// Which goals a result misses, each with what was measured and what was aimed at.
  func missed(by result: RowResult) -> [String] {
    let own = result.measurements["signals"]
    let graph = result.measurements["graph on"]
    return [
      Self.above(result.ratio(to: "limit"), timesLimit, "x limit"),
      Self.above(own?.nanoseconds, nanoseconds, "ns"),
      Self.above(graph?.nanoseconds, graphNanoseconds, "ns, graph on"),
      Self.above(own?.blocks, blocks, "blocks"),
      Self.above(graph?.blocks, graphBlocks, "blocks, graph on"),
      Self.above(own?.instructions, instructions, "instructions"),
      Self.below(result.ratio(to: "OpenCombine").map { 1 / $0 }, timesFaster, "x faster than OpenCombine"),
    ].compactMap { $0 }
  }

  private static func above(_ measured: Double?, _ goal: Double?, _ what: String) -> String? {
    // What rounding to the hundredth hides is no miss, such as what starting a thread allocates.
    guard let measured, let goal, measured >= goal + 0.005 else { return nil }
    return "\(Figures.short(measured)) \(what), goal \(Figures.short(goal))"
  }

  private static func below(_ measured: Double?, _ goal: Double?, _ what: String) -> String? {
    guard let measured, let goal, measured <= goal - 0.005 else { return nil }
    return "\(Figures.short(measured)) \(what), goal \(Figures.short(goal))"
  }
}
