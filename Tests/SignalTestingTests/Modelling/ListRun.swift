import SignalTesting

/// What is due, one after the other: the simplest way to say what an operator does that subscribes to signals as it goes.
///
/// At the same instant the inputs that run on their own come first, in their order; all else comes in the order in which it was begun.
final class ListRun {
  typealias Handler = (_ event: ReceivedEvent<Int>, _ subscription: Int) -> Void

  private struct Due {
    var time: Int64
    /// An input that runs on its own has a negative number.
    var order: Int
    var act: () -> Void
  }

  /// The latest first, so that what is due next is last.
  private var agenda: [Due] = []
  private var moment = Due(time: 0, order: .min, act: {})
  private var isInside = true
  private var handlers: [Int: Handler] = [:]
  private var last = 0
  private(set) var isOver = false
  /// For references that subscribe again.
  var attemptCount = 0
  private var result: [TimedEvent<Int>] = []

  /// What is sent while a closure and all that follows from it runs.
  static func events(_ begin: (ListRun) -> Void) -> [TimedEvent<Int>] {
    let run = ListRun()
    begin(run)
    run.isInside = false
    while let next = run.agenda.popLast(), !run.isOver {
      run.moment = next
      next.act()
    }
    run.handlers = [:]
    return run.result
  }

  /// Puts it after all that is due at the same instant in the same order.
  private func schedule(_ due: Due) {
    var low = 0
    var high = agenda.count
    while low < high {
      let middle = (low + high) / 2
      if (agenda[middle].time, agenda[middle].order) > (due.time, due.order) { low = middle + 1 } else { high = middle }
    }
    agenda.insert(due, at: low)
  }

  func send(_ event: ReceivedEvent<Int>) {
    guard !isOver else { return }
    result.append(TimedEvent(nanoseconds: moment.time, isInsideSubscribe: isInside, event: event))
    isOver = event.isEnd
  }

  /// Begins a signal that starts anew for every subscriber.
  @discardableResult
  func subscribe(_ events: [TimedEvent<Int>], _ handler: @escaping Handler) -> Int {
    begin(events, order: nil, from: moment.time, handler)
  }

  /// Begins an input that runs on its own: what it sent before is missed, but for its end.
  @discardableResult
  func subscribe(toInput position: Int, _ events: [TimedEvent<Int>], _ handler: @escaping Handler) -> Int {
    let order = position - 1_000
    let left = events.filter { $0.isInsideSubscribe || ($0.nanoseconds, order) > (moment.time, moment.order) }
    let subscription = begin(left, order: order, from: 0, handler)
    if let end = events.last?.event, end.isEnd, left.last?.event.isEnd != true { deliver(end, to: subscription) }
    return subscription
  }

  private func begin(_ events: [TimedEvent<Int>], order: Int?, from start: Int64, _ handler: @escaping Handler) -> Int {
    last += 1
    let subscription = last
    handlers[subscription] = handler
    for timed in events where timed.isInsideSubscribe { deliver(timed.event, to: subscription) }
    last += 1
    for timed in events where !timed.isInsideSubscribe {
      let due = Due(time: start + timed.nanoseconds, order: order ?? last) { [self] in
        deliver(timed.event, to: subscription)
      }
      schedule(due)
    }
    return subscription
  }

  private func deliver(_ event: ReceivedEvent<Int>, to subscription: Int) {
    guard let handler = handlers[subscription], !isOver else { return }
    if event.isEnd { leave(subscription) }
    handler(event, subscription)
  }

  func leave(_ subscription: Int?) { subscription.map { handlers[$0] = nil } }

  /// Does something after a while.
  func after(_ delay: Duration, _ act: @escaping () -> Void) {
    last += 1
    schedule(Due(time: moment.time + Int64(delay / .nanoseconds(1)), order: last, act: act))
  }
}
