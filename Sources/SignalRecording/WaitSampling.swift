import SignalGraph
import Synchronization

/// Measures how long values wait in a node: one value at a time, in a queue from which the first leaves first.
final class WaitSampling: Sendable {
  /// The number of the value that is being measured; 0 while none is.
  private let measured = Atomic<UInt64>(0)
  private let began = Atomic<UInt64>(0)
  private let count = Atomic<UInt64>(0)
  private let total = Atomic<UInt64>(0)
  private let longest = Atomic<UInt64>(0)

  /// A value begins to wait.
  ///
  /// - Parameters:
  ///   - number: Which one it is, from 1 on.
  ///   - ended: How many have left.
  func begin(_ number: UInt64, ended: UInt64) {
    // One that left while nobody traced was not seen.
    guard measured.load(ordering: .relaxed) <= ended else { return }
    began.store(HandlerTracing.nanoseconds, ordering: .relaxed)
    measured.store(number, ordering: .releasing)
  }

  /// A value leaves.
  ///
  /// - Parameter number: Which one it is, from 1 on.
  func end(_ number: UInt64) {
    guard measured.load(ordering: .acquiring) == number else { return }
    let time = time
    measured.store(0, ordering: .relaxed)
    count.wrappingAdd(1, ordering: .relaxed)
    total.wrappingAdd(time, ordering: .relaxed)
    longest.max(time, ordering: .relaxed)
  }

  /// For how long the value waits; another one may begin to be measured meanwhile.
  private var time: UInt64 {
    let now = HandlerTracing.nanoseconds
    return now - min(now, began.load(ordering: .relaxed))
  }

  /// Forgets what was measured.
  func forget() {
    measured.store(0, ordering: .relaxed)
    count.store(0, ordering: .relaxed)
    total.store(0, ordering: .relaxed)
    longest.store(0, ordering: .relaxed)
  }

  /// What was measured; nil if nothing was.
  ///
  /// - Parameter ended: How many have left.
  func reading(ended: UInt64) -> WaitTimes? {
    let nanoseconds = 1_000_000_000.0
    let waiting = measured.load(ordering: .acquiring) > ended ? time : 0
    let times = WaitTimes(
      values: count.load(ordering: .relaxed), seconds: Double(total.load(ordering: .relaxed)) / nanoseconds,
      longest: Double(max(waiting, longest.load(ordering: .relaxed))) / nanoseconds)
    return times.longest > 0 ? times : nil
  }
}
