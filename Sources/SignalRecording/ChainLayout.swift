import Synchronization

/// The memory layout of a recorded chain.
///
/// A chain's first block is its record, followed by a chunk; further chunks are separate blocks. The head of a chunk is
/// followed by its groups, and the head of a group by its counters; and, without a list of sites, by the sites of its
/// node or two.
///
/// Everything follows from the sizes and alignments of the types, so it is right for words of any size. The package was
/// not compiled for 32 bits, as no such toolchain was tried; tests compute the layout for 32 bits from the sizes of the
/// types there.
struct ChainLayout: Sendable {
  /// The size and alignment of a part.
  struct Extent: Sendable {
    private(set) var size = 0
    private(set) var alignment = 1

    /// The extent of a value of a type.
    init<Part: ~Copyable>(of type: Part.Type) {
      self.init(size: MemoryLayout<Part>.size, alignment: MemoryLayout<Part>.alignment)
    }

    init(size: Int, alignment: Int) {
      self.size = size
      self.alignment = alignment
    }

    /// The size, rounded up so that another one may follow.
    var stride: Int { Self.rounded(size, to: alignment) }

    /// Appends space for a number of others.
    ///
    /// - Returns: The offset of the first one.
    mutating func append(_ other: Extent, count: Int = 1) -> Int {
      let offset = Self.rounded(size, to: other.alignment)
      size = offset + other.stride * count
      alignment = max(alignment, other.alignment)
      return offset
    }

    static func rounded(_ size: Int, to alignment: Int) -> Int {
      (size + alignment - 1) / alignment * alignment
    }
  }

  /// The layout for this platform.
  static let native = ChainLayout(
    record: Extent(of: ChainRecord.Head.self), chunk: Extent(of: NodeChunk.self), group: Extent(of: NodeGroup.self),
    counter: Extent(of: Atomic<UInt64>.self), site: Extent(of: Site.self))

  /// The unit of groups, in bytes: a group may begin where another one ends.
  let unit: Int
  /// The offset of the first chunk in a record.
  let chunkOffset: Int
  /// The offset of the first group in a chunk.
  let groupOffset: Int
  /// The offset of the first counter in a group.
  let counterOffset: Int
  /// The offset of the first site in a group without a list.
  let siteOffset: Int
  /// The size of a group of a single node, in units.
  let singleUnits: Int
  /// The size of a group of an operator and its subscriber, in units.
  let pairUnits: Int
  private let headUnits: Int
  private let counterUnits: Int

  init(record: Extent, chunk: Extent, group: Extent, counter: Extent, site: Extent) {
    var single = group
    counterOffset = single.append(counter)
    siteOffset = single.append(site)
    unit = single.alignment
    singleUnits = single.stride / unit
    var pair = single
    _ = pair.append(site)
    pairUnits = pair.stride / unit
    headUnits = Extent.rounded(counterOffset, to: unit) / unit
    counterUnits = Extent.rounded(counter.stride, to: unit) / unit
    var filledChunk = chunk
    groupOffset = filledChunk.append(single)
    var filledRecord = record
    chunkOffset = filledRecord.append(filledChunk)
  }

  /// The size of a group of fused operators, in units, with or without a subscriber directly below them.
  func units(stages: Int) -> Int {
    // It cannot overflow: the number of stages of a list is limited.
    headUnits &+ stages &* counterUnits
  }

  /// The size of a chunk with a capacity in units, in bytes.
  func chunkSize(units: Int) -> Int { groupOffset + units * unit }

  /// The size of a record whose chunk has a capacity in units, in bytes.
  func recordSize(units: Int) -> Int { chunkOffset + chunkSize(units: units) }
}
