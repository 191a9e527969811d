import Dispatch
import Foundation
import Signals
import Synchronization

// Operators made of a producer, each with a bug that shows only with certain values or ends. An endless source that delivers inside subscribe cannot
// be stopped by any of them.

extension Signal where Value == Int {
  /// Handles each event of the upstream with the number of the values before it.
  func handling(_ handle: @escaping @Sendable (Event<Int>, Int, Producer<Int>) -> Void) -> Signal<Int> {
    let upstream = self
    return Signal { producer in
      let count = Mutex(0)
      producer.own(
        upstream.subscribeToEvents { event in
          let number = count.withLock { count in
            if case .value = event { count += 1 }
            return count
          }
          handle(event, number, producer)
        })
    }
  }

  /// Finishes where the upstream fails before it has sent a value.
  func finishingForEarlyFailures() -> Signal<Int> {
    handling { event, count, producer in
      if case .failed = event, count == 0 { producer.finish() } else { producer.send(event: event) }
    }
  }

  /// Loses a value that equals the one before it.
  func losingEqualNeighbours() -> Signal<Int> {
    let upstream = self
    return Signal { producer in
      let last = Mutex<Int?>(nil)
      producer.own(
        upstream.subscribeToEvents { event in
          if case .value(let value) = event {
            let isEqual = last.withLock { last in
              defer { last = value }
              return last == value
            }
            if isEqual { return }
          }
          producer.send(event: event)
        })
    }
  }

  /// Loses the value of a number.
  func losing(number: Int) -> Signal<Int> {
    handling { event, count, producer in
      if case .value = event, count == number { return }
      producer.send(event: event)
    }
  }

  /// Loses values below 0.
  func losingNegatives() -> Signal<Int> {
    handling { event, _, producer in
      if case .value(let value) = event, value < 0 { return }
      producer.send(event: event)
    }
  }

  /// Holds a lock, which a subscription takes too, while it passes on an end.
  func endingUnderALock() -> Signal<Int> {
    let upstream = self
    let lock = NSLock()
    return Signal { producer in
      lock.withLock {}
      producer.own(
        upstream.subscribeToEvents { event in
          if case .value = event {
            producer.send(event: event)
          } else {
            lock.lock()
            defer { lock.unlock() }
            producer.send(event: event)
          }
        })
    }
  }

  /// Passes a failure on later, on a queue.
  func failingLater() -> Signal<Int> {
    handling { event, _, producer in
      if case .failed = event {
        DispatchQueue.global().async { producer.send(event: event) }
      } else {
        producer.send(event: event)
      }
    }
  }
}
