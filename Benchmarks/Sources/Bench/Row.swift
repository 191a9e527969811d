/// One kind of work, done by several implementations.
struct Row: Sendable {
  /// Somebody who does the work.
  struct Contender: Sendable {
    let name: String
    /// Sets up and returns what does the work so many times, and then gives a number that shows that it was done.
    let prepare: @Sendable () -> Run
  }

  struct Run {
    let perform: (Int) -> Void
    /// The sum of what arrived, for comparison between contenders.
    let result: () -> Int
  }

  let name: String
  /// How many operations one round does.
  let operations: Int
  /// How many times the limit is aimed at, if there is a limit.
  let goal: Double?
  let contenders: [Contender]
  /// Whether the graph should also be measured turned on.
  let measuresGraph: Bool
  /// Operations are done in multiples of this many, however a run is scaled.
  let batch: Int
  /// Rounds of a row that takes long.
  let maximumRounds: Int?

  init(
    _ name: String, operations: Int, goal: Double? = nil, measuresGraph: Bool = true, batch: Int = 1_000,
    maximumRounds: Int? = nil, _ contenders: [Contender]
  ) {
    self.name = name
    self.operations = operations
    self.goal = goal
    self.measuresGraph = measuresGraph
    self.batch = batch
    self.maximumRounds = maximumRounds
    self.contenders = contenders
  }
}

extension Row.Contender {
  static func signals(_ prepare: @escaping @Sendable () -> Row.Run) -> Self { Self(name: "signals", prepare: prepare) }
  static func limit(_ prepare: @escaping @Sendable () -> Row.Run) -> Self { Self(name: "limit", prepare: prepare) }
  static func openCombine(_ prepare: @escaping @Sendable () -> Row.Run) -> Self {
    Self(name: "OpenCombine", prepare: prepare)
  }
}

/// Where results end up, so that no work can be optimised away.
final class Sum: @unchecked Sendable {
  // Safe: each benchmark delivers on one thread at a time.
  var value = 0
}
