extension Signal {
  /// Asks a closure for the signal anew for each subscription. If the closure throws, the signal fails.
  @inlinable
  public static func deferred(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ make: @escaping @Sendable () throws -> Signal<Value>
  ) -> Signal<Value> {
    Signal(Site("deferred", fileID: fileID, line: line, function: function)) { observer, subscription in
      do {
        let signal = try make()
        signal.connect(observer, subscription)
      } catch {
        subscription.end(observer, .failed(error))
      }
    }
  }
}
