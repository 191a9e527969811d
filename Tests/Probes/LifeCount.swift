import Synchronization

/// Counts how many of the tokens that it made are still in memory.
package final class LifeCount: Sendable {
  private let count = Atomic<Int>(0)

  package init() {}

  package var alive: Int { count.load(ordering: .acquiring) }

  /// Something for a closure to capture.
  package func token() -> Token { Token(self) }

  package final class Token: Sendable {
    private let owner: LifeCount

    fileprivate init(_ owner: LifeCount) {
      self.owner = owner
      owner.count.add(1, ordering: .acquiringAndReleasing)
    }

    deinit {
      owner.count.subtract(1, ordering: .acquiringAndReleasing)
    }

    /// Keeps the token captured by the closure that calls this.
    package func touch() {}
  }
}
