import Synchronization

/// Notifies an observer, on the sending thread, of the number of each cause that the program begins from outside of all
/// chains.
package enum CauseWatch {
  /// Called under the source's lock: it may only record its context.
  package typealias Note = @Sendable (UInt64) -> Void

  /// A closure that is itself the value of a mutex would be wrapped again at each access.
  private struct Watcher {
    let note: Note
  }

  private static let isWatched = Atomic<Bool>(false)
  private static let watchers = Mutex<[UInt64: Watcher]>([:])

  /// Begins to notify.
  ///
  /// - Returns: A token to end it.
  package static func begin(_ note: @escaping Note) -> UInt64 {
    let key = GraphRecorder.nextIdentifiers(1)
    watchers.withLock { watchers in
      watchers[key] = Watcher(note: note)
      isWatched.store(true, ordering: .relaxed)
    }
    return key
  }

  package static func end(_ key: UInt64) {
    let gone = watchers.withLock { watchers in
      let gone = watchers.removeValue(forKey: key)
      isWatched.store(!watchers.isEmpty, ordering: .relaxed)
      return gone
    }
    withExtendedLifetime(gone) {}
  }

  static func note(_ number: UInt64) {
    guard isWatched.load(ordering: .relaxed) else { return }
    for watcher in watchers.withLock({ $0.values.map { $0 } }) { watcher.note(number) }
  }
}
