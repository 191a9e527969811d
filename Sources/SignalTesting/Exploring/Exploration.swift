import Foundation
import Signals

/// The result of running a scenario in different orders.
public struct Interleavings: Sendable, Hashable {
  /// The number of runs until an order failed, or in total.
  public var runCount: Int
  /// The number of orders that were skipped, as work that commutes was declared with ``onlyTouches(_:)``.
  public var prunedCount: Int
  /// Whether every order was tried, or an equivalent one.
  public var isExhaustive: Bool
  /// The token of the failing order, for replaying; nil if none failed. Empty if the scheduling order itself failed.
  public var failingOrder: String?
  /// The number of swaps of neighbours by which the failing order differs from scheduling order.
  public var swapCount: Int?
}

/// One call of an exploration: how it runs a scenario, and its messages.
struct Exploration {
  private static let environment = ProcessInfo.processInfo.environment["SIGNALS_REPLAY"].flatMap(ReplayToken.init)

  let call: String
  let place: MarbleSource
  let mark: String
  /// The test's limit of runs; nil if it has none.
  let orders: Int?
  /// The limit for a test without one.
  let defaultOrders: Int
  let seed: UInt64

  init(
    _ call: String, orders: Int?, defaultOrders: Int = 10_000, seed: UInt64, fileID: StaticString,
    filePath: StaticString, line: UInt, column: UInt,
    function: StaticString
  ) {
    self.call = call
    place = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    mark = ReplayToken.place(fileID: fileID, function: function)
    self.orders = orders
    self.defaultOrders = defaultOrders
    self.seed = seed
  }

  /// Runs the scenario in different orders, and reports at most one failure.
  ///
  /// - Parameters:
  ///   - token: A single order to run.
  ///   - scenario: Runs the scenario once.
  func run(replaying token: String?, _ scenario: (OrderDirector, FailureCapture) -> Void) -> Interleavings {
    withoutActuallyEscaping(scenario) { scenario in
      let capture = FailureCapture()
      let isInFirstUse = FirstUse.isUnderWay
      func perform(_ plan: OrderPlan, _ labels: PieceLabels? = nil) -> OrderSearch.Trial {
        let director = OrderDirector(plan, isInFirstUse: isInFirstUse)
        func once() {
          OrderDirector.$current.withValue(director) {
            PieceLabels.$current.withValue(labels) { scenario(director, capture) }
          }
          labels?.end(of: director.record)
        }
        if let labels { labels.record(once) } else { once() }
        return OrderSearch.Trial(record: director.record, failures: capture.take())
      }
      var verdict = Verdict(result: Interleavings(runCount: 0, prunedCount: 0, isExhaustive: false))
      capture.hold { verdict = judge(token, perform) }
      for failure in verdict.failures { report(failure.message, at: failure.source ?? place, else: place) }
      if let warning = verdict.warning { warn(warning, at: place) }
      return verdict.result
    }
  }

  /// Whether one order runs, and no search.
  func isReplay(_ token: String?) -> Bool { token != nil || Self.environment?.place == mark }

  private struct Verdict {
    var result: Interleavings
    var failures: [FailureCapture.Failure] = []
    var warning: String?
  }

  private func judge(
    _ token: String?, _ perform: @escaping (OrderPlan, PieceLabels?) -> OrderSearch.Trial
  ) -> Verdict {
    if let token {
      guard let token = ReplayToken(token), token.seed == nil else {
        return refused("\"\(token)\" is not an order of work. Pass one that a failure of \(call) has printed.")
      }
      return replay(token, perform)
    }
    if let token = Self.environment, token.place == mark { return replay(token, perform) }
    if let orders, orders < 2 {
      return refused("orders: \(orders) explores nothing: scheduling order counts as one. Pass at least 2.")
    }
    return explore(perform)
  }

  private func refused(_ message: String, runCount: Int = 0) -> Verdict {
    Verdict(
      result: Interleavings(runCount: runCount, prunedCount: 0, isExhaustive: false),
      failures: [FailureCapture.Failure(message: message)])
  }

  private func replay(
    _ token: ReplayToken, _ perform: @escaping (OrderPlan, PieceLabels?) -> OrderSearch.Trial
  ) -> Verdict {
    let trial = perform(OrderPlan(choices: token.choices), nil)
    if trial.failures.isEmpty, trial.record.misfit != nil || trial.record.choices.count < token.choices.count {
      let step = trial.record.misfit ?? trial.record.choices.count
      return refused(
        "The order \(token) no longer fits the scenario: at work item \(step + 1), less work is ready than before. "
          + "Run \(call) without it.", runCount: 1)
    }
    var result = Interleavings(runCount: 1, prunedCount: 0, isExhaustive: false)
    guard !trial.failures.isEmpty else { return Verdict(result: result) }
    result.failingOrder = token.description
    result.swapCount = trial.record.swapCount
    return Verdict(result: result, failures: [told(trial, heading: "This order of work fails.", perform)])
  }

