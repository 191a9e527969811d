public import Signals

/// The inputs of an operator under a model check, besides its upstream.
public struct ModelInputs: Sendable {
  /// The scheduler for a time-based operator.
  public let scheduler: VirtualTimeScheduler
  /// Further inputs, as many as requested. Like the upstream they are hot, and send values inside subscribe to each
  /// subscriber.
  public let others: [Signal<Int>]
  /// Signals that start again for every subscriber, as many as requested: for operators that map values to signals.
  public let inners: [Signal<Int>]
}

/// The inputs of a reference besides the events of the upstream: the same as ``ModelInputs``, as lists.
public struct ModelEvents: Sendable {
  /// The events of the further inputs.
  public let others: [[TimedEvent<Int>]]
  /// The events of the inner signals, with times since their subscription.
  public let inners: [[TimedEvent<Int>]]

  /// Returns the events of several lists in the order of delivery: values inside subscribe first, list by list; then by
  /// time, and at the same instant list by list.
  ///
  /// - Parameter lists: The upstream's events and those of further inputs, in the order in which the operator subscribes to them.
  /// - Returns: Each event, and the position of its list.
  public func inOrder(_ lists: [TimedEvent<Int>]...) -> [(input: Int, event: TimedEvent<Int>)] {
    let all = lists.enumerated().flatMap { position, list in list.map { (input: position, event: $0) } }
    func key(_ entry: (input: Int, event: TimedEvent<Int>)) -> (Int64, Int) {
      (entry.event.isInsideSubscribe ? -1 : entry.event.nanoseconds, entry.input)
    }
    // Events with the same key keep their order: the library's sort is stable, but does not guarantee it.
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
  /// Returns another event at the same time.
  ///
  /// - Parameter event: The event.
  public func with<Other>(_ event: ReceivedEvent<Other>) -> TimedEvent<Other> {
    TimedEvent<Other>(nanoseconds: nanoseconds, isInsideSubscribe: isInsideSubscribe, event: event)
  }

  /// Returns the same event, delayed; then it is no longer inside subscribe.
  ///
  /// - Parameter delay: The delay.
  public func delayed(by delay: Duration) -> TimedEvent {
    TimedEvent(nanoseconds: nanoseconds + (delay.exactNanoseconds ?? 0), event: event)
  }
}

extension [TimedEvent<Int>] {
  /// Returns the events with each value replaced by others at the same time; ends stay.
  ///
  /// - Parameter replace: Maps a value to its replacements.
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
