/// A value with its instant, for replaying only values up to an age.
@usableFromInline
struct AgingValue<Value: Sendable>: Sendable {
  @usableFromInline let value: Value
  @usableFromInline let moment: SchedulerInstant

  @inlinable
  init(_ value: Value, at moment: SchedulerInstant) {
    self.value = value
    self.moment = moment
  }
}

extension Signal {
  /// Adds the current instant to each value.
  @inlinable
  func aging(on scheduler: any Scheduler) -> Signal<AgingValue<Value>> {
    let upstream = self
    return Signal<AgingValue<Value>>(.hidden, derivedFrom: self) { downstream, subscription in
      let receive = downstream.receive
      upstream.connect(
        Observer(for: downstream) { value in try receive(AgingValue(value, at: scheduler.now)) }, subscription)
    }
  }

  /// Drops values that were already too old at subscription.
  @inlinable
  func fresh<Content>(for duration: Duration, on scheduler: any Scheduler) -> Signal<Content>
  where Value == AgingValue<Content> {
    let upstream = self
    return Signal<Content>(.hidden, derivedFrom: self) { downstream, subscription in
      let receive = downstream.receive
      let beginning = scheduler.now
      upstream.connect(
        Observer(for: downstream) { aging in
          // A new value is not a replayed one, however short the duration.
          if aging.moment >= beginning || aging.moment.advanced(by: duration) > beginning { try receive(aging.value) }
        }, subscription)
    }
  }
}
