import SignalGraph
import Synchronization

/// The node of a source that stands for all its subscribers, such as an emitter.
@usableFromInline
final class SourceNode: Sendable {
  /// How many values were sent, and how many wait to be.
  struct Counts {
    var sent: UInt64
    var waiting: Int
  }

  private struct State {
    var life = Node.State.live
    var failure: String?
    /// The counts while the source lives; what it leads to is unowned, as `disposed()` comes before the source is freed.
    var count: @Sendable () -> Counts
  }

  let identifier = GraphRecorder.nextIdentifiers(1)
  let site: Site
  let name: String?
  private let link: RecorderLink
  private let state: Mutex<State>
  // Safe: touched only under the recorder's lock.
  nonisolated(unsafe) var slot: Int?

  /// Makes a node.
  ///
  /// - Parameter count: Counts the values. Called under a lock, and not after ``disposed()``.
  init(_ site: Site, name: String?, recorder: GraphRecorder, count: @escaping @Sendable () -> Counts) {
    self.site = site
    self.name = name
    link = recorder.link
    state = Mutex(State(count: count))
  }

  /// Nil when nobody holds the recorder any more.
  var recorder: GraphRecorder? { link.use { $0 } }

  /// Whether the end was noted.
  var isOver: Bool { state.withLock { $0.life != .live } }

  /// Notes the end.
  func ended(_ completion: Completion) {
    switch completion {
    case .finished: end(.finished, nil)
    case .failed(let error): end(.failed, String(describing: error))
    }
  }

  /// Notes that the source is going away.
  func disposed() {
    state.withLock { state in
      let sent = state.count().sent
      state.count = { Counts(sent: sent, waiting: 0) }
    }
    end(.disposed, nil)
  }

  private func end(_ life: Node.State, _ failure: String?) {
    let isFirst = state.withLock { state in
      guard state.life == .live else { return false }
      state.life = life
      state.failure = failure
      return true
    }
    if isFirst { link.use { $0.retire(self) } }
  }

  /// How it is now.
  var reading: NodeReading {
    state.withLock { state in
      let counts = state.count()
      return NodeReading(
        identifier: identifier, site: site, name: name, state: state.life, failure: state.failure, isFreed: false,
        valueCount: counts.sent, waitingCount: counts.waiting, downstream: nil)
    }
  }
}
