import Foundation

/// A variable that several threads share; what it held before is released outside its lock. The lock is one that the thread sanitizer sees.
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

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&stored) }
  }
}

extension Guarded {
  /// The elements, in memory of their own. Whether an array's memory is shared is told by counts of references, which the thread sanitizer
  /// does not see: who read the array would seem to race with whoever adds to it later.
  func elements<Element>() -> [Element] where Value == [Element] {
    withLock { $0.map { $0 } }
  }
}
