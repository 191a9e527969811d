#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

extension Signal {
  /// Stops in the debugger at an event that meets a condition; otherwise passes everything on unchanged.
  ///
  /// It raises the signal `SIGTRAP`, in every build. A debugger then shows the chain on the stack, and can continue the
  /// program. Without a debugger the program exits, so remove the operator before you ship.
  ///
  /// ![breakpoint, as a marble diagram](breakpoint-onSubscribe-onValue-onFailure-onFinish)
  ///
  /// ```text
  /// source   -a-b-|
  ///          source.breakpoint(onValue: { $0.isEmpty })
  /// result   -a-b-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let prices = Emitter<Int>()
  /// prices.signal
  ///   .breakpoint(onValue: { $0 < 0 }, onFailure: { _ in true })
  ///   .subscribe(onValue: { print($0) }, onFailure: { _ in })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that `onValue` throws fails the result.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** each closure is called on the thread of its event, before the event is passed on.
  /// - **Allocations:** none for a value.
  /// - Parameters:
  ///   - onSubscribe: Whether to stop when a subscription begins, before it reaches the source.
  ///   - onValue: Whether to stop at a value.
  ///   - onFailure: Whether to stop at a failure of upstream.
  ///   - onFinish: Whether to stop at the regular end.
  ///
  /// See also ``handle(fileID:line:function:onSubscribe:onValue:onFailure:onFinish:onDispose:)`` and
  /// ``assertNoFailure(_:fileID:line:function:)``.
  @inlinable
  public func breakpoint(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    onSubscribe: (@Sendable () -> Bool)? = nil,
    onValue: (@Sendable (Value) throws -> Bool)? = nil,
    onFailure: (@Sendable (any Error) -> Bool)? = nil,
    onFinish: (@Sendable () -> Bool)? = nil
  ) -> Signal<Value> {
    handled(
      Site("breakpoint", behavior: [.passesOn, .atMostOne], fileID: fileID, line: line, function: function),
      onSubscribe: { if onSubscribe?() == true { stopInDebugger() } },
      onValue: { if try onValue?($0) == true { stopInDebugger() } },
      onFailure: { if onFailure?($0) == true { stopInDebugger() } },
      onFinish: { if onFinish?() == true { stopInDebugger() } })
  }
}

@usableFromInline
func stopInDebugger() {
  raise(SIGTRAP)
}
