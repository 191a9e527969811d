import Synchronization
import Testing

@testable import SignalRecording

/// The layout is computed from the sizes of types, so it can be computed for words that this machine does not have.
@Suite("Where a chain's parts lie in memory")
struct ChainLayoutTests {
  /// A machine's words.
  struct Machine: Sendable, CustomTestStringConvertible {
    var word: Int
    var alignmentOfUInt64: Int
    var testDescription: String { "\(word * 8) bits, UInt64 at multiples of \(alignmentOfUInt64)" }

    private typealias Extent = ChainLayout.Extent

    /// The layout for the records, whose fields are repeated here.
    var layout: ChainLayout {
      ChainLayout(record: record, chunk: chunk, group: group, counter: counter, site: site)
    }

    private var pointer: Extent { Extent(size: word, alignment: word) }
    private func number(_ size: Int) -> Extent { Extent(size: size, alignment: size) }
    private func structure(_ fields: Extent...) -> Extent {
      fields.reduce(into: Extent(size: 0, alignment: 1)) { _ = $0.append($1) }
    }

    var counter: ChainLayout.Extent { Extent(size: 8, alignment: alignmentOfUInt64) }
    var site: ChainLayout.Extent { structure(pointer, pointer, counter, counter) }
    var group: ChainLayout.Extent { structure(pointer, number(4), number(1), number(1), number(1)) }
    var chunk: ChainLayout.Extent { structure(pointer, counter, number(4), number(2), number(2)) }
    var record: ChainLayout.Extent {
      structure(
        pointer, pointer, pointer, number(4), number(4), number(4), number(1), number(1), number(1), number(1), counter,
        counter)
    }
  }

  static let machines = [
    Machine(word: 8, alignmentOfUInt64: 8), Machine(word: 4, alignmentOfUInt64: 8),
    Machine(word: 4, alignmentOfUInt64: 4),
  ]

  /// A group that is put into a chunk.
  private enum Content {
    case single
    case pair
    case stages(Int)
  }

  @Test("the fields that the tests repeat are those of the types, and the layout is as small as it was meant to be")
  func native() throws {
    try #require(MemoryLayout<Int>.size == 8)
    let machine = Self.machines[0]
    let pairs = [
      (machine.record, ChainLayout.Extent(of: ChainRecord.Head.self)), (machine.chunk, .init(of: NodeChunk.self)),
      (machine.group, .init(of: NodeGroup.self)), (machine.counter, .init(of: Atomic<UInt64>.self)),
      (machine.site, .init(of: Site.self)),
    ]
    for (computed, real) in pairs {
      #expect(computed.size == real.size && computed.alignment == real.alignment)
    }
    // Three joined operators and their subscriber: one block of 120 bytes.
    let layout = ChainLayout.native
    #expect(layout.recordSize(units: layout.units(stages: 3)) == 120)
    #expect(layout.singleUnits * layout.unit == 56)
    #expect(layout.pairUnits * layout.unit == 88)
  }

  @Test("no part overlaps another, leaves its block or lies where its type may not", arguments: machines)
  func parts(machine: Machine) {
    let layout = machine.layout
    let chains: [[Content]] = [
      [], [.single], [.single, .single, .single], [.stages(1)], [.stages(3)], [.stages(64), .single],
      [.single, .stages(2), .stages(1), .single, .stages(7)], [.pair], [.pair, .stages(2), .single],
    ]
    for chain in chains {
      let units = chain.map { content in
        switch content {
        case .single: layout.singleUnits
        case .pair: layout.pairUnits
        case .stages(let count): layout.units(stages: count)
        }
      }
      let room = units.reduce(0, +)
      #expect(layout.recordSize(units: room) == layout.chunkOffset + layout.chunkSize(units: room))
      // malloc gives memory for any two words.
      var parts = [(offset: 0, machine.record), (layout.chunkOffset, machine.chunk)]
      var offset = layout.chunkOffset + layout.groupOffset
      for (content, units) in zip(chain, units) {
        parts.append((offset, machine.group))
        let counterCount = if case .stages(let count) = content { count } else { 1 }
        for index in 0..<counterCount {
          parts.append((offset + layout.counterOffset + index * machine.counter.stride, machine.counter))
        }
        let siteCount =
          switch content {
          case .single: 1
          case .pair: 2
          case .stages: 0
          }
        for index in 0..<siteCount {
          parts.append((offset + layout.siteOffset + index * machine.site.stride, machine.site))
        }
        // As many identifiers are reserved as a chunk has units.
        #expect(units > counterCount)
        offset += units * layout.unit
      }
      var end = 0
      for (offset, extent) in parts {
        #expect(offset >= end && offset % extent.alignment == 0 && extent.alignment <= 2 * machine.word)
        end = offset + extent.size
      }
      #expect(end <= layout.recordSize(units: room))
    }
  }
}
