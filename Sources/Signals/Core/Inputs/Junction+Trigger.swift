extension Junction {
  /// Connects, from inside the gate, a signal whose first value is used only: it is unsubscribed before that value is
  /// acted on, even if it delivers inside subscribe.
  ///
  /// - Parameters:
  ///   - trigger: The signal.
  ///   - key: A key that was reserved for it, for ``drop(_:)``.
  ///   - fire: Called with its first value.
  ///   - end: Called when it ends without a value.
  @inlinable
  func connectTrigger<Trigger>(
    _ trigger: Signal<Trigger>, key: Int,
    fire: @escaping @Sendable () throws -> Void,
    end: @escaping @Sendable (Completion) -> Void
  ) {
    beginConnecting(key)
    defer { endConnecting(key) }
    connect(trigger, as: .trigger, key: key) { _ in
      // Another one may have replaced it while it was delivering on another thread.
      guard self.owns(key) else { return }
      self.drop(key)
      try fire()
    } end: { completion in
      end(completion)
    }
  }
}
