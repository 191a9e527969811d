extension Signal {
  /// Delivers, of the values of a while, the first, the last, both or none.
  ///
  /// A value that comes while nothing rests begins a rest. At its leading edge, the value is delivered at once; at its trailing edge, the
  /// newest value that has not been delivered comes at the end, and begins a rest of its own.
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
  /// - **Errors:** a failure of this signal is passed on without delay; the value that is waiting is dropped.
  /// - **Ends:** with this signal. If a value is waiting, both come together at the end of the rest.
  /// - **Order and threads:** everything is delivered on the scheduler, the first value, the end and a failure too (law 14).
  /// - **Allocations:** none for a value, beside those of the scheduler.
  /// - Parameters:
  ///   - interval: How long a rest is. A negative time counts as zero.
  ///   - scheduler: Measures the time, and delivers everything.
  ///   - edges: Which values of a rest are delivered. With none of them, only the end is.
  ///
  /// See also ``audit(for:on:fileID:line:function:)``, where no rest follows the last value.
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

/// Which values of a rest ``Signal/throttle(for:on:edges:fileID:line:function:)`` delivers.
///
/// ```swift
/// let both: ThrottleEdges = [.leading, .trailing]
/// ```
public struct ThrottleEdges: OptionSet, Sendable {
  /// The first value, which begins the rest.
  public static let leading = ThrottleEdges(rawValue: 1)
  /// The last value, at the end of the rest.
  public static let trailing = ThrottleEdges(rawValue: 2)

  /// One bit for each edge.
  public let rawValue: Int

  /// Makes the set of edges whose bits are set; other bits mean nothing.
  ///
  /// - Parameter rawValue: One bit for each edge.
  public init(rawValue: Int) { self.rawValue = rawValue }
}
