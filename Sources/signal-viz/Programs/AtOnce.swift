import Dispatch
import Foundation
import Synchronization

/// Queries several programs concurrently, so that one that does not respond does not delay the others.
enum AtOnce {
  /// The maximum number of concurrent threads: a response may be large.
  private static let width = 16

  /// The results of a closure for each element, in order. Each call runs on a thread of its own.
  static func map<Element: Sendable, Result: Sendable>(
    _ elements: [Element], _ transform: @escaping @Sendable (Element) throws -> Result
  ) -> [Swift.Result<Result, any Error>] {
    let results = Slots<Swift.Result<Result, any Error>>(count: elements.count)
    let next = DispatchSemaphore(value: width)
    let ended = DispatchGroup()
    for (index, element) in elements.enumerated() {
      next.wait()
      ended.enter()
      Thread.detachNewThread {
        let result = Swift.Result { try transform(element) }
        results.set(result, at: index)
        next.signal()
        ended.leave()
      }
    }
    ended.wait()
    return results.all
  }

  private final class Slots<Value: Sendable>: Sendable {
    private let values: Mutex<[Value?]>

    init(count: Int) { values = Mutex(Array(repeating: nil, count: count)) }

    func set(_ value: Value, at index: Int) { values.withLock { $0[index] = value } }

    /// All values, once each is set.
    var all: [Value] { values.withLock { $0.compactMap(\.self) } }
  }
}
