import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#else
  #error("SignalRecording needs the C library of the system: it knows Darwin, Android, Musl and Glibc.")
#endif

/// A block of memory with groups of one chain, one after the other. It never moves, so that counters have fixed
/// addresses.
///
/// A chain's first chunk is part of its record; further ones are separate blocks.
struct NodeChunk: ~Copyable {
  private let next = Atomic<UnsafeMutableRawPointer?>(nil)
  /// The identifier of the first node; those of the others follow.
  private let firstIdentifier: UInt64
  /// The number of nodes that other threads may read.
  let nodeCount = Atomic<UInt16>(0)
  /// The number of groups. Only for the thread that connects the chain.
  private let groupCount = Atomic<UInt16>(0)
  /// The number of used units after the head; see ``ChainLayout/unit``. Only for the thread that connects the chain.
  private let used = Atomic<UInt16>(0)
  private let capacity: UInt16

  private init(capacity: UInt16) {
    // A group cannot have more nodes than its memory has units.
    firstIdentifier = GraphRecorder.nextIdentifiers(Int(capacity))
    self.capacity = capacity
  }

  /// Allocates memory of a size in bytes, for ``deallocate(_:)``.
  ///
  /// Not with `UnsafeMutableRawPointer.allocate`, which takes `posix_memalign` and a hundred instructions more.
  static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    guard let memory = malloc(byteCount) else { preconditionFailure("out of memory") }
    return memory
  }

  /// Frees memory from ``allocate(_:)``.
  static func deallocate(_ memory: UnsafeMutableRawPointer) { free(memory) }

  /// Creates a chunk in memory with space for it and a number of units.
  @discardableResult
  static func initialize(_ memory: UnsafeMutableRawPointer, units: Int) -> UnsafeMutablePointer<NodeChunk> {
    let chunk = memory.bindMemory(to: NodeChunk.self, capacity: 1)
    chunk.initialize(to: NodeChunk(capacity: UInt16(clamping: units)))
    return chunk
  }

  /// Creates a chunk that follows the last one, with space for a group of a number of units and more.
  ///
  /// - Parameter nodeCount: The number of nodes in the chain. The chunk has space for as many again, so that a long
  ///   chain has few chunks.
  static func makeNext(
    _ last: UnsafeMutablePointer<NodeChunk>, units: Int, nodeCount: Int
  ) -> UnsafeMutablePointer<NodeChunk> {
    let layout = ChainLayout.native
    let units = min(max(units, nodeCount * layout.singleUnits), Int(UInt16.max))
    let memory = allocate(layout.chunkSize(units: units))
    let chunk = initialize(memory, units: units)
    last.pointee.next.store(memory, ordering: .releasing)
    return chunk
  }

  /// Calls a closure with a chunk and those that follow it.
  static func forEach(_ first: UnsafeMutablePointer<NodeChunk>, _ body: (UnsafeMutablePointer<NodeChunk>) -> Void) {
    var chunk = first
    while true {
      // Read before the call, which may free the chunk.
      let next = chunk.pointee.next.load(ordering: .acquiring)
      body(chunk)
      guard let next else { return }
      chunk = next.assumingMemoryBound(to: NodeChunk.self)
    }
  }

  /// The last of the chunks that follow this one.
  static func last(_ first: UnsafeMutablePointer<NodeChunk>) -> UnsafeMutablePointer<NodeChunk> {
    var last = first
    forEach(first) { last = $0 }
    return last
  }

  /// The identifier of the node that was added last. Only for the thread that connects the chain, or when no more nodes are added.
  var newestIdentifier: UInt64 { firstIdentifier + UInt64(nodeCount.load(ordering: .relaxed)) - 1 }

  /// Whether a node with this identifier is here.
  func holds(_ identifier: UInt64) -> Bool {
    identifier >= firstIdentifier && identifier - firstIdentifier < nodeCount.load(ordering: .acquiring)
  }

  /// Whether there is space for a group of a number of units.
  func hasCapacity(units: Int) -> Bool { Int(capacity - used.load(ordering: .relaxed)) >= units }

  /// Adds a group, if there is space.
  static func append(
    _ sites: consuming GroupSites, to chunk: UnsafeMutablePointer<NodeChunk>
  ) -> UnsafeMutablePointer<NodeGroup> {
    let used = chunk.pointee.used.load(ordering: .relaxed)
    let group = NodeGroup.initialize(content(chunk) + Int(used) * ChainLayout.native.unit, sites)
    chunk.pointee.used.store(used + UInt16(truncatingIfNeeded: group.pointee.units), ordering: .relaxed)
    chunk.pointee.groupCount.store(chunk.pointee.groupCount.load(ordering: .relaxed) + 1, ordering: .relaxed)
    let nodeCount = chunk.pointee.nodeCount.load(ordering: .relaxed)
    chunk.pointee.nodeCount.store(
      nodeCount + UInt16(truncatingIfNeeded: group.pointee.nodeCount), ordering: .releasing)
    return group
  }

  /// The number of groups of a chain, and their size in units. Only for the thread that connects the chain.
  static func extent(_ first: UnsafeMutablePointer<NodeChunk>) -> (groupCount: Int32, units: Int) {
    var extent: (groupCount: Int32, units: Int) = (0, 0)
    forEach(first) { chunk in
      extent.groupCount += Int32(chunk.pointee.groupCount.load(ordering: .relaxed))
      extent.units += Int(chunk.pointee.used.load(ordering: .relaxed))
    }
    return extent
  }

  /// The memory after a chunk's head.
  private static func content(_ chunk: UnsafeMutablePointer<NodeChunk>) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(chunk) + ChainLayout.native.groupOffset
  }

  /// Calls a closure with the groups that may be read and the identifier of the lowest node of each, in the order in which they were added.
  static func forEachGroup(
    _ first: UnsafeMutablePointer<NodeChunk>, _ body: (UnsafeMutablePointer<NodeGroup>, UInt64) -> Void
  ) {
    forEach(first) { chunk in
      let count = Int(chunk.pointee.nodeCount.load(ordering: .acquiring))
      var memory = content(chunk)
      var index = 0
      while index < count {
        let group = memory.assumingMemoryBound(to: NodeGroup.self)
        // Read before the call, which may end the group.
        let (nodeCount, units) = (group.pointee.nodeCount, group.pointee.units)
        body(group, chunk.pointee.firstIdentifier + UInt64(index))
        index += nodeCount
        memory += units * ChainLayout.native.unit
      }
    }
  }

  /// The group that was added first, if it may be read, and the identifier of its lowest node.
  static func firstGroup(
    _ first: UnsafeMutablePointer<NodeChunk>
  ) -> (UnsafeMutablePointer<NodeGroup>, UInt64)? {
    if first.pointee.nodeCount.load(ordering: .acquiring) > 0 {
      return (content(first).assumingMemoryBound(to: NodeGroup.self), first.pointee.firstIdentifier)
    }
    // The record had no space for it.
    return first.pointee.next.load(ordering: .acquiring).flatMap {
      firstGroup($0.assumingMemoryBound(to: NodeChunk.self))
    }
  }

  /// Deinitializes a chain's groups and chunks, and frees the chunks after the first.
  static func deinitialize(_ first: UnsafeMutablePointer<NodeChunk>) {
    forEachGroup(first) { group, _ in group.deinitialize(count: 1) }
    forEach(first) { chunk in
      chunk.deinitialize(count: 1)
      if chunk != first { deallocate(chunk) }
    }
  }
}
