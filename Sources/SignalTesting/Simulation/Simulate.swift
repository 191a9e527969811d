import Signals
import Testing

/// The result of simulating a scenario with different seeds.
public struct Simulations: Sendable, Hashable {
  /// The number of runs until a seed failed, or in total.
  public var runCount: Int
  /// The seed that failed; nil if none did.
  public var failingSeed: UInt64?
  /// The token of the failing run, for replaying; nil if none failed.
  public var failingRun: String?
  /// The number of swaps of neighbours by which the order of the failing run differs from scheduling order.
  public var swapCount: Int?
}

/// Runs a scenario in virtual time once for each seed, which decides all that chance decides, and fails if one of the
/// runs fails.
///
/// ```swift
/// @Test func deliversEveryOrder() {
///   simulate(seeds: 0..<50) { simulation in
///     let network = SimulatedNetwork<Int>(
///       simulation, nodes: ["shop", "kitchen"], conditions: NetworkConditions(duplication: 0.2))
///     let orders = network.messages(to: "kitchen")
///     for number in 1...5 { network.send(number, from: "shop", to: "kitchen") }
///     var cooked: Set<Int> = []
///     for await order in orders {
///       cooked.insert(order.message)
///       if cooked.count == 5 { break }
///     }
///     #expect(cooked == [1, 2, 3, 4, 5])
///   }
/// }
/// ```
///
/// The seed decides:
/// - random numbers of the system: `Int.random(in:)`, `shuffled()`, `UUID()`;
/// - the order of all work that is ready at the same instant: tasks, actors, dispatch queues, signals. Seed 0 keeps
///   scheduling order;
/// - the delays and losses of a ``SimulatedNetwork``, and the faults of the ``Simulation``.
///
/// A failure is reported once, for the first failing seed, in the order of work with the fewest swaps that was found for
/// it. It shows what happened at each node, as marbles, and a token that runs it again, in another process too.
///
/// The scenario is a task in virtual time, with the system's clocks, as in
/// ``withVirtualTime(systemTime:timeLimit:workLimit:chooser:isolation:fileID:filePath:line:column:_:)``, except that tasks
/// may be asleep at its end, when they are cancelled. Each run creates everything again. <doc:Simulating> has an
/// example, and what a simulation cannot do.
///
/// Put `withKnownIssue` around the call: inside, its issues fail the run like others.
///
/// - Parameters:
///   - seeds: The seeds to run, in this order.
///   - systemTime: What the system's clocks show. If it is ``SystemTime/real``, random numbers of the system are not decided by the
///     seed.
///   - timeLimit: The virtual time after which a run fails.
///   - workLimit: The maximum number of work items of a run.
///   - token: A single run, as printed by a failure. The environment variable `SIGNALS_REPLAY` does the same.
///   - scenario: Creates, runs and checks everything once.
/// - Returns: The number of runs, and the failing one.
/// - Complexity: The scenario's cost times the number of seeds; after a failure, times at most 1,000 more, of which none
///   begins after 10 s.
@discardableResult
public func simulate(
  seeds: Range<UInt64> = 0..<100, systemTime: SystemTime = .virtual, timeLimit: Duration = .seconds(86_400),
  workLimit: Int = 200_000, replaying token: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  function: StaticString = #function,
  @_inheritActorContext _ scenario: @escaping @Sendable (Simulation) async throws -> Void
) -> Simulations {
  let search = SimulationSearch(
    seeds: seeds, place: MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column),
    mark: ReplayToken.place(fileID: fileID, function: function)
  ) { seed, director, log, capture in
    var systemTime = systemTime
    if systemTime.start != nil { systemTime.seed = SplitMix.derived(from: seed, for: "system") }
    do {
      try withVirtualTime(
        systemTime: systemTime, timeLimit: timeLimit, workLimit: workLimit, fileID: fileID, filePath: filePath,
        line: line, column: column
      ) { (time: VirtualTimeScheduler) async throws -> Void in
        director.direct(time)
        if let log { capture.observe { [weak time] in if let time { log.noteFailure(time.nanoseconds) } } }
        defer { capture.observe(nil) }
        let simulation = Simulation(seed: seed, time: time, log: log)
        defer { simulation.end() }
        (time.watch as? VirtualWorld)?.putAllInBackground()
        try await scenario(simulation)
      }
    } catch {
      capture.note(error, of: "The scenario")
    }
  }
  return search.run(replaying: token)
}
