extension Signal {
  /// Delivers one value and finishes.
  @inlinable
  public static func just(
    _ value: Value,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal(Site("just", fileID: fileID, line: line, function: function), just: value)
  }

  /// Fails at once.
  public static func fail(
    _ error: any Error,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal(Site("fail", fileID: fileID, line: line, function: function)) { observer, subscription in
      subscription.end(observer, .failed(error))
    }
  }

  /// Finishes at once.
  public static func empty(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal(Site("empty", fileID: fileID, line: line, function: function)) { observer, subscription in
      subscription.end(observer, .finished)
    }
  }

  /// Delivers nothing and never ends.
  public static func never(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal(Site("never", fileID: fileID, line: line, function: function)) { _, _ in }
  }
}
