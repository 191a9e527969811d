import Foundation
import Synchronization

/// A closure that is not `Sendable`, for schedulers and signals, which take only such.
///
/// A marble test is not `Sendable`: it is declared, and it runs, in one isolation. What a closure captures belongs to the same region as the test, so
/// nobody else may use it while the test runs. The closure is called by the thread that runs the test, or not at all.
// Safe: `body` is constant, and called only on the thread that `run()` was called on, while it runs; `owner` has a lock.
final class ThreadBound<Result>: @unchecked Sendable {
  private let body: () throws -> Result
  private let owner = Mutex<ObjectIdentifier?>(nil)

  init(_ body: @escaping () throws -> Result) { self.body = body }

  /// From now on this thread may call the closure.
  func bind() { owner.withLock { $0 = ObjectIdentifier(Thread.current) } }

  /// From now on nobody may.
  func unbind() { owner.withLock { $0 = nil } }

  /// Calls the closure; nil on another thread.
  func call() throws -> Result? {
    owner.withLock { $0 == ObjectIdentifier(Thread.current) } ? try body() : nil
  }
}
