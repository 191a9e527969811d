import Synchronization

/// Where the parts of a recorded chain lie in memory.
///
/// A chain's first block is its record, and behind that a chunk; more chunks are blocks of their own. Behind the head of a chunk lie its
/// groups, one behind the other. Behind the head of a group lie its counters; and, where no list says them, the sites of its node or two.
///
/// Everything follows from the sizes and alignments of the types, so it is right for words of any size. The package was not compiled for
/// 32 bits, as no such toolchain was tried; tests compute the layout for 32 bits from the sizes that the types have there.
struct ChainLayout: Sendable {
  /// How much memory something takes, and where it may begin.
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

    /// The size, filled up so that another one may follow.
    var stride: Int { Self.rounded(size, to: alignment) }

    /// Makes room behind this for so many others.
    ///
    /// - Returns: Where the first one lies.
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

  /// The layout for the types as they are here.
  static let native = ChainLayout(
    record: Extent(of: ChainRecord.Head.self), chunk: Extent(of: NodeChunk.self), group: Extent(of: NodeGroup.self),
    counter: Extent(of: Atomic<UInt64>.self), site: Extent(of: Site.self))

  /// What groups are measured in, in bytes: where one of them ends, another may begin.
  let unit: Int
  /// From a record to its first chunk.
  let chunkOffset: Int
  /// From a chunk to its first group.
  let groupOffset: Int
  /// From a group to its first counter.
  let counterOffset: Int
  /// From a group without a list to its first site.
  let siteOffset: Int
  /// How much memory a group of a single node takes, in units.
  let singleUnits: Int
  /// How much memory a group of an operator and its subscriber takes, in units.
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

  /// How much memory a group of so many joined operators takes, in units, with or without a subscriber directly below them.
  func units(stages: Int) -> Int {
    // It cannot overflow: there are no more stages than one list holds.
    headUnits &+ stages &* counterUnits
  }

  /// How much memory a chunk with room for so many units takes, in bytes.
  func chunkSize(units: Int) -> Int { groupOffset + units * unit }

  /// How much memory a record takes whose chunk has room for so many units, in bytes.
  func recordSize(units: Int) -> Int { chunkOffset + chunkSize(units: units) }
}
