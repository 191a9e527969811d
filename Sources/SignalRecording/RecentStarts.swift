import SignalGraph
import Synchronization

/// The beginnings of the last causes: a node that a cause reaches later stores that with it. A source stores its last
/// few causes only, and a value that a `throttle` passes once in a second may be older.
struct RecentStarts {
  /// Shared by all nodes that the cause reached.
  final class Start: Sendable {
    let value: CauseStart

    init(_ value: CauseStart) { self.value = value }
  }

  private static let limit: UInt64 = 4_096
  private static let shared = Mutex(RecentStarts())

  private var entries: [(number: UInt64, start: Start)?] = []

  /// Stores the beginning of a cause.
  static func note(_ cause: Cause, at node: UInt64) {
    guard let origin = cause.origin, origin != .unknown else { return }
    let start = Start(
      CauseStart(
        node: node, at: cause.at, thread: cause.thread, origin: origin, by: cause.by, parent: cause.parent))
    // A replaced one is freed after the lock.
    let before: Start? = shared.withLock { starts in
      if starts.entries.isEmpty { starts.entries = Array(repeating: nil, count: Int(limit)) }
      let slot = Int(cause.number % limit)
      defer { starts.entries[slot] = (cause.number, start) }
      return starts.entries[slot]?.start
    }
    withExtendedLifetime(before) {}
  }

  /// The beginning of a cause; nil if that was too long ago.
  static func find(_ number: UInt64) -> Start? {
    shared.withLock { starts in
      guard !starts.entries.isEmpty, let entry = starts.entries[Int(number % limit)], entry.number == number else {
        return nil
      }
      return entry.start
    }
  }

  /// Discards all, as causes are no longer tracked.
  static func forget() {
    let all = shared.withLock { starts in
      defer { starts.entries = [] }
      return starts.entries
    }
    withExtendedLifetime(all) {}
  }
}

extension GraphSnapshot {
  /// Removes beginnings of causes that the node of the beginning still stores itself.
  mutating func leaveOutKnownStarts() {
    guard nodes.contains(where: { $0.causes?.contains { $0.start != nil } == true }) else { return }
    struct Beginning: Hashable {
      let node: UInt64
      let number: UInt64
    }
    var known: Set<Beginning> = []
    for node in nodes {
      for cause in node.causes ?? [] where cause.origin != nil {
        known.insert(Beginning(node: node.id, number: cause.number))
      }
    }
    for index in nodes.indices {
      guard var causes = nodes[index].causes, causes.contains(where: { $0.start != nil }) else { continue }
      for cause in causes.indices {
        guard let start = causes[cause].start else { continue }
        if known.contains(Beginning(node: start.node, number: causes[cause].number)) { causes[cause].start = nil }
      }
      nodes[index].causes = causes
    }
  }
}
