import Synchronization

/// Where joined operators are written: made once, and shared by all subscriptions.
@usableFromInline
final class SiteList: Sendable {
  /// In the order in which a value passes them.
  let sites: [Site]

  init(_ sites: [Site]) { self.sites = sites }
}

/// Where the nodes of a group are written.
enum GroupSites {
  case single(Site)
  case stages(SiteList)

  var count: Int {
    switch self {
    case .single: 1
    case .stages(let list): list.sites.count
    }
  }

  /// The site of the node at a position, counted in the order in which a value passes.
  func site(_ position: Int) -> Site {
    switch self {
    case .single(let site): site
    case .stages(let list): list.sites[position]
    }
  }
}

/// Neighbouring nodes of one chain that are made, ended and freed together: usually one, several where operators are joined.
///
/// The nodes' counters lie behind it in memory, in the order in which a value passes the nodes.
@usableFromInline
struct NodeGroup: ~Copyable {
  /// What the group itself has seen of the end.
  enum Life: UInt8 {
    case live, finished, failed
  }

  let sites: GroupSites
  private let life = Atomic<UInt8>(Life.live.rawValue)
  /// Whether nothing holds the group's closures any more.
  let isFreed = Atomic<Bool>(false)

  init(_ sites: GroupSites) {
    self.sites = sites
  }

  /// Notes the end; the first one counts.
  func end(_ completion: Completion) -> Bool {
    let life: Life = if case .finished = completion { .finished } else { .failed }
    return self.life.compareExchange(
      expected: Life.live.rawValue, desired: life.rawValue, ordering: .acquiringAndReleasing
    ).exchanged
  }

  var ending: Life { Life(rawValue: life.load(ordering: .acquiring)) ?? .live }

  /// How much memory a group of so many nodes takes, with its counters.
  static func size(_ count: Int) -> Int {
    MemoryLayout<NodeGroup>.stride + count * MemoryLayout<Atomic<UInt64>>.stride
  }

  /// The first counter of a group.
  static func counters(_ group: UnsafeMutablePointer<NodeGroup>) -> UnsafeMutablePointer<Atomic<UInt64>> {
    UnsafeMutableRawPointer(group + 1).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// The group that a first counter belongs to.
  static func group(of counters: UnsafeMutablePointer<Atomic<UInt64>>) -> UnsafeMutablePointer<NodeGroup> {
    UnsafeMutableRawPointer(counters).assumingMemoryBound(to: NodeGroup.self) - 1
  }
}

/// A piece of memory with the groups of one chain, one behind the other. It never moves, so that counters have fixed addresses.
struct NodeChunk: ~Copyable {
  let next = Atomic<UnsafeMutableRawPointer?>(nil)
  /// The node added first has this identifier; those of the others follow.
  let firstIdentifier: UInt64
  /// How many nodes others may read.
  let nodeCount = Atomic<Int>(0)
  /// How much of the memory behind the head is taken. Only for the thread that connects the chain.
  private let used = Atomic<Int>(0)
  private let capacity: Int

  private init(capacity: Int) {
    // No group can have more nodes than its memory has words.
    firstIdentifier = GraphRecorder.nextIdentifiers(capacity / MemoryLayout<Atomic<UInt64>>.stride)
    self.capacity = capacity
  }

  /// Makes a chunk for groups of so many bytes together.
  static func make(_ capacity: Int) -> UnsafeMutablePointer<NodeChunk> {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<NodeChunk>.stride + capacity, alignment: MemoryLayout<NodeChunk>.alignment)
    let chunk = memory.bindMemory(to: NodeChunk.self, capacity: 1)
    chunk.initialize(to: NodeChunk(capacity: capacity))
    return chunk
  }

  /// The chunk that this one and those that follow it end with.
  static func last(_ first: UnsafeMutablePointer<NodeChunk>) -> UnsafeMutablePointer<NodeChunk> {
    var last = first
    while let next = last.pointee.following { last = next }
    return last
  }

  /// The next chunk, if there is one.
  var following: UnsafeMutablePointer<NodeChunk>? {
    next.load(ordering: .acquiring)?.assumingMemoryBound(to: NodeChunk.self)
  }

  /// The identifier of the node that was added last. Only for the thread that connects the chain, or when no more nodes are added.
  var newestIdentifier: UInt64 { firstIdentifier + UInt64(nodeCount.load(ordering: .relaxed)) - 1 }

  /// Whether there is room for a group of so many bytes.
  func hasRoom(_ size: Int) -> Bool { capacity - used.load(ordering: .relaxed) >= size }

  /// Takes memory for a group of so many bytes, where there is room.
  static func take(_ size: Int, in chunk: UnsafeMutablePointer<NodeChunk>) -> UnsafeMutableRawPointer {
    let used = chunk.pointee.used.load(ordering: .relaxed)
    chunk.pointee.used.store(used + size, ordering: .relaxed)
    return content(chunk) + used
  }

  /// The memory behind a chunk's head.
  private static func content(_ chunk: UnsafeMutablePointer<NodeChunk>) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(chunk + 1)
  }

  /// Calls a closure with the groups that may be read and the identifier of the lowest node of each, in the order in which they were added.
  static func forEachGroup(
    _ first: UnsafeMutablePointer<NodeChunk>?, _ body: (UnsafeMutablePointer<NodeGroup>, UInt64) -> Void
  ) {
    var next = first
    while let chunk = next {
      let count = chunk.pointee.nodeCount.load(ordering: .acquiring)
      var memory = content(chunk)
      var index = 0
      while index < count {
        let group = memory.assumingMemoryBound(to: NodeGroup.self)
        let size = group.pointee.sites.count
        body(group, chunk.pointee.firstIdentifier + UInt64(index))
        index += size
        memory += NodeGroup.size(size)
      }
      next = chunk.pointee.following
    }
  }

  /// Frees a chunk and those that follow it.
  static func free(_ first: UnsafeMutablePointer<NodeChunk>?) {
    forEachGroup(first) { group, _ in group.deinitialize(count: 1) }
    var next = first
    while let chunk = next {
      next = chunk.pointee.following
      chunk.deinitialize(count: 1)
      UnsafeMutableRawPointer(chunk).deallocate()
    }
  }
}
