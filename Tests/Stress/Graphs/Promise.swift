import OperatorCatalogue
import SignalTesting

/// What a chain promises about the values of each sender, worked out from its operators.
struct Promise: Sendable {
  /// Whether values may be left out.
  var mayLose = false
  /// How often a value may come in a row; nil is any number of times.
  var copies: Int? = 1
  var isOrdered = true
  /// Whether values may be left out before the first.
  var mayMissBeginning = false
  /// Whether everything comes on the queue.
  var isOnQueue = false
  /// Whether values of different senders may change places.
  var mayMixSenders = false
  private var mayFail = false

  init(_ chain: ChainPlan, in plan: Plan) {
    switch chain.base {
    case .hot(let hot): mayFail = plan.mayFail(hot: hot)
    case .cold(let cold): mayFail = cold == .alternatingThenFailing
    case .hub(let hub):
      let above = plan.hubs[hub].chain
      self = Promise(above, in: plan)
      mayMissBeginning = true
      isOnQueue = false
      mayFail = mayFail || above.throwAt != nil
      if above.throwAt != nil { mayLose = true }
    }
    var remembers = if case .cold = chain.base { chain.throwAt != nil } else { mayFail || chain.throwAt != nil }
    for row in chain.rows {
      let row = Rows.all[row.value]
      add(row, usesQueue: plan.usesQueue)
      if remembers, row.resubscribes {
        // What the source remembers comes once more.
        isOrdered = false
        copies = nil
      }
      if row.remembersValues {
        remembers = true
        // Who comes after all have left gets what was remembered, then what the source remembers; what came in between is missing.
        mayLose = true
        isOrdered = false
        copies = nil
      }
    }
    if chain.throwAt != nil { mayLose = true }
  }

  private mutating func add(_ row: OperatorForm, usesQueue: Bool) {
    switch row.passage {
    case .each, .summed: break
    case .copied: copies = copies.map { $0 * 2 }
    case .repeated: copies = nil
    case .shuffled: isOrdered = false
    case .some: mayLose = true
    }
    if row.waitsForOther { mayMissBeginning = true }
    if row.mixesSenders { mayMixSenders = true }
    // A failure may overtake values that wait.
    if row.contract.delivery != .synchronous, mayFail { mayLose = true }
    if case .isReplaced = row.contract.failure { mayFail = false }
    isOnQueue = row.contract.delivery == .scheduled ? usesQueue : isOnQueue && row.keepsPlace
  }

  /// Whether each value comes exactly once.
  var isExact: Bool { !mayLose && copies == 1 && isOrdered }
}

extension Plan {
  fileprivate func mayFail(hot: Int) -> Bool {
    let steps =
      threads.joined().map(\.value) + receivers.flatMap { $0.value.reactions.map(\.value.step) }
    return steps.contains { if case .fail(hot) = $0 { true } else { false } }
  }
}
