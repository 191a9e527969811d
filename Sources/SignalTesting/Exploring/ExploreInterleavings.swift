import CustomDump
public import Signals

/// Runs a scenario in every order that work at the same instant can have, and fails if one of them fails.
///
/// What is due at the same virtual moment runs in the order in which it was scheduled, so a test sees one order only. In a program it may be any.
/// This runs the scenario repeatedly: in all orders, those first that differ least from scheduling order, and if there are too many, in
/// half of `orders` of them; then in orders that a seed picks: at random, by priorities, or with a few work items delayed.
///
/// ```swift
/// @Test func addsUp() {
///   exploreInterleavings { scheduler in
///     let balance = Property(0)
///     for amount in [5, -2, 7] {
///       scheduler.schedule { balance.update { $0 += amount } }
///     }
///     try scheduler.run()
///     #expect(balance.value == 10)
///   }
/// }
/// ```
///
/// Each run creates everything again: the scenario gets its own scheduler, creates its signals on it, advances it and checks the outcome. What it starts
/// is in virtual time, as in `withVirtualTime`: each stretch of a task or an actor between two suspensions is a work item. A call to an
/// actor that is free does not suspend, see <doc:ExploringInterleavings>. The test's own work, such as subscribing, runs
/// before all other work of its instant.
///
/// A run fails by an error that the scenario throws, an `#expect`, an `XCTAssert` (see ``ExploringTestCase``), an expectation of this library, or
/// an unhandled failure. It is reported once, for the order with the fewest swaps: both orders as marbles, and a token that runs this
/// order again.
///
/// It also fails if there is nothing to explore, or if the scenario is not the same each time. `withKnownIssue` belongs around the call: inside, its
/// issues fail the run like others.
///
/// - Parameters:
///   - orders: The limit of runs, at least 2: one is scheduling order. nil is 10,000, and if this limit ends the search, the test gets a warning.
///   - seed: What orders are picked by where there are too many.
///   - workLimit: How many work items may run in one stretch before a run fails.
///   - token: An order to run, and no other, as a failure has printed it. The environment variable `SIGNALS_REPLAY` does the same.
///   - scenario: Makes, runs and checks everything once.
/// - Returns: How many runs were made, and whether these were all.
/// - Complexity: The scenario's cost times the number of runs.
@discardableResult
public func exploreInterleavings(
  orders: Int? = nil, seed: UInt64 = 0, workLimit: Int = 100_000, replaying token: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  function: StaticString = #function,
  _ scenario: (VirtualTimeScheduler) throws -> Void
) -> Interleavings {
  let exploration = Exploration(
    "exploreInterleavings", orders: orders, seed: seed, fileID: fileID, filePath: filePath, line: line, column: column,
    function: function)
  return exploration.run(replaying: token) { director, capture in
    do {
      try withVirtualTime(workLimit: workLimit, fileID: fileID, filePath: filePath, line: line, column: column) {
        (scheduler: VirtualTimeScheduler) throws -> Void in
        director.direct(scheduler)
        try scenario(scheduler)
      }
    } catch {
      capture.note(FailureCapture.Failure(message: "The scenario threw \(error)."))
    }
  }
}

