package import Signals
import Synchronization

/// A subscriber that notices calls that overlap (law 3) and calls after the end (law 1).
package final class GrammarCheck<Value: Sendable>: Sendable {
  private let inside = Atomic<Bool>(false)
  private let overlapCount = Atomic<Int>(0)
  private let lateCount = Atomic<Int>(0)
  private let endCount = Atomic<Int>(0)
  private let valueCount = Atomic<Int>(0)

  package init() {}

  package var overlaps: Int { overlapCount.load(ordering: .acquiring) }
  package var eventsAfterEnd: Int { lateCount.load(ordering: .acquiring) }
  package var ends: Int { endCount.load(ordering: .acquiring) }
  package var values: Int { valueCount.load(ordering: .acquiring) }

  package func take(_ event: Event<Value>, during work: () -> Void = {}) {
    if inside.exchange(true, ordering: .acquiringAndReleasing) { overlapCount.add(1, ordering: .relaxed) }
    if ends > 0 { lateCount.add(1, ordering: .relaxed) }
    if case .value = event {
      valueCount.add(1, ordering: .relaxed)
    } else {
      endCount.add(1, ordering: .relaxed)
    }
    work()
    inside.store(false, ordering: .releasing)
  }
}
