import Dispatch
import Foundation

/// The threads of the checks: none of them is the caller's, so that one that hangs can be abandoned.
enum ContractThreads {
  private static let stackSize = 8 << 20

  /// Runs work on a new thread.
  ///
  /// - Returns: The result of the work; nil if it had not ended within the limit. Then its thread is abandoned.
  static func run<Result: Sendable>(
    limit: Duration, _ work: @escaping @Sendable () -> Result
  ) -> Result? {
    let result = Guarded<Result?>(nil)
    let done = DispatchSemaphore(value: 0)
    start {
      result.value = work()
      done.signal()
    }
    // The threads are outside virtual time, where the caller may be.
    let isDone = withRealTime { done.wait(timeout: .now() + limit / .seconds(1)) == .success }
    return isDone ? result.value : nil
  }

  /// Runs work on several threads, all released together, and returns when all have ended.
  static func together(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
    let ready = DispatchGroup()
    let done = DispatchGroup()
    let go = DispatchSemaphore(value: 0)
    for index in 0..<count {
      ready.enter()
      done.enter()
      start {
        ready.leave()
        go.wait()
        work(index)
        done.leave()
      }
    }
    ready.wait()
    for _ in 0..<count { go.signal() }
    done.wait()
  }

  static func start(_ work: @escaping @Sendable () -> Void) {
    let thread = Thread(block: work)
    thread.stackSize = stackSize
    thread.start()
  }
}

/// A variable that several threads share; its old value is released outside its lock.
///
/// Thread Sanitizer sees the lock.
// Safe: `stored` is touched only under `lock`.
final class Guarded<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value

  init(_ value: Value) { stored = value }

  var value: Value {
    get { withLock { $0 } }
    set {
      var old = newValue
      withLock { swap(&$0, &old) }
      withExtendedLifetime(old) {}
    }
  }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&stored) } }
}

/// Lets one of many calls pass, once it is armed.
final class Trigger: Sendable {
  private let armed = Guarded(false)

  func arm() { armed.value = true }

  /// Whether it is armed and has not been fired.
  var isArmed: Bool { armed.value }

  /// - Returns: Whether it was armed; it no longer is.
  func fire() -> Bool {
    armed.withLock { armed in
      defer { armed = false }
      return armed
    }
  }
}

/// Counts the tokens it created that are still in memory.
final class LifeCount: Sendable {
  private let count = Guarded(0)

  var alive: Int { count.value }

  /// An object for a closure to capture.
  func token() -> Token { Token(count) }

  final class Token: Sendable {
    private let count: Guarded<Int>

    fileprivate init(_ count: Guarded<Int>) {
      self.count = count
      count.withLock { $0 += 1 }
    }

    deinit { count.withLock { $0 -= 1 } }

    /// Makes the calling closure capture the token.
    func touch() {}
  }
}
