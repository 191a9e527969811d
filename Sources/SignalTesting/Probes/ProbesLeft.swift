import Synchronization

/// The unreleased probes. Their unread events at the exit of the process fail it, as something retains the probe.
enum ProbesLeft {
  private struct Entry: Sendable {
    let place: MarbleSource
    /// A description of its unread events; nil if there are none.
    let complaint: @Sendable () -> String?
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    var isWatched = false
  }

  private static let state = Mutex(State())

  static func add(_ queue: AnyObject, at place: MarbleSource, _ complaint: @escaping @Sendable () -> String?) {
    let isFirst = state.withLock { state in
      state.entries[ObjectIdentifier(queue)] = Entry(place: place, complaint: complaint)
      defer { state.isWatched = true }
      return !state.isWatched
    }
    guard isFirst else { return }
    ProcessEnd.add {
      state.withLock { Array($0.entries.values) }.compactMap { entry in
        entry.complaint().map { ("This probe is still retained at the end of the process." + $0, entry.place) }
      }
    }
  }

  static func remove(_ queue: AnyObject) {
    _ = state.withLock { $0.entries.removeValue(forKey: ObjectIdentifier(queue)) }
  }
}
