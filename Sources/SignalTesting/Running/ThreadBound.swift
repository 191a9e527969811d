import Foundation
import Signals
import Synchronization

/// A closure that is not `Sendable`, for schedulers and signals, which require `Sendable` ones.
///
/// A marble test is not `Sendable`: it is declared, and it runs, in one isolation. A closure's captures belong to the
/// same region as the test, so no other code may use them while the test runs. The closure is called by the thread that
/// runs the test, or not at all.
// Safe: `body` is constant, and called only on the thread that `run()` was called on, while it runs; `owner` has a lock.
final class ThreadBound<Argument, Result>: @unchecked Sendable {
  private let body: (Argument) throws -> Result
  private let owner = Mutex<ObjectIdentifier?>(nil)

  init(_ body: @escaping (Argument) throws -> Result) { self.body = body }

  /// From now on this thread may call the closure.
  func bind() { owner.withLock { $0 = ObjectIdentifier(Thread.current) } }

  /// From now on no thread may call it.
  func unbind() { owner.withLock { $0 = nil } }

  /// Calls the closure; nil on another thread.
  func call(_ argument: Argument) throws -> Result? {
    owner.withLock { $0 == ObjectIdentifier(Thread.current) } ? try body(argument) : nil
  }
}

extension ThreadBound where Argument == Void {
  func call() throws -> Result? { try call(()) }
}

/// Allows a closure to be called while the test runs.
struct BindingCheck<Argument, Result>: MarbleCheck {
  let closure: ThreadBound<Argument, Result>

  func schedule(on scheduler: VirtualTimeScheduler) { closure.bind() }

  func verify(_ failures: MarbleFailures) {}

  func dispose() { closure.unbind() }
}