/// Runs an asynchronous scenario in every order that work at the same instant can have; see
/// ``exploreInterleavings(orders:seed:workLimit:replaying:fileID:filePath:line:column:function:_:)``.
///
/// ```swift
/// @Test func loadsOnce() {
///   exploreInterleavings(ofTask: { scheduler in
///     let count = Property(0)
///     async let one: Void = count.update { $0 += 1 }
///     async let other: Void = count.update { $0 += 1 }
///     _ = await (one, other)
///     if count.value != 2 { throw CancellationError() }
///   })
/// }
/// ```
///
/// The scenario is a task in virtual time, which passes while all wait, as in `withVirtualTime`. What else it starts, such as `Task { }` and actors, is in
/// virtual time too. It waits for what it wants to check, and must not advance the scheduler itself.
///
/// - Parameters:
///   - orders: The limit of runs. nil is 10,000, and if this limit ends the search, the test gets a warning.
///   - seed: What orders are picked by where there are too many.
///   - workLimit: How many work items may run in one stretch before a run fails.
///   - token: An order to run, and no other, as a failure has printed it.
///   - scenario: Makes and checks everything once.
/// - Returns: How many runs were made, and whether these were all.
@discardableResult
public func exploreInterleavings(
  orders: Int? = nil, seed: UInt64 = 0, workLimit: Int = 100_000, replaying token: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  function: StaticString = #function,
  @_inheritActorContext ofTask scenario: @escaping @Sendable (VirtualTimeScheduler) async throws -> Void
) -> Interleavings {
  let exploration = Exploration(
    "exploreInterleavings", orders: orders, seed: seed, fileID: fileID, filePath: filePath, line: line, column: column,
    function: function)
  return exploration.run(replaying: token) { director, capture in
    do {
      try withVirtualTime(workLimit: workLimit, fileID: fileID, filePath: filePath, line: line, column: column) {
        (scheduler: VirtualTimeScheduler) async throws -> Void in
        director.direct(scheduler)
        try await scenario(scheduler)
      }
    } catch is VirtualTimeStopped {
      // Why is a failure of its own.
    } catch {
      capture.note(FailureCapture.Failure(message: "The scenario threw \(error)."))
    }
  }
}

/// Runs a scenario in every order that work at the same instant can have, and fails if one of them gives another result than scheduling order.
///
/// ```swift
/// @Test func settlesOnTheSameTotal() {
///   expectSameInEveryOrder { scheduler in
///     let total = Property(0)
///     for price in [5, 7, 9] { scheduler.schedule { total.update { $0 += price } } }
///     try scheduler.run()
///     return total.value
///   }
/// }
/// ```
///
/// It needs no check of what is right: scheduling order says it. Everything else is as with
/// ``exploreInterleavings(orders:seed:workLimit:replaying:fileID:filePath:line:column:function:_:)``.
///
/// - Parameters:
///   - orders: The limit of runs. nil is 10,000, and if this limit ends the search, the test gets a warning.
///   - seed: What orders are picked by where there are too many.
///   - workLimit: How many work items may run in one stretch before a run fails.
///   - token: An order to run, and to compare with scheduling order, as a failure has printed it.
///   - scenario: Makes and runs everything once, and returns what has to be the same.
/// - Returns: How many runs were made, and whether these were all.
@discardableResult
public func expectSameInEveryOrder<Observation: Equatable>(
  orders: Int? = nil, seed: UInt64 = 0, workLimit: Int = 100_000, replaying token: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  function: StaticString = #function,
  _ scenario: (VirtualTimeScheduler) throws -> Observation
) -> Interleavings {
  let exploration = Exploration(
    "expectSameInEveryOrder", orders: orders, seed: seed, fileID: fileID, filePath: filePath, line: line,
    column: column, function: function)
  func observe(_ director: OrderDirector) throws -> Observation {
    try withVirtualTime(workLimit: workLimit, fileID: fileID, filePath: filePath, line: line, column: column) {
      (scheduler: VirtualTimeScheduler) throws -> Observation in
      director.direct(scheduler)
      return try scenario(scheduler)
    }
  }
  /// What scheduling order gives: in a search the first run has it.
  var first: Result<Observation, any Error>?
  if exploration.isReplay(token) {
    FailureCapture().hold { first = Result { try observe(OrderDirector(OrderPlan())) } }
  }
  return exploration.run(replaying: token) { director, capture in
    do {
      let observation = try observe(director)
      let expected = try first?.get() ?? observation
      first = .success(expected)
      guard expected != observation else { return }
      capture.note(FailureCapture.Failure(message: difference(expected, observation)))
    } catch {
      capture.note(FailureCapture.Failure(message: "The scenario threw \(error)."))
    }
  }
}

/// What two observations differ in.
private func difference<Observation>(_ first: Observation, _ other: Observation) -> String {
  let short = ["\(first)", "\(other)"]
  if short.allSatisfy({ $0.count <= 60 && !$0.contains("\n") }) || diff(first, other) == nil {
    return "Scheduling order gives \(short[0]), another order \(short[1])."
  }
  return "The result of another order (+) differs from that of scheduling order (-):\n\n" + (diff(first, other) ?? "")
}

