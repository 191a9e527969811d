import SignalGraph
import Synchronization

/// Where the last causes began: a node that a cause comes to later keeps that with it. A source keeps its last few causes only, and what a `throttle`
/// lets through once in a second may be older.
struct RecentStarts {
  /// Shared by all nodes that the cause came to.
  final class Start: Sendable {
    let value: CauseStart

    init(_ value: CauseStart) { self.value = value }
  }

  private static let limit: UInt64 = 4_096
  private static let shared = Mutex(RecentStarts())

  private var entries: [(number: UInt64, start: Start)?] = []

  /// Notes where a cause began.
  static func note(_ cause: Cause, at node: UInt64) {
    guard let origin = cause.origin, origin != .unknown else { return }
    let start = Start(
      CauseStart(
        node: node, at: cause.at, thread: cause.thread, origin: origin, by: cause.by, parent: cause.parent))
    // What gives way is freed after the lock.
    let before: Start? = shared.withLock { starts in
      if starts.entries.isEmpty { starts.entries = Array(repeating: nil, count: Int(limit)) }
      let slot = Int(cause.number % limit)
      defer { starts.entries[slot] = (cause.number, start) }
      return starts.entries[slot]?.start
    }
    withExtendedLifetime(before) {}
  }

  /// Where a cause began; nil if that was too long ago.
  static func find(_ number: UInt64) -> Start? {
    shared.withLock { starts in
      guard !starts.entries.isEmpty, let entry = starts.entries[Int(number % limit)], entry.number == number else {
        return nil
      }
      return entry.start
    }
  }

  /// Forgets all, as nobody traces any more.
  static func forget() {
    let all = shared.withLock { starts in
      defer { starts.entries = [] }
      return starts.entries
    }
    withExtendedLifetime(all) {}
  }
}

extension GraphSnapshot {
  /// Leaves out where causes began that the node in which they did still knows of.
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
