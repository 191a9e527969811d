extension Signal {
  /// Delivers a value and then pauses; of the values of a pause, the first, the last, both or none.
  ///
  /// A value outside a pause starts one. At the leading edge, the value is delivered at once; at the trailing edge, the
  /// newest undelivered value is delivered, and starts another pause.
  ///
  /// ![throttle, as a marble diagram](throttle-for-on-edges)
  ///
  /// ```text
  /// source   -ab---c---d-|
  ///          source.throttle(for: .milliseconds(3), on: scheduler, edges: .leading)
  /// result   -a----c---d-|
  ///
  ///          source.throttle(for: .milliseconds(3), on: scheduler, edges: .trailing)
  /// result   ----b--c--d-|
  ///
  ///          source.throttle(for: .milliseconds(3), on: scheduler, edges: [.leading, .trailing])
  /// result   -a--b--c--d-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let edits = Emitter<String>()
  /// edits.signal
  ///   .throttle(for: .seconds(2), on: .main, edges: .trailing)
  ///   .subscribe { text in print("saving \(text)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal is passed on without delay; the waiting value is dropped.
  /// - **Ends:** with this signal. If a value is waiting, both are delivered together at the end of the pause.
  /// - **Order and threads:** everything is delivered on the scheduler, the first value, the end and a failure too (law 14).
  /// - **Allocations:** none for a value, except those of the scheduler.
  /// - Parameters:
  ///   - interval: The length of a pause. A negative time counts as zero.
  ///   - scheduler: Measures the time, and delivers everything.
  ///   - edges: The values of a pause to deliver. With none of them, only the end is delivered.
  ///
  /// See also ``audit(for:on:fileID:line:function:)``, where no pause follows the last value.
  @inlinable
  public func throttle(
    for interval: Duration, on scheduler: any Scheduler, edges: ThrottleEdges,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    throttled(
      Site(
        "throttle", behavior: [.runsNoClosure, .settles, .limitsRate], fileID: fileID, line: line, function: function),
      for: interval, on: scheduler, edges: edges)
  }
}

/// The values of a pause that ``Signal/throttle(for:on:edges:fileID:line:function:)`` delivers.
///
/// ```swift
/// let both: ThrottleEdges = [.leading, .trailing]
/// ```
public struct ThrottleEdges: OptionSet, Sendable {
  /// The first value, which starts the pause.
  public static let leading = ThrottleEdges(rawValue: 1)
  /// The last value, at the end of the pause.
  public static let trailing = ThrottleEdges(rawValue: 2)

  /// One bit for each edge.
  public let rawValue: Int

  /// Creates the set of edges whose bits are set; other bits are ignored.
  ///
  /// - Parameter rawValue: One bit for each edge.
  public init(rawValue: Int) { self.rawValue = rawValue }
}
