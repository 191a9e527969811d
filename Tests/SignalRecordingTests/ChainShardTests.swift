import Foundation
import SignalGraph
import Synchronization
import Testing

@testable import SignalRecording

/// The chains of the process's recorder are listed in shards, so that threads do not wait for each other.
@Suite("A recorder with several lists of chains", .timeLimit(.minutes(20)))
struct ChainShardTests {
  private static let site = Site("step", fileID: "App/Pipe.swift", line: 1, function: "run()")

  private static func chain(in recorder: GraphRecorder) throws -> (ChainRecord, RecordedGroup) {
    let record = try #require(
      ChainRecord.begin(
        inheriting: recorder, owner: nil, capacity: ChainCapacity(ChainRecord.singleCapacity, of: Self.site)))
    let group = RecordedGroup(Self.site, in: record)
    record.connected()
    return (record, group)
  }

  private static func end(_ chain: (record: ChainRecord, group: RecordedGroup)) {
    chain.record.subscriptionEnded(.disposed)
    chain.group.freed()
  }

  /// Chains begin on one thread and end on the next, while others look.
  @Test(arguments: [0, 1, 10, 256])
  func nothingIsLostOrTwice(limit: Int) throws {
    let recorder = GraphRecorder(permanentWithEndedLimit: limit)
    let threads = 8
    let rounds = 400
    // Safe: each place is written before the barrier and read after it.
    final class Handed: @unchecked Sendable {
      var chains: [[(ChainRecord, RecordedGroup)]] = []
    }
    let handed = Handed()
    handed.chains = Array(repeating: [], count: threads)
    let most = Atomic<Int>(0)
    let lock = NSLock()
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      var made: [(ChainRecord, RecordedGroup)] = []
      for round in 0..<rounds {
        guard let chain = try? Self.chain(in: recorder) else { continue }
        if round.isMultiple(of: 2) { Self.end(chain) } else { made.append(chain) }
        guard round.isMultiple(of: 50) else { continue }
        let snapshot = recorder.snapshot()
        let ids = snapshot.nodes.map(\.id)
        #expect(Set(ids).count == ids.count, "a node is shown once")
        most.max(snapshot.nodes.count { $0.state != .live }, ordering: .relaxed)
      }
      lock.withLock { handed.chains[thread] = made }
    }
    // Each other thread may end one more between the copy of the lists and the look at it.
    #expect(most.load(ordering: .relaxed) < limit + threads)
    let half = recorder.snapshot()
    #expect(half.nodes.count { $0.state == .live } == threads * rounds / 2)
    #expect(half.definitions.compactMap(\.ends).map(\.disposed) == [UInt64(threads * rounds / 2)])
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      for chain in handed.chains[(thread + 1) % threads] { Self.end(chain) }
    }
    let over = recorder.snapshot()
    #expect(over.nodes.allSatisfy { $0.state == .disposed })
    // A lot goes as one, so a few less than the limit may be kept.
    #expect(over.nodes.count <= limit && over.nodes.count >= limit - max(1, limit / 4))
    #expect(over.definitions.compactMap(\.ends).map(\.disposed) == [UInt64(threads * rounds)])
    recorder.close()
    #expect(recorder.snapshot().nodes.isEmpty)
  }

  @Test("who watches is told of each chain that goes after he began to")
  func watchersAreCalled() throws {
    let recorder = GraphRecorder(permanentWithEndedLimit: 256)
    let before = try Self.chain(in: recorder)
    let calls = Counter()
    let key = recorder.watch { calls.add() }
    let after = try Self.chain(in: recorder)
    Self.end(before)
    Self.end(after)
    #expect(calls.value == 2)
    recorder.unwatch(key)
    Self.end(try Self.chain(in: recorder))
    #expect(calls.value == 2)
  }

  @Test("a value that is known to be unheard before its count is read is not subtracted")
  func unheardBeforeCounted() throws {
    let recorder = GraphRecorder(permanentWithEndedLimit: 1)
    let chain = try Self.chain(in: recorder)
    // As a reader sees it whose load of the count came first.
    chain.0.mark(.unheard)
    #expect(recorder.snapshot().nodes.map(\.valueCount) == [0])
    RecordedGroup.count(chain.1.counters)
    RecordedGroup.count(chain.1.counters)
    #expect(recorder.snapshot().nodes.map(\.valueCount) == [1])
    Self.end(chain)
  }

  private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
  }
}
