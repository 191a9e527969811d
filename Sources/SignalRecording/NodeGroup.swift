import Synchronization

/// The locations of a group's nodes.
enum GroupSites {
  case single(Site)
  /// An operator and the subscriber directly below it.
  case pair(Site, subscriber: Site)
  /// Fused operators, possibly with the subscriber directly below them.
  ///
  /// The caller retains the list.
  case fused(Unmanaged<SiteList>)

  /// The size of a group of these, in units; see ``ChainLayout/unit``.
  var units: Int {
    switch self {
    case .single: ChainLayout.native.singleUnits
    case .pair: ChainLayout.native.pairUnits
    case .fused(let list): ChainLayout.native.units(stages: list._withUnsafeGuaranteedRef { $0.operatorCount })
    }
  }
}

/// Adjacent nodes of one chain that are created, ended and freed together: one, an operator and its subscriber, or fused
/// operators.
///
/// The nodes' counters follow it in memory, in the order in which a value passes the nodes. A subscriber directly below
/// an operator has no counter: its input is the operator's output. Without a list, the nodes' sites follow the counter.
/// See ``ChainLayout``.
struct NodeGroup: ~Copyable {
  /// The end as seen by the group itself.
  enum Life: UInt8 {
    case live, finished, failed
  }

  /// Nil for a single node, and for an operator and its subscriber.
  private let list: SiteList?
  private let count: UInt32
  private let life = Atomic<UInt8>(Life.live.rawValue)
  /// Whether the group's closures have been released.
  let isFreed = Atomic<Bool>(false)
  /// Whether the group's deliveries are profiled; see ``HandlerTracing``. ``RecordedGroup`` finds it by its distance
  /// from the counters: if that were wrong, no handler would be profiled.
  let isTraced = Atomic<Bool>(false)

  private init(_ list: SiteList?, count: Int) {
    self.list = list
    self.count = UInt32(truncatingIfNeeded: count)
  }

  /// Initializes a group in memory with space for it.
  static func initialize(_ memory: UnsafeMutableRawPointer, _ sites: consuming GroupSites) -> UnsafeMutablePointer<
    NodeGroup
  > {
    let group = memory.bindMemory(to: NodeGroup.self, capacity: 1)
    switch consume sites {
    case .single(let site):
      group.initialize(to: NodeGroup(nil, count: 1))
      initializeCounters(group, 1)
      siteMemory(group).initializeMemory(as: Site.self, to: site)
    case .pair(let site, let subscriber):
      group.initialize(to: NodeGroup(nil, count: 2))
      initializeCounters(group, 1)
      let sites = siteMemory(group).initializeMemory(as: Site.self, to: site)
      (sites + 1).initialize(to: subscriber)
    case .fused(let list):
      let (count, operatorCount) = list._withUnsafeGuaranteedRef { ($0.sites.count, $0.operatorCount) }
      group.initialize(to: NodeGroup(list.takeUnretainedValue(), count: count))
      initializeCounters(group, operatorCount)
    }
    return group
  }

  private static func initializeCounters(_ group: UnsafeMutablePointer<NodeGroup>, _ count: Int) {
    let memory = UnsafeMutableRawPointer(group) + ChainLayout.native.counterOffset
    let counters = memory.bindMemory(to: Atomic<UInt64>.self, capacity: count)
    for index in 0..<count { (counters + index).initialize(to: Atomic(0)) }
  }

  private static func siteMemory(_ group: UnsafeMutablePointer<NodeGroup>) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(group) + ChainLayout.native.siteOffset
  }

  /// Notes the end; the first one counts.
  func end(failed isFailed: Bool) {
    let life: Life = isFailed ? .failed : .finished
    _ = self.life.compareExchange(
      expected: Life.live.rawValue, desired: life.rawValue, ordering: .acquiringAndReleasing)
  }

  var ending: Life { Life(rawValue: life.load(ordering: .acquiring)) ?? .live }

  /// The number of its nodes.
  var nodeCount: Int { Int(count) }

  /// The number of its counters.
  var counterCount: Int { list?.operatorCount ?? 1 }

  /// Its size, in units.
  var units: Int {
    if let list { return ChainLayout.native.units(stages: list.operatorCount) }
    return count == 1 ? ChainLayout.native.singleUnits : ChainLayout.native.pairUnits
  }

  /// The location of the node at a position, counted in the order in which a value passes.
  static func site(_ group: UnsafeMutablePointer<NodeGroup>, _ position: Int) -> Site {
    if let list = group.pointee.list { return list.sites[position] }
    return siteMemory(group).assumingMemoryBound(to: Site.self)[position]
  }

  /// The number of values that passed the node at a position.
  static func valueCount(_ group: UnsafeMutablePointer<NodeGroup>, _ position: Int) -> UInt64 {
    counters(group)[min(position, group.pointee.counterCount - 1)].load(ordering: .relaxed)
  }

  /// The first counter of a group.
  static func counters(_ group: UnsafeMutablePointer<NodeGroup>) -> UnsafeMutablePointer<Atomic<UInt64>> {
    (UnsafeMutableRawPointer(group) + ChainLayout.native.counterOffset).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// The group that a first counter belongs to.
  static func group(of counters: UnsafeMutablePointer<Atomic<UInt64>>) -> UnsafeMutablePointer<NodeGroup> {
    (UnsafeMutableRawPointer(counters) - ChainLayout.native.counterOffset).assumingMemoryBound(to: NodeGroup.self)
  }
}
