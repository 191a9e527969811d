import Synchronization

/// Work that was cancelled or postponed since it was offered to the scheduling strategy, so that not all of it has to
/// be checked again.
final class Departures: Sendable {
  private let works = Mutex<[ObjectIdentifier]>([])

  /// Notes that a work item may have to leave.
  func note(_ work: QueuedWork) {
    works.withLock { $0.append(ObjectIdentifier(work)) }
  }

  /// Returns the noted work, and clears the list.
  func takeAll() -> [ObjectIdentifier] {
    works.withLock { works in
      defer { works = [] }
      return works
    }
  }
}
