import SignalGraph

/// A part of the chains of a recorder, under its own lock.
///
/// Threads that subscribe and dispose at the same time would contend for one list. So the recorder of the process has
/// several, and each thread uses one of them; a chain stays where it was listed, whichever thread disposes it.
struct ChainShard {
  /// Those that have not retired. They own themselves, and remove themselves before they are freed.
  private(set) var chains: ContiguousArray<ChainRecord> = []
  /// Those that have, until a batch of them is passed to the recorder's list.
  private var ended: ContiguousArray<ChainRecord> = []
  private var endedNodeCount = 0
  /// By the location of the lowest node; see ``EndCounts``.
  private(set) var endCounts = SiteTable<EndCounts>()
  private var isClosed = false

  /// Lists a chain.
  mutating func begin(_ record: ChainRecord) {
    guard !isClosed else { return }
    record.slot = Int32(truncatingIfNeeded: chains.count)
    chains.append(record)
  }

  /// The result of retiring an unused chain.
  enum Retirement {
    /// It was in no list.
    case unlisted
    /// It is not retained.
    case forgotten
    /// It is retained here.
    case kept
    /// It is retained here, and a batch is complete.
    case full
  }

  /// Removes an unused chain, and counts how it ended.
  ///
  /// - Parameters:
  ///   - weight: Its weight in nodes among the retained ones; 0 if it is not retained.
  ///   - batch: The number of nodes of a batch.
  mutating func retire(_ record: ChainRecord, weight: Int, batch: Int) -> Retirement {
    let slot = Int(record.slot)
    guard slot >= 0 else { return .unlisted }
    let last = chains.removeLast()
    if slot < chains.count {
      chains[slot] = last
      last.slot = record.slot
    }
    record.countEnd(in: &endCounts)
    guard weight > 0 else { return .forgotten }
    ended.append(record)
    endedNodeCount += weight
    return endedNodeCount >= batch ? .full : .kept
  }

  /// Returns and removes the ended chains, if there are any.
  mutating func takeEnded() -> EndedMembers? {
    defer { endedNodeCount = 0 }
    if ended.count == 1 { return ended.popLast().map { .chain($0, weight: endedNodeCount) } }
    guard !ended.isEmpty else { return nil }
    let batch = ended
    ended = []
    ended.reserveCapacity(batch.count)
    return .chains(batch, weight: endedNodeCount)
  }

  /// Removes everything, and lists nothing more until ``reopen()``. Ended chains were taken before.
  mutating func close() {
    // Live chains must not remove themselves from the list any more.
    for chain in chains { chain.slot = -1 }
    self = ChainShard()
    isClosed = true
  }

  /// Lists chains again after ``close()``.
  mutating func reopen() { isClosed = false }
}

/// The shards of a recorder.
// Safe: the memory is written here and freed by `deinit`; between, a shard is touched only under the lock beside it.
struct ChainShards: ~Copyable, @unchecked Sendable {
  /// CPUs exchange memory in lines of 64 or 128 bytes, so no two shards share one.
  private static var stride: Int { 128 }
  /// The offset of a shard from its lock.
  private static var offset: Int { 16 }

  private let memory: UnsafeMutableRawPointer
  private let count: Int

  /// - Parameter count: A power of two, 128 at most.
  init(count: Int) {
    assert(MemoryLayout<SystemLock>.size <= Self.offset, "a lock fits before its shard")
    assert(Self.offset + MemoryLayout<ChainShard>.size <= Self.stride, "a shard fits into its line")
    self.count = count
    memory = .allocate(byteCount: count * Self.stride, alignment: Self.stride)
    for index in 0..<count {
      (memory + index * Self.stride).bindMemory(to: SystemLock.self, capacity: 1).initialize(to: SystemLock(()))
      (memory + index * Self.stride + Self.offset).bindMemory(to: ChainShard.self, capacity: 1)
        .initialize(to: ChainShard())
    }
  }

  deinit {
    for index in 0..<count {
      (memory + index * Self.stride).assumingMemoryBound(to: SystemLock.self).deinitialize(count: 1)
      shard(index).deinitialize(count: 1)
    }
    memory.deallocate()
  }

  private func lock(_ index: Int) -> UnsafePointer<SystemLock> {
    UnsafeRawPointer(memory + index * Self.stride).assumingMemoryBound(to: SystemLock.self)
  }

  private func shard(_ index: Int) -> UnsafeMutablePointer<ChainShard> {
    (memory + index * Self.stride + Self.offset).assumingMemoryBound(to: ChainShard.self)
  }

  /// The shard of this thread. Two threads may have the same one.
  var ofThisThread: UInt8 {
    guard count > 1 else { return 0 }
    // Numbers of threads are addresses, which differ in the middle bits.
    let hash = UInt64(currentThread() >> 12) &* 0x9E37_79B9_7F4A_7C15
    return UInt8(truncatingIfNeeded: hash >> 56) & UInt8(count - 1)
  }

  /// Calls a closure with a shard, under its lock.
  @inline(__always)
  func withShard<Result>(_ index: UInt8, _ body: (inout ChainShard) -> Result) -> Result {
    withShard(at: Int(index), body)
  }

  @inline(__always)
  private func withShard<Result>(at index: Int, _ body: (inout ChainShard) -> Result) -> Result {
    let lock = lock(index)
    lock.pointee._unsafeLock()
    defer { lock.pointee._unsafeUnlock() }
    return body(&shard(index).pointee)
  }

  /// Calls a closure with each shard in turn, each under its own lock.
  func forEach(_ body: (inout ChainShard) -> Void) {
    for index in 0..<count { withShard(at: index, body) }
  }

  /// Calls a closure with each shard, and then one without arguments, while all the locks are held.
  func withAll<Result>(_ each: (inout ChainShard) -> Void, then: () -> Result) -> Result {
    for index in 0..<count {
      lock(index).pointee._unsafeLock()
      each(&shard(index).pointee)
    }
    defer { for index in 0..<count { lock(index).pointee._unsafeUnlock() } }
    return then()
  }
}
