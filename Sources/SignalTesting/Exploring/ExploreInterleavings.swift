import CustomDump
public import Signals

/// Runs a scenario in every order that work at the same instant can have, and fails if one of them fails.
///
/// Work that is due at the same virtual instant runs in the order in which it was scheduled, so a test sees one order
/// only. In a program it may be any. This runs the scenario repeatedly: in all orders, beginning with those closest to
/// scheduling order, and if there are too many, in half of `orders` of them; then in orders that a seed picks: at
/// random, by priorities, or with a few work items delayed.
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
/// Each run creates everything again: the scenario gets its own scheduler, creates its signals on it, advances it and
/// checks the outcome. Tasks that it starts are in virtual time, as in `withVirtualTime`: each stretch of a task or an
/// actor between two suspensions is a work item. A call to an actor that is free does not suspend, see
/// <doc:ExploringInterleavings>. The test's own work, such as subscribing, runs before all other work of its instant.
///
/// A run fails by an error that the scenario throws, an `#expect`, an `XCTAssert` (see ``ExploringTestCase``), an expectation of this library, or
/// an unhandled failure. It is reported once, for the order with the fewest swaps: both orders as marbles, and a token that runs this
/// order again.
///
/// It also fails if only one order exists, or if the scenario is not deterministic. Put `withKnownIssue` around the
/// call: inside, its issues fail the run like others.
///
/// - Parameters:
///   - systemTime: What the system's clocks show, and where sleeps on them and work for dispatch queues go.
///   - orders: The limit of runs, at least 2: one is scheduling order. nil is 10,000, and if this limit ends the
///     search, the test gets a warning.
///   - seed: Picks the orders if there are too many.
///   - workLimit: The maximum number of work items in one stretch of a run.
///   - token: A single order to run, as printed by a failure. The environment variable `SIGNALS_REPLAY` does the same.
///   - scenario: Creates, runs and checks everything once.
/// - Returns: The number of runs, and whether these were all orders.
/// - Complexity: The scenario's cost times the number of runs.
@discardableResult
public func exploreInterleavings(
  systemTime: SystemTime = .real, orders: Int? = nil, seed: UInt64 = 0, workLimit: Int = 100_000,
  replaying token: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  function: StaticString = #function,
  _ scenario: (VirtualTimeScheduler) throws -> Void
) -> Interleavings {
  let exploration = Exploration(
    "exploreInterleavings", orders: orders, seed: seed, fileID: fileID, filePath: filePath, line: line, column: column,
    function: function)
  return exploration.run(replaying: token) { director, capture in
    do {
      try withVirtualTime(
        systemTime: systemTime, workLimit: workLimit, fileID: fileID, filePath: filePath, line: line, column: column
      ) {
        (scheduler: VirtualTimeScheduler) throws -> Void in
        director.direct(scheduler)
        try scenario(scheduler)
      }
    } catch {
      capture.note(error, of: "The scenario")
    }
  }
}

/// Runs an asynchronous scenario in every order that work at the same instant can have; see
/// ``exploreInterleavings(systemTime:orders:seed:workLimit:replaying:fileID:filePath:line:column:function:_:)``.
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
/// The scenario is a task in virtual time, which advances while all tasks wait, as in `withVirtualTime`. Other code
/// that it starts, such as `Task { }` and actors, is in virtual time too. It awaits the results that it checks, and
/// must not advance the scheduler itself.
///
/// - Parameters:
///   - systemTime: What the system's clocks show, and where sleeps on them and work for dispatch queues go.
///   - orders: The limit of runs. nil is 10,000, and if this limit ends the search, the test gets a warning.
///   - seed: Picks the orders if there are too many.
///   - workLimit: The maximum number of work items in one stretch of a run.
///   - token: A single order to run, as printed by a failure.
///   - scenario: Creates and checks everything once.
/// - Returns: The number of runs, and whether these were all orders.
@discardableResult
public func exploreInterleavings(
  systemTime: SystemTime = .real, orders: Int? = nil, seed: UInt64 = 0, workLimit: Int = 100_000,
  replaying token: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  function: StaticString = #function,
  @_inheritActorContext ofTask scenario: @escaping @Sendable (VirtualTimeScheduler) async throws -> Void
) -> Interleavings {
  let exploration = Exploration(
    "exploreInterleavings", orders: orders, seed: seed, fileID: fileID, filePath: filePath, line: line, column: column,
    function: function)
  return exploration.run(replaying: token) { director, capture in
    do {
      try withVirtualTime(
        systemTime: systemTime, workLimit: workLimit, fileID: fileID, filePath: filePath, line: line, column: column
      ) {
        (scheduler: VirtualTimeScheduler) async throws -> Void in
        director.direct(scheduler)
        try await scenario(scheduler)
      }
    } catch {
      capture.note(error, of: "The scenario")
    }
  }
}

