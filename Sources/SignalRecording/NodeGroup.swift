import Synchronization

/// Where the nodes of a group are written.
enum GroupSites {
  case single(Site)
  /// An operator and the subscriber that is directly below it.
  case pair(Site, subscriber: Site)
  /// Joined operators, perhaps with the subscriber that is directly below them.
  ///
  /// The list is kept by whoever made this.
  case joined(Unmanaged<SiteList>)

  /// How much memory a group of these takes, in units; see ``ChainLayout/unit``.
  var units: Int {
    switch self {
    case .single: ChainLayout.native.singleUnits
    case .pair: ChainLayout.native.pairUnits
    case .joined(let list): ChainLayout.native.units(stages: list._withUnsafeGuaranteedRef { $0.operatorCount })
    }
  }
}

/// Neighbouring nodes of one chain that are made, ended and freed together: usually one, several where operators are joined.
///
/// The nodes' counters lie behind it in memory, in the order in which a value passes the nodes. A subscriber directly below an operator
/// has no counter: it gets what the operator gives. Where no list says it, the nodes' sites lie behind the counter. See ``ChainLayout``.
struct NodeGroup: ~Copyable {
  /// What the group itself has seen of the end.
  enum Life: UInt8 {
    case live, finished, failed
  }

  /// Nil for a single node, and for an operator and its subscriber.
  private let list: SiteList?
  private let count: UInt32
  private let life = Atomic<UInt8>(Life.live.rawValue)
  /// Whether nothing holds the group's closures any more.
  let isFreed = Atomic<Bool>(false)
  /// Whether what the group delivers is traced; see ``HandlerTracing``. ``RecordedGroup`` finds it by its distance from the counters.
  let isTraced = Atomic<Bool>(false)

  private init(_ list: SiteList?, count: Int) {
    self.list = list
    self.count = UInt32(truncatingIfNeeded: count)
  }

  /// Makes a group in memory that has room for it.
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
    case .joined(let list):
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

  /// How many nodes it has.
  var nodeCount: Int { Int(count) }

  /// How many counters they have.
  var counterCount: Int { list?.operatorCount ?? 1 }

  /// How much memory it takes, in units.
  var units: Int {
    if let list { return ChainLayout.native.units(stages: list.operatorCount) }
    return count == 1 ? ChainLayout.native.singleUnits : ChainLayout.native.pairUnits
  }

  /// Where the node at a position is written, counted in the order in which a value passes.
  static func site(_ group: UnsafeMutablePointer<NodeGroup>, _ position: Int) -> Site {
    if let list = group.pointee.list { return list.sites[position] }
    return siteMemory(group).assumingMemoryBound(to: Site.self)[position]
  }

  /// How many values passed the node at a position.
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
