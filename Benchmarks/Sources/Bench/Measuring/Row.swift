import Results

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
  let goals: Goals
  /// Whether the graph should also be measured turned on.
  let measuresGraph: Bool
  /// Operations are done in multiples of this many, however a run is scaled.
  let batch: Int
  /// Rounds of a row that takes long.
  let maximumRounds: Int?
  /// What the result has to be after so many operations in all, where it does not depend on how they are spread over rounds.
  let expected: (@Sendable (_ operations: Int) -> Int)?
  let contenders: [Contender]

  init(
    _ name: String, operations: Int, goals: Goals = Goals(), measuresGraph: Bool = true, batch: Int = 1_000,
    maximumRounds: Int? = nil, expected: (@Sendable (_ operations: Int) -> Int)? = nil, _ contenders: [Contender]
  ) {
    self.name = name
    self.operations = operations
    self.goals = goals
    self.measuresGraph = measuresGraph
    self.batch = batch
    self.maximumRounds = maximumRounds
    self.expected = expected
    self.contenders = contenders
  }

  /// A row with one goal: how many times the limit is aimed at.
  init(
    _ name: String, operations: Int, goal: Double?, measuresGraph: Bool = true, batch: Int = 1_000,
    maximumRounds: Int? = nil, _ contenders: [Contender]
  ) {
    self.init(
      name, operations: operations, goals: Goals(timesLimit: goal), measuresGraph: measuresGraph, batch: batch,
      maximumRounds: maximumRounds, contenders)
  }
}
