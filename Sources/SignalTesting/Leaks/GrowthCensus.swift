import SignalGraph
import Signals

/// The number of live objects of each definition, at one instant.
package struct GrowthCensus: Sendable {
  /// A source location that creates objects.
  struct Place: Hashable, Sendable {
    /// The kind of the object: `map`, `emitter`, `schedule(after:)` ...
    let kind: String
    /// The file, as `#fileID` has it.
    let fileID: String
    /// The line.
    let line: Int
    /// Whether scheduled work is counted, and not nodes.
    let isWork: Bool
  }

  /// The numbers of live objects.
  private(set) var counts: [Place: Int] = [:]
  /// The numbers of live objects in chains that are allowed to grow, by the name that allows it.
  private(set) var allowedCounts: [String: [Place: Int]] = [:]
  /// The number of nodes that have ended and are still in memory.
  private(set) var retainedCount = 0

  /// Counts the live objects in a scope: nodes, and waiting work. Objects that may stay alive are skipped.
  ///
  /// - Parameter allowed: The names among those that may stay alive that are counted separately.
  init(_ finder: LeakFinder, allowing allowed: Set<String> = []) {
    /// Counts objects of a chain that is allowed to grow.
    func countAllowed(_ number: Int, at place: @autoclosure () -> Place, below root: ChainNode) {
      if allowed.isEmpty { return }
      for name in allowed.intersection(finder.chains.all(from: root).compactMap(\.name)) {
        allowedCounts[name, default: [:]][place(), default: 0] += number
      }
    }
    var sites: [Site: Int] = [:]
    for node in finder.chains.nodes.values where Self.isAlive(node) {
      let root = finder.chains.root(of: node)
      // Inputs that have no node of their own are those of the operator.
      let number = 1 + node.bareInputCount
      countAllowed(number, at: Place(node.site, isWork: false), below: root)
      if finder.isIgnored(root) { continue }
      sites[node.site, default: 0] += number
      if !node.isSource, !node.isConnected { retainedCount += 1 }
    }
    for (site, count) in sites { counts[Place(site, isWork: false), default: 0] += count }
    for work in finder.pending {
      let node = work.node.flatMap { finder.chains.nodes[$0] }
      if finder.isOver(work, of: node) { continue }
      if let node {
        let root = finder.chains.root(of: node)
        countAllowed(1, at: Place(work.site, isWork: true), below: root)
        if finder.isIgnored(root) { continue }
      }
      counts[Place(work.site, isWork: true), default: 0] += 1
    }
  }

  static func isAlive(_ node: ChainNode) -> Bool {
    node.isSource ? node.state == .live : node.isConnected || !node.isFreed
  }
}

extension GrowthCensus.Place {
  init(_ site: Site?, isWork: Bool) {
    self.init(kind: site?.kind ?? "work", fileID: site?.fileID ?? "", line: site?.line ?? 0, isWork: isWork)
  }
}