/// Runs a scenario in every order that work at the same instant can have, and fails if one of them has another result
/// than scheduling order.
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
/// It needs no expected result: that of scheduling order is used. For the rest, see
/// ``exploreInterleavings(systemTime:orders:seed:workLimit:replaying:fileID:filePath:line:column:function:_:)``.
///
/// - Parameters:
///   - systemTime: What the system's clocks show, and where sleeps on them and work for dispatch queues go.
///   - orders: The limit of runs. nil is 10,000, and if this limit ends the search, the test gets a warning.
///   - seed: Picks the orders if there are too many.
///   - workLimit: The maximum number of work items in one stretch of a run.
///   - token: A single order to run and compare with scheduling order, as printed by a failure.
///   - scenario: Creates and runs everything once, and returns the result to compare.
/// - Returns: The number of runs, and whether these were all orders.
@discardableResult
public func expectSameInEveryOrder<Observation: Equatable>(
  systemTime: SystemTime = .real, orders: Int? = nil, seed: UInt64 = 0, workLimit: Int = 100_000,
  replaying token: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  function: StaticString = #function,
  _ scenario: (VirtualTimeScheduler) throws -> Observation
) -> Interleavings {
  let exploration = Exploration(
    "expectSameInEveryOrder", orders: orders, seed: seed, fileID: fileID, filePath: filePath, line: line,
    column: column, function: function)
  func observe(_ director: OrderDirector) throws -> Observation {
    try withVirtualTime(
      systemTime: systemTime, workLimit: workLimit, fileID: fileID, filePath: filePath, line: line, column: column
    ) {
      (scheduler: VirtualTimeScheduler) throws -> Observation in
      director.direct(scheduler)
      return try scenario(scheduler)
    }
  }
  /// The result of scheduling order: the first run of a search.
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
      capture.note(error, of: "The scenario")
    }
  }
}

/// The difference of two observations.
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
/// Hot sources, cold sources, timers and tasks of the same instant run in any order. In scheduling order hot sources
/// come first. For the rest, see
/// ``exploreInterleavings(systemTime:orders:seed:workLimit:replaying:fileID:filePath:line:column:function:_:)``.
///
/// - Parameters:
///   - dialect: The notation of all diagrams.
///   - frame: The length of a `-`; whole nanoseconds.
///   - systemTime: What the system's clocks show, and where sleeps on them and work for dispatch queues go.
///   - timeLimit: The virtual time after which a run with remaining work fails.
///   - orders: The limit of runs. nil is 10,000, and if this limit ends the search, the test gets a warning.
///   - seed: Picks the orders if there are too many.
///   - workLimit: The maximum number of work items in one stretch of a run.
///   - token: A single order to run, as printed by a failure.
///   - declare: Creates sources and expectations, for each run.
/// - Returns: The number of runs, and whether these were all orders.
@discardableResult
public func marblesInEveryOrder(
  dialect: MarbleDialect = .signals, frame: Duration = MarbleDiagram.defaultFrame, systemTime: SystemTime = .real,
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
      dialect: dialect, frame: frame, systemTime: systemTime, timeLimit: timeLimit, workLimit: workLimit,
      fileID: fileID, filePath: filePath, line: line, column: column)
    director.direct(test.scheduler)
    do { try test.perform(declare) } catch {
      capture.note(error, of: "The test")
    }
  }
}

/// Declares, inside a work item of an explored scenario, that the item touches only the named resources.
///
/// Two work items without a common resource commute, so only one of their two orders is tried, which saves many runs.
/// Nothing is skipped on a guess: an item without a declaration counts as touching everything, because closures share
/// variables that a library cannot see. So name all that the item reads or changes, the work that it schedules or
/// cancels, and every handler that it reaches.
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
/// - Parameter names: Names of your choice for the resources, the same in each run. A second call adds to the first.
public func onlyTouches(_ names: String...) {
  OrderDirector.current?.touch(Set(names))
}

extension OrderDirector {
  /// Directs the work of a scheduler.
  func direct(_ scheduler: VirtualTimeScheduler) {
    guard let labels = PieceLabels.current else {
      return scheduler.setDirector(mixesSources: true) { [self] in choose($1) }
    }
    labels.noteScenario()
    (scheduler.watch as? VirtualWorld)?.labels = labels
    scheduler.setDirector(mixesSources: true) { [self] scheduler, ready in
      labels.end(of: record)
      let choice = choose(ready)
      let number = ready.numbers[choice]
      if let piece = record.pieces.last {
        labels.begin(piece.name, number, scheduler.job(ofReady: number), in: scheduler.watch as? VirtualWorld)
      }
      return choice
    }
  }
}
