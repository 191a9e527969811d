import Foundation
import Synchronization

/// A piece of memory with groups of one chain, one behind the other. It never moves, so that counters have fixed addresses.
///
/// A chain's first chunk is part of its record; those that follow are blocks of their own.
struct NodeChunk: ~Copyable {
  private let next = Atomic<UnsafeMutableRawPointer?>(nil)
  /// The node added first has this identifier; those of the others follow.
  private let firstIdentifier: UInt64
  /// How many nodes others may read.
  let nodeCount = Atomic<UInt32>(0)
  /// How many words behind the head are taken. Only for the thread that connects the chain.
  private let used = Atomic<UInt16>(0)
  private let capacity: UInt16

  private init(capacity: UInt16) {
    // No group can have more nodes than its memory has words.
    firstIdentifier = GraphRecorder.nextIdentifiers(Int(capacity))
    self.capacity = capacity
  }

  /// How much memory a chunk with room for so many words takes, in bytes.
  static func size(_ wordCount: Int) -> Int {
    MemoryLayout<NodeChunk>.stride + Int(capacity(wordCount)) * NodeGroup.wordSize
  }

  /// Allocates memory of so many bytes, for `free`.
  ///
  /// Not with `UnsafeMutableRawPointer.allocate`, which takes `posix_memalign` and a hundred instructions more.
  static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    guard let memory = malloc(byteCount) else { preconditionFailure("out of memory") }
    return memory
  }

  private static func capacity(_ wordCount: Int) -> UInt16 { UInt16(clamping: wordCount) }

  /// Makes a chunk in memory that has room for it.
  @discardableResult
  static func initialize(_ memory: UnsafeMutableRawPointer, _ wordCount: Int) -> UnsafeMutablePointer<NodeChunk> {
    let chunk = memory.bindMemory(to: NodeChunk.self, capacity: 1)
    chunk.initialize(to: NodeChunk(capacity: capacity(wordCount)))
    return chunk
  }

  /// Makes a chunk that follows the last one, with room for a group of so many words and more.
  ///
  /// - Parameter nodeCount: How many nodes the chain has. There is room for as many again, so that a long chain has few chunks.
  static func makeNext(
    _ last: UnsafeMutablePointer<NodeChunk>, _ wordCount: Int, nodeCount: Int
  ) -> UnsafeMutablePointer<NodeChunk> {
    let wordCount = max(wordCount, nodeCount * NodeGroup.singleWordCount)
    let memory = allocate(size(wordCount))
    let chunk = initialize(memory, wordCount)
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

  /// The chunk that this one and those that follow it end with.
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

  /// Whether there is room for a group of so many words.
  func hasRoom(_ wordCount: Int) -> Bool { Int(capacity - used.load(ordering: .relaxed)) >= wordCount }

  /// Adds a group, where there is room.
  static func append(
    _ sites: consuming GroupSites, to chunk: UnsafeMutablePointer<NodeChunk>
  ) -> UnsafeMutablePointer<NodeGroup> {
    let used = chunk.pointee.used.load(ordering: .relaxed)
    let group = NodeGroup.initialize(content(chunk) + Int(used) * NodeGroup.wordSize, sites)
    chunk.pointee.used.store(used + UInt16(truncatingIfNeeded: group.pointee.wordCount), ordering: .relaxed)
    let nodeCount = chunk.pointee.nodeCount.load(ordering: .relaxed)
    chunk.pointee.nodeCount.store(
      nodeCount + UInt32(truncatingIfNeeded: group.pointee.nodeCount), ordering: .releasing)
    return group
  }

  /// The memory behind a chunk's head.
  private static func content(_ chunk: UnsafeMutablePointer<NodeChunk>) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(chunk + 1)
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
        let (nodeCount, wordCount) = (group.pointee.nodeCount, group.pointee.wordCount)
        body(group, chunk.pointee.firstIdentifier + UInt64(index))
        index += nodeCount
        memory += wordCount * NodeGroup.wordSize
      }
    }
  }

  /// Ends a chain's groups and chunks, and frees the chunks behind the first.
  static func deinitialize(_ first: UnsafeMutablePointer<NodeChunk>) {
    forEachGroup(first) { group, _ in group.deinitialize(count: 1) }
    forEach(first) { chunk in
      chunk.deinitialize(count: 1)
      if chunk != first { Foundation.free(chunk) }
    }
  }
}