  private func explore(_ perform: @escaping (OrderPlan, PieceLabels?) -> OrderSearch.Trial) -> Verdict {
    var search = OrderSearch(limit: orders ?? defaultOrders, seed: seed) { perform($0, nil) }
    func result() -> Interleavings {
      Interleavings(
        runCount: search.ranCount, prunedCount: search.prunedCount, isExhaustive: search.isExhaustive)
    }
    let first = search.runFirst()
    guard first.failures.isEmpty else {
      var result = result()
      result.failingOrder = ""
      result.swapCount = 0
      return Verdict(result: result, failures: first.failures.filter { !$0.isTold })
    }
    if first.record.isOnlyOrder {
      return refused(
        first.record.counts.isEmpty
          ? "The scenario ran no work, so there is nothing to explore. Schedule work on the scheduler that it gets, and advance it."
          : "No two work items are ever ready at once, so only one order exists. "
            + first.record.separation
            + "Let several things happen at the same instant, on the scheduler that the scenario gets.", runCount: 1)
    }
    switch search.search(after: first) {
    case .passed: return passed(result())
    case .unsteady(let step, let before, let now):
      return Verdict(
        result: result(),
        failures: [
          FailureCapture.Failure(
            message:
              "The scenario is not the same in each run: before work item \(step + 1), \(before) were ready in one run and "
              + "\(now) in the next, in the same order until then. It depends on something outside: real time, threads, random "
              + "numbers, or state that one run leaves for the next.")
        ])
    case .failed(let found):
      let runCount = search.ranCount
      let isTold = found.failures.contains { $0.isTold }
      let smallest = isTold ? found : search.shrink(found)
      var result = result()
      result.runCount = runCount
      result.failingOrder = ReplayToken(smallest.record, at: mark).description
      result.swapCount = smallest.record.swapCount
      let swaps = smallest.record.swapCount
      let fewest = swaps <= search.completeSwapCount + 1 ? "the fewest possible" : "the fewest found"
      let distance = "\(swaps) swap\(swaps == 1 ? "" : "s") from scheduling order\(isTold ? "" : ", \(fewest)")"
      var message = told(
        smallest,
        heading: "Fails in another order of work at the same instant: \(distance) (found in run \(runCount)).", perform)
      if isTold {
        message.message += "\n  To see the fewest swaps, inherit from ExploringTestCase, or throw instead of asserting."
      }
      return Verdict(result: result, failures: [message])
    }
  }

  /// The verdict of a search that found no failure, with a warning if the test relies on the default limit and more orders exist.
  private func passed(_ result: Interleavings) -> Verdict {
    guard orders == nil, !result.isExhaustive else { return Verdict(result: result) }
    return Verdict(
      result: result,
      warning: "\(call) found no failure in \(result.runCount) orders, but there are more. "
        + "Let fewer things happen at the same instant, declare with onlyTouches what a work item uses, "
        + "or pass orders: to state how many are enough.")
  }

  /// The full report of a failing order.
  private func told(
    _ trial: OrderSearch.Trial, heading: String,
    _ perform: (OrderPlan, PieceLabels?) -> OrderSearch.Trial
  ) -> FailureCapture.Failure {
    let isTold = trial.failures.contains { $0.isTold }
    let labels = PieceLabels()
    let plain = perform(OrderPlan(isDetailed: true), labels)
    var failing: OrderSearch.Trial?
    // Another run would report again.
    if !isTold { failing = perform(OrderPlan(choices: trial.record.choices, isDetailed: true), labels) }
    var rows = [("scheduling order", plain.record)]
    if let failing { rows.append(("failing order", failing.record)) }
    let token = ReplayToken(trial.record, at: mark)
    var messages = trial.failures.filter { !$0.isTold }.map(\.message)
    if messages.count > 3 { messages = messages.prefix(3) + ["… and \(messages.count - 3) more"] }
    let parts =
      messages
      + [
        heading, OrderPicture(rows, labels: labels).description,
        "To run it again: \(call)(replaying: \"\(token)\"), or SIGNALS_REPLAY=\(token) in the environment.",
      ]
    return FailureCapture.Failure(
      message: parts.joined(separator: "\n\n").framed, source: trial.failures.first { !$0.isTold }?.source)
  }
}
