/// A value, and the moment at which it came; see ``Signal/timestamp(on:fileID:line:function:)``.
public struct Timestamped<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// When it came, in the time of the scheduler.
  public var instant: SchedulerInstant

  /// Makes a value with a moment.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - instant: When it came.
  @inlinable
  public init(_ value: Value, at instant: SchedulerInstant) {
    self.value = value
    self.instant = instant
  }
}

extension Timestamped: Equatable where Value: Equatable {}
extension Timestamped: Hashable where Value: Hashable {}

extension Signal {
  /// Delivers each value with the moment at which it comes.
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
  /// - **Order and threads:** where this signal delivers: the scheduler is only asked for the time.
  /// - **Allocations:** none.
  /// - Parameter scheduler: Tells the time.
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
