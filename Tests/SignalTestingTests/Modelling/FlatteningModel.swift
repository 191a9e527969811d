import SignalTesting

/// Which inner signals run, as a list of what is due: the reference of all operators that flatten.
struct FlatteningModel {
  enum Policy: CaseIterable {
    case all
    case latest
    case oneByOne
    case unlessBusy
  }

  private struct Due {
    var time: Int64
    /// 0 for the upstream, which comes first.
    var order: Int
    var inner: Int?
    var event: ReceivedEvent<Int>
  }

  private let policy: Policy
  private let inners: [[TimedEvent<Int>]]
  private var agenda: [Due] = []
  private var result: [TimedEvent<Int>] = []
  private var running: Set<Int> = []
  private var queue: [Int] = []
  private var subscribedCount = 0
  private var isOuterOver = false
  private var isOver = false

  static func events(_ policy: Policy, _ events: [TimedEvent<Int>], _ inputs: ModelEvents) -> [TimedEvent<Int>] {
    var model = FlatteningModel(policy: policy, inners: inputs.inners)
    return model.run(events)
  }

  private init(policy: Policy, inners: [[TimedEvent<Int>]]) {
    self.policy = policy
    self.inners = inners
  }

  private mutating func run(_ events: [TimedEvent<Int>]) -> [TimedEvent<Int>] {
    for timed in events where timed.isInsideSubscribe { outer(timed.event, at: 0, isInside: true) }
    agenda += events.filter { !$0.isInsideSubscribe }.map {
      Due(time: $0.nanoseconds, order: 0, inner: nil, event: $0.event)
    }
    while let next = agenda.indices.min(by: { key($0) < key($1) }), !isOver {
      let due = agenda.remove(at: next)
      if let inner = due.inner {
        handle(due.event, of: inner, at: due.time, isInside: false)
      } else {
        outer(due.event, at: due.time, isInside: false)
      }
    }
    return result
  }

  /// What was scheduled first comes first.
  private func key(_ index: Int) -> (Int64, Int, Int) { (agenda[index].time, agenda[index].order, index) }

  private mutating func outer(_ event: ReceivedEvent<Int>, at time: Int64, isInside: Bool) {
    guard !isOver else { return }
    switch event {
    case .value(let value):
      switch policy {
      case .all: break
      case .latest: running = []
      case .oneByOne:
        if !running.isEmpty { return queue.append(value) }
      case .unlessBusy:
        if !running.isEmpty { return }
      }
      subscribe(value, at: time, isInside: isInside)
    case .failed: send(event, at: time, isInside: isInside)
    case .finished:
      isOuterOver = true
      endIfAllIsOver(at: time, isInside: isInside)
    }
  }

  private mutating func subscribe(_ value: Int, at time: Int64, isInside: Bool) {
    subscribedCount += 1
    let number = subscribedCount
    running.insert(number)
    let events = inners[value % inners.count]
    for timed in events where timed.isInsideSubscribe { handle(timed.event, of: number, at: time, isInside: isInside) }
    for timed in events where !timed.isInsideSubscribe {
      agenda.append(Due(time: time + timed.nanoseconds, order: number, inner: number, event: timed.event))
    }
  }

  private mutating func handle(_ event: ReceivedEvent<Int>, of inner: Int, at time: Int64, isInside: Bool) {
    guard running.contains(inner), !isOver else { return }
    guard case .finished = event else { return send(event, at: time, isInside: isInside) }
    running.remove(inner)
    if running.isEmpty, !queue.isEmpty {
      subscribe(queue.removeFirst(), at: time, isInside: isInside)
    } else {
      endIfAllIsOver(at: time, isInside: isInside)
    }
  }

  private mutating func endIfAllIsOver(at time: Int64, isInside: Bool) {
    if isOuterOver, running.isEmpty, queue.isEmpty { send(.finished, at: time, isInside: isInside) }
  }

  private mutating func send(_ event: ReceivedEvent<Int>, at time: Int64, isInside: Bool) {
    result.append(TimedEvent(nanoseconds: time, isInsideSubscribe: isInside, event: event))
    if event.isEnd { isOver = true }
  }
}
