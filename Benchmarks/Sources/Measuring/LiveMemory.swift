import CAllocationCounter

/// What stays on the heap.
package struct LiveMemory: Codable {
  package var bytes: Double
  package var blocks: Double

  /// Measures what `body` leaves on the heap, divided by `count`. What it returns is kept until the measurement is over.
  package static func left(per count: Int, by body: () -> [AnyObject]) -> LiveMemory {
    count_allocations(true)
    let (bytes, blocks) = (allocated_bytes(), allocated_blocks())
    let kept = body()
    let memory = LiveMemory(
      bytes: Double(allocated_bytes() - bytes) / Double(count),
      blocks: Double(allocated_blocks() - blocks) / Double(count))
    count_allocations(false)
    return withExtendedLifetime(kept) { memory }
  }

  package static func - (left: LiveMemory, right: LiveMemory) -> LiveMemory {
    LiveMemory(bytes: left.bytes - right.bytes, blocks: left.blocks - right.blocks)
  }
}
