public import Signals

/// What an operator under a model check may use besides its upstream.
public struct ModelInputs: Sendable {
  /// Where an operator of time gets its time from.
  public let scheduler: VirtualTimeScheduler
  /// Further inputs, as many as were asked for. Like the upstream they run on their own, and send values inside subscribe to whoever subscribes.
  public let others: [Signal<Int>]
  /// Signals that start again for every subscriber, as many as were asked for: for operators whose values become signals.
  public let inners: [Signal<Int>]
}

/// What a reference is told besides the events of the upstream: the same as ``ModelInputs``, as lists.
public struct ModelEvents: Sendable {
  /// What the further inputs send.
  public let others: [[TimedEvent<Int>]]
  /// What the inner signals send, with times from their subscription on.
  public let inners: [[TimedEvent<Int>]]

  /// The events of several lists in the order in which they come: values inside subscribe first, list by list; then by time, and at
  /// the same instant list by list.
  ///
  /// - Parameter lists: The upstream's events and those of further inputs, in the order in which the operator subscribes to them.
  /// - Returns: Each event, and the position of its list.
  public func inOrder(_ lists: [TimedEvent<Int>]...) -> [(input: Int, event: TimedEvent<Int>)] {
    let all = lists.enumerated().flatMap { position, list in list.map { (input: position, event: $0) } }
    func key(_ entry: (input: Int, event: TimedEvent<Int>)) -> (Int64, Int) {
      (entry.event.isInsideSubscribe ? -1 : entry.event.nanoseconds, entry.input)
    }
    // What has the same key keeps its order: the library's sort is stable, but does not promise it.
    return all.enumerated().sorted { left, right in
      let (leftKey, rightKey) = (key(left.element), key(right.element))
      return leftKey == rightKey ? left.offset < right.offset : leftKey < rightKey
    }.map(\.element)
  }
}

extension ReceivedEvent {
  /// The value, unless it is an end.
  public var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  /// Whether it is the end or a failure.
  public var isEnd: Bool { value == nil }
}

extension TimedEvent {
  /// Another event at the same moment.
  ///
  /// - Parameter event: The event.
  public func with<Other>(_ event: ReceivedEvent<Other>) -> TimedEvent<Other> {
    TimedEvent<Other>(nanoseconds: nanoseconds, isInsideSubscribe: isInsideSubscribe, event: event)
  }

  /// The same event later; then it is no longer inside subscribe.
  ///
  /// - Parameter delay: How much later.
  public func delayed(by delay: Duration) -> TimedEvent {
    TimedEvent(nanoseconds: nanoseconds + (delay.exactNanoseconds ?? 0), event: event)
  }
}

extension [TimedEvent<Int>] {
  /// The events with each value replaced by others at the same moment; ends stay.
  ///
  /// - Parameter replace: What becomes of a value.
  public func replacingValues<Other>(_ replace: (Int) -> [Other]) -> [TimedEvent<Other>] {
    flatMap { timed -> [TimedEvent<Other>] in
      switch timed.event {
      case .value(let value): replace(value).map { timed.with(.value($0)) }
      case .failed(let error): [timed.with(.failed(error))]
      case .finished: [timed.with(.finished)]
      }
    }
  }
}
