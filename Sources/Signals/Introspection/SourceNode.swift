import SignalGraph
import Synchronization

/// The node of a source that stands for all its subscribers, such as an emitter.
@usableFromInline
final class SourceNode: Sendable {
  private struct State {
    var life = Node.State.live
    var failure: String?
    var finalCount: UInt64?
  }

  let identifier = GraphRecorder.nextIdentifiers(1)
  let site: Site
  let name: String?
  let recorder: GraphRecorder
  private let state = Mutex(State())
  private let currentCount: @Sendable () -> UInt64?
  // Safe: touched only under the recorder's lock.
  nonisolated(unsafe) var slot: Int?

  init(
    _ site: Site, name: String?, recorder: GraphRecorder, currentCount: @escaping @Sendable () -> UInt64?
  ) {
    self.site = site
    self.name = name
    self.recorder = recorder
    self.currentCount = currentCount
  }

  /// Notes the end.
  func ended(_ completion: Completion) {
    switch completion {
    case .finished: end(.finished, nil)
    case .failed(let error): end(.failed, String(describing: error))
    }
  }

  /// Notes that the source went away.
  func disposed() { end(.disposed, nil) }

  private func end(_ life: Node.State, _ failure: String?) {
    let count = currentCount()
    let isFirst = state.withLock { state in
      // The source that is going away cannot be asked any more, but it has been at its end.
      if let count { state.finalCount = count }
      guard state.life == .live else { return false }
      state.life = life
      state.failure = failure
      return true
    }
    if isFirst { recorder.retire(self) }
  }

  /// How it is now.
  var reading: NodeReading {
    let count = currentCount()
    return state.withLock { state in
      NodeReading(
        identifier: identifier, site: site, name: name, state: state.life, failure: state.failure, isFreed: false,
        valueCount: count ?? state.finalCount ?? 0, downstream: nil)
    }
  }
}
