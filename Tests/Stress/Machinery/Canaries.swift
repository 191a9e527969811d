/// Memory blocks of many sizes with a known content: a write to memory that was freed just before changes it.
// Safe: the blocks are written by `init` and read by `areIntact`; in between nothing may touch them.
final class Canaries: @unchecked Sendable {
  private static let sizes = stride(from: 64, through: 768, by: 16)
  private static let pattern: UInt8 = 0x00
  private var blocks: [UnsafeMutableRawBufferPointer] = []

  init(perSize count: Int = 4) {
    for size in Self.sizes {
      for _ in 0..<count {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        for index in block.indices { block[index] = Self.pattern }
        blocks.append(block)
      }
    }
  }

  deinit { for block in blocks { block.deallocate() } }

  /// The size of a block that somebody wrote to, and where; nil if there is none.
  var firstChange: (size: Int, offset: Int)? {
    for block in blocks {
      if let offset = block.firstIndex(where: { $0 != Self.pattern }) { return (block.count, offset) }
    }
    return nil
  }
}