/// Runs a marble test in every order that work at the same instant can have, and fails if one of them fails.
///
/// ```swift
/// @Test func totalsInAnyOrder() {
///   marblesInEveryOrder { m in
///     let left = m.hot("-a-|", values: ["a": 2])
///     let right = m.hot("-b-|", values: ["b": 3])
///     m.expect(Signal.merge(left.signal, right.signal), "-(a & b)-|", values: ["a": 2, "b": 3])
///   }
/// }
/// ```
///
/// Hot sources, cold sources, timers and tasks of the same instant run in any order. In scheduling order hot sources come first. Everything else is as with
/// ``exploreInterleavings(orders:seed:workLimit:replaying:fileID:filePath:line:column:function:_:)``.
///
/// - Parameters:
///   - dialect: The notation of all diagrams.
///   - frame: How long a `-` is; whole nanoseconds.
///   - timeLimit: The virtual time after which a run with work left fails.
///   - orders: The limit of runs. nil is 10,000, and if this limit ends the search, the test gets a warning.
///   - seed: What orders are picked by where there are too many.
///   - workLimit: How many work items may run in one stretch before a run fails.
///   - token: An order to run, and no other, as a failure has printed it.
///   - declare: Makes sources and expectations, for each run.
/// - Returns: How many runs were made, and whether these were all.
@discardableResult
public func marblesInEveryOrder(
  dialect: MarbleDialect = .signals, frame: Duration = MarbleDiagram.defaultFrame,
  timeLimit: Duration = .seconds(86_400), orders: Int? = nil, seed: UInt64 = 0, workLimit: Int = 100_000,
  replaying token: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  function: StaticString = #function,
  _ declare: (MarbleTest) throws -> Void
) -> Interleavings {
  let exploration = Exploration(
    "marblesInEveryOrder", orders: orders, seed: seed, fileID: fileID, filePath: filePath, line: line, column: column,
    function: function)
  return exploration.run(replaying: token) { director, capture in
    let test = MarbleTest(
      dialect: dialect, frame: frame, timeLimit: timeLimit, workLimit: workLimit, fileID: fileID, filePath: filePath,
      line: line, column: column)
    director.direct(test.scheduler)
    do { try test.perform(declare) } catch {
      capture.note(FailureCapture.Failure(message: "The test threw \(error)."))
    }
  }
}

/// Declares, inside a work item of an explored scenario, that the item touches nothing but what is named.
///
/// Two work items that touch nothing in common commute, so only one of their two orders is tried, which saves many runs. Nothing is left out on a
/// guess: an item without a declaration counts as touching everything, because closures share variables that no library can see. So
/// name all that the item reads or changes, what it schedules or cancels, and every handler that it reaches.
///
/// ```swift
/// @Test func depots() {
///   exploreInterleavings { scheduler in
///     let stock = ["Ulm": Property(0), "Bonn": Property(0)]
///     for (depot, count) in [("Ulm", 1), ("Ulm", 2), ("Bonn", 3), ("Bonn", 4)] {
///       scheduler.schedule {
///         onlyTouches(depot)
///         stock[depot]?.update { $0 += count }
///       }
///     }
///     try scheduler.run()
///     #expect(stock["Ulm"]?.value == 3)
///   }
/// }
/// ```
///
/// Runs are pruned only if some work item calls this in scheduling order. Elsewhere the call does nothing.
///
/// - Parameter names: Names of your own for what is touched, the same in each run. A second call adds to the first.
public func onlyTouches(_ names: String...) {
  OrderDirector.current?.touch(Set(names))
}

extension OrderDirector {
  /// Decides about the work of a scheduler.
  func direct(_ scheduler: VirtualTimeScheduler) {
    guard let labels = PieceLabels.current else {
      return scheduler.setDirector(mixesSources: true) { [self] in choose($0) }
    }
    labels.noteScenario()
    let world = scheduler.watch as? VirtualWorld
    world?.setLabels(labels)
    scheduler.setDirector(mixesSources: true) { [self, weak scheduler, weak world] ready in
      labels.end(of: record)
      let choice = choose(ready)
      let number = ready.numbers[choice]
      if let piece = record.pieces.last {
        labels.begin(piece.name, number, scheduler?.job(ofReady: number), in: world)
      }
      return choice
    }
  }
}
