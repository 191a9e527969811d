import Synchronization

extension VirtualTimeScheduler {
  /// The ready work, for a director that picks every work item and distinguishes them.
  package struct ReadyPieces: Sendable {
    /// The numbers of the work items in scheduling order, the earliest first.
    package let numbers: [UInt64]
    /// The number of the latest scheduled work item.
    package let lastNumber: UInt64
    /// Their deadline, as a duration since the origin.
    package let deadline: Duration
  }

  /// Picks each work item, even if there is only one, like a ``Chooser``; nil to be called again with the then ready
  /// work.
  package typealias Director = @Sendable (_ scheduler: VirtualTimeScheduler, _ ready: ReadyPieces) -> Int?

  /// Lets a director pick each work item, instead of a chooser.
  ///
  /// - Parameter mixesSources: Whether hot sources and all other work of an instant form one choice. In scheduling
  ///   order, sources come first.
  package func setDirector(mixesSources: Bool = false, _ director: @escaping Director) {
    let old = state.withLock { state in
      state.mixesSources = mixesSources
      defer { state.director = director }
      return state.director
    }
    withExtendedLifetime(old) {}
  }

  /// The job of a task among the ready work; nil if that work item is not a job. For a director.
  package func job(ofReady number: UInt64) -> UnownedJob? {
    state.withLock { state in
      for phase in state.ready {
        for entry in phase.entries where entry.key.order & (1 << 62 - 1) == number {
          return entry.work._withUnsafeGuaranteedRef { ($0 as? TaskWork)?.job }
        }
      }
      return nil
    }
  }

  /// The number of the latest scheduled work item.
  package var lastNumber: UInt64 { state.withLock { $0.sequence } }

  /// Calls the director or the chooser for the ready work of a phase. Without a lock.
  func choice(_ count: Int, in phase: Int, _ chooser: Chooser?) -> Int? {
    let (director, pieces) = state.withLock { state -> (Director?, ReadyPieces?) in
      guard let director = state.director else { return (nil, nil) }
      var numbers: [UInt64] = []
      numbers.reserveCapacity(count)
      for phase in state.phases(with: phase) {
        for entry in state.ready[phase].entries { numbers.append(entry.key.order & (1 << 62 - 1)) }
      }
      return (
        director,
        ReadyPieces(
          numbers: numbers, lastNumber: state.sequence, deadline: Duration(attoseconds: state.readyDeadline))
      )
    }
    if let director, let pieces { return director(self, pieces) }
    return count > 1 ? chooser?(count) ?? 0 : 0
  }
}
