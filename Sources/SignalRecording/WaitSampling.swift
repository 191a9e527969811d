import SignalGraph
import Synchronization

/// Measures the waiting times of values in a node: one value at a time, in a FIFO queue.
final class WaitSampling: Sendable {
  /// The number of the value that is being measured; 0 while none is.
  private let measured = Atomic<UInt64>(0)
  private let began = Atomic<UInt64>(0)
  private let count = Atomic<UInt64>(0)
  private let total = Atomic<UInt64>(0)
  private let longest = Atomic<UInt64>(0)

  /// Notes that a value begins to wait.
  ///
  /// - Parameters:
  ///   - number: The number of the value, from 1 on.
  ///   - ended: The number of values that have left.
  func begin(_ number: UInt64, ended: UInt64) {
    // One that left while profiling was off was not seen.
    guard measured.load(ordering: .relaxed) <= ended else { return }
    began.store(HandlerTracing.nanoseconds, ordering: .relaxed)
    measured.store(number, ordering: .releasing)
  }

  /// Notes that a value leaves.
  ///
  /// - Parameter number: The number of the value, from 1 on.
  func end(_ number: UInt64) {
    guard measured.load(ordering: .acquiring) == number else { return }
    let time = time
    measured.store(0, ordering: .relaxed)
    count.wrappingAdd(1, ordering: .relaxed)
    total.wrappingAdd(time, ordering: .relaxed)
    longest.max(time, ordering: .relaxed)
  }

  /// The waiting time of the value; another one may begin to be measured concurrently.
  private var time: UInt64 {
    let now = HandlerTracing.nanoseconds
    return now - min(now, began.load(ordering: .relaxed))
  }

  /// Discards the measurements.
  func forget() {
    measured.store(0, ordering: .relaxed)
    count.store(0, ordering: .relaxed)
    total.store(0, ordering: .relaxed)
    longest.store(0, ordering: .relaxed)
  }

  /// The measurements; nil if there are none.
  ///
  /// - Parameter ended: The number of values that have left.
  func reading(ended: UInt64) -> WaitTimes? {
    let nanoseconds = 1_000_000_000.0
    let waiting = measured.load(ordering: .acquiring) > ended ? time : 0
    let times = WaitTimes(
      values: count.load(ordering: .relaxed), seconds: Double(total.load(ordering: .relaxed)) / nanoseconds,
      longest: Double(max(waiting, longest.load(ordering: .relaxed))) / nanoseconds)
    return times.longest > 0 ? times : nil
  }
}
