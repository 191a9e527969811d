import Synchronization

/// Counts how many of the tokens that it made are still in memory.
final class Life: Sendable {
  private let count = Atomic<Int>(0)

  var alive: Int { count.load(ordering: .acquiring) }

  /// Something for a closure to capture.
  func token() -> Token { Token(self) }

  final class Token: Sendable {
    private let life: Life

    fileprivate init(_ life: Life) {
      self.life = life
      life.count.add(1, ordering: .acquiringAndReleasing)
    }

    deinit { life.count.subtract(1, ordering: .acquiringAndReleasing) }

    /// Keeps the token captured by the closure that calls this.
    @inline(never)
    func touch() {}
  }
}

/// Runs an action when it is released: stands for what users' objects may do in `deinit`.
final class AtRelease: Sendable {
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  deinit { action() }

  /// Keeps the object captured by the closure that calls this.
  @inline(never)
  func touch() {}
}
