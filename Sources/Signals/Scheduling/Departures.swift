import Synchronization

/// Which work among that from which a chooser may choose was cancelled or put off since the chooser was asked: so nobody has to ask all of it again.
final class Departures: Sendable {
  private let works = Mutex<[ObjectIdentifier]>([])

  /// Notes that a work item may have to leave.
  func note(_ work: QueuedWork) {
    works.withLock { $0.append(ObjectIdentifier(work)) }
  }

  /// What was noted since the last call.
  func takeAll() -> [ObjectIdentifier] {
    works.withLock { works in
      defer { works = [] }
      return works
    }
  }
}
