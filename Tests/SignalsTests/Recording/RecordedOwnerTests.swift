import SignalRecording
import Signals
import Testing

/// What the live graph notes of a subscription when its owner is deallocated.
@Suite("Owners in the live graph")
struct RecordedOwnerTests {
  private final class Owner: Sendable {}

  /// Memory blocks of all sizes that a chain's record may have. The allocator reuses memory that was just freed on the same thread.
  private struct FreshMemory: ~Copyable {
    private let blocks = stride(from: 48, through: 512, by: 16).map { size in
      let block = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
      block.initializeMemory(as: UInt8.self, repeating: 0)
      return block
    }

    /// The offsets of bytes that were written to, by the size of the block.
    var changes: [Int: [Int]] {
      var changes: [Int: [Int]] = [:]
      for block in blocks {
        let offsets = block.indices.filter { block[$0] != 0 }
        if !offsets.isEmpty { changes[block.count] = offsets }
      }
      return changes
    }

    deinit { for block in blocks { block.deallocate() } }
  }

  @Test func ownerDeallocatedAfterDisposalDoesNotReachFreedRecord() {
    // Nothing is retained of ended chains: the record is freed by the disposal.
    let recorder = GraphRecorder(endedLimit: 0)
    recorder.record {
      let numbers = Emitter<Int>()
      var owner: Owner? = Owner()
      let subscription = owner.map { numbers.signal.map { $0 }.subscribe(with: $0) { _, _ in } }
      subscription?.dispose()
      let memory = FreshMemory()
      withExtendedLifetime(owner) {}
      owner = nil
      _ = recorder.snapshot()
      #expect(memory.changes == [:])
    }
  }
}
