/// Runs an action when it is released: stands for what users' objects may do in `deinit`.
final class AtRelease: Sendable {
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  deinit { action() }

  /// Keeps the object captured by the closure that calls this.
  func touch() {}
}
