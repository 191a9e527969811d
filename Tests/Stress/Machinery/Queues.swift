import Dispatch
import Signals

/// A dispatch queue that knows whether the running code is on it: it is asked of libdispatch, not of the library.
final class MarkedQueue: Sendable {
  private static let key = DispatchSpecificKey<Int>()
  private let queue: DispatchQueue
  let number: Int
  let scheduler: DispatchQueueScheduler

  init(number: Int) {
    self.number = number
    queue = DispatchQueue(label: "stress \(number)")
    queue.setSpecific(key: Self.key, value: number)
    scheduler = .queue(queue)
  }

  var isHere: Bool { DispatchQueue.getSpecific(key: Self.key) == number }

  /// Returns when everything that was put on the queue before is over.
  func drain() { queue.sync {} }
}
