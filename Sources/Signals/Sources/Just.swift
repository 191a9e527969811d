extension Signal {
  /// Delivers one value and finishes.
  @inlinable
  public static func just(
    _ value: Value,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal(
      just: value, site: Site("just", fileID, line, function),
      recorder: Introspection.isOn ? GraphRecorder.current : nil)
  }

  /// Fails at once.
  public static func fail(
    _ error: any Error,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    source(Site("fail", fileID, line, function)) { observer, subscription in
      subscription.end(observer, .failed(error))
    }
  }

  /// Finishes at once.
  public static func empty(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    source(Site("empty", fileID, line, function)) { observer, subscription in
      subscription.end(observer, .finished)
    }
  }

  /// Delivers nothing and never ends.
  public static func never(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    source(Site("never", fileID, line, function)) { _, _ in }
  }

  /// A signal that does not come from another one.
  @inlinable
  static func source(
    _ site: Site, attach: @escaping @Sendable (consuming Observer<Value>, Subscription) -> Void
  ) -> Signal<Value> {
    Signal(site: site, recorder: Introspection.isOn ? GraphRecorder.current : nil, attach: attach)
  }
}
