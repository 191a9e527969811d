/// Runs an action when it is released: stands for what users' objects may do in `deinit`.
package final class AtRelease: Sendable {
  private let action: @Sendable () -> Void

  package init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  deinit { action() }

  /// Keeps the object captured by the closure that calls this.
  package func touch() {}
}
