import SignalGraph
import Synchronization

/// Measures how long values wait in a node: one value at a time, in a queue from which the first leaves first.
///
/// A value may leave while another one begins to be measured: it then counts as before that. So what is measured may be a little more than it was.
final class WaitSampling: Sendable {
  /// How many values have to leave until that one has left which is being measured. Not above 0 while none is.
  private let ahead = Atomic<Int>(0)
  private let began = Atomic<UInt64>(0)
  private let count = Atomic<UInt64>(0)
  private let total = Atomic<UInt64>(0)
  private let longest = Atomic<UInt64>(0)

  /// A value begins to wait. By one thread at a time.
  ///
  /// - Parameter position: How many wait with it.
  func begin(at position: Int) {
    guard ahead.load(ordering: .relaxed) <= 0 else { return }
    began.store(HandlerTracing.nanoseconds, ordering: .relaxed)
    ahead.store(max(1, position), ordering: .releasing)
  }

  /// So many values leave.
  func leave(_ leaving: Int) {
    guard ahead.load(ordering: .acquiring) > 0 else { return }
    let left = ahead.subtract(leaving, ordering: .acquiringAndReleasing).newValue
    // One of those who leave at once sees that it was the last.
    guard left <= 0, left > -leaving else { return }
    let time = HandlerTracing.nanoseconds &- began.load(ordering: .relaxed)
    count.wrappingAdd(1, ordering: .relaxed)
    total.wrappingAdd(time, ordering: .relaxed)
    longest.max(time, ordering: .relaxed)
  }

  /// Forgets what was measured.
  func forget() {
    ahead.store(0, ordering: .relaxed)
    count.store(0, ordering: .relaxed)
    total.store(0, ordering: .relaxed)
    longest.store(0, ordering: .relaxed)
  }

  /// What was measured; nil if nothing was.
  var reading: WaitTimes? {
    let nanoseconds = 1_000_000_000.0
    let waiting =
      ahead.load(ordering: .acquiring) > 0 ? HandlerTracing.nanoseconds &- began.load(ordering: .relaxed) : 0
    let times = WaitTimes(
      values: count.load(ordering: .relaxed), seconds: Double(total.load(ordering: .relaxed)) / nanoseconds,
      longest: Double(max(waiting, longest.load(ordering: .relaxed))) / nanoseconds)
    return times.longest > 0 ? times : nil
  }
}
