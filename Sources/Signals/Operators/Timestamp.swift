/// A value with the instant of its delivery; see ``Signal/timestamp(on:fileID:line:function:)``.
public struct Timestamped<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// The instant of delivery, in the time of the scheduler.
  public var instant: SchedulerInstant

  /// Creates a value with an instant.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - instant: The instant of delivery.
  @inlinable
  public init(_ value: Value, at instant: SchedulerInstant) {
    self.value = value
    self.instant = instant
  }
}

extension Timestamped: Equatable where Value: Equatable {}
extension Timestamped: Hashable where Value: Hashable {}

extension Signal {
  /// Delivers each value with the instant of its delivery.
  ///
  /// ![timestamp, as a marble diagram](timestamp-on)
  ///
  /// ```text
  /// source   -a--b-|
  ///          source.timestamp(on: scheduler).map { "\($0.value) at \($0.instant.sinceOrigin)" }
  /// result   -x--y-|
  /// x = a at 0.001 seconds, y = b at 0.004 seconds
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let taps = Emitter<String>()
  /// taps.signal
  ///   .timestamp(on: .main)
  ///   .pairwise()
  ///   .filter { first, second in first.instant.duration(to: second.instant) < .milliseconds(300) }
  ///   .subscribe { _, second in print("double tap on \(second.value)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** where this signal delivers: the scheduler provides only the time.
  /// - **Allocations:** none.
  /// - Parameter scheduler: Provides the time.
  ///
  /// See also ``measureInterval(on:fileID:line:function:)``.
  @inlinable
  public func timestamp(
    on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Timestamped<Value>> {
    lift(
      Site(
        "timestamp", behavior: [.passesOn, .atMostOne, .runsNoClosure], fileID: fileID, line: line, function: function),
      stateless: { value in Timestamped(value, at: scheduler.now) })
  }
}
