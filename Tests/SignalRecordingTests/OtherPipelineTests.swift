import SignalGraph
import Synchronization
import Testing

@testable import SignalRecording

/// The recording needs no signals: whatever hands values from one step to the next can report to it, as here by hand.
@Suite("A pipeline that is made of no signals")
struct OtherPipelineTests {
  private static func site(_ kind: StaticString, line: UInt) -> Site {
    Site(kind, fileID: "App/Pipe.swift", line: line, function: "run()")
  }

  private final class Screen {}

  private struct Shown: Equatable {
    var kind: String
    var state: Node.State
    var valueCount: UInt64
  }

  private static func nodes(_ snapshot: GraphSnapshot) -> [Shown] {
    snapshot.nodes.map { node in
      let kind = snapshot.definitions.first { $0.id == node.definition }?.kind ?? ""
      return Shown(kind: kind, state: node.state, valueCount: node.valueCount)
    }
  }

  @Test("shows its steps, what passed them, how it ended, and what is still in memory")
  func chain() throws {
    let recorder = GraphRecorder()
    let screen = Screen()
    let record = try #require(
      ChainRecord.begin(
        inheriting: recorder, owner: NodeOwner(screen),
        capacity: ChainCapacity(2 * ChainRecord.singleCapacity, of: Self.site("sink", line: 2))))
    let sink = RecordedGroup(Self.site("sink", line: 2), in: record)
    record.nameNext("halves")
    let step = RecordedGroup(Self.site("step", line: 1), in: record)
    record.connected()
    for _ in 0..<2 { RecordedGroup.count(step.counters) }
    RecordedGroup.count(sink.counters)

    let running = recorder.snapshot()
    #expect(
      Self.nodes(running) == [
        Shown(kind: "sink", state: .live, valueCount: 1), Shown(kind: "step", state: .live, valueCount: 2),
      ])
    #expect(running.nodes.map(\.name) == [nil, "halves"])
    #expect(running.nodes.map(\.owner) == ["Screen", "Screen"])
    #expect(running.edges.map { [$0.source, $0.target] } == [[running.nodes[1].id, running.nodes[0].id]])

    struct Failure: Error {}
    step.ended(failure: Failure())
    record.subscriptionEnded(.completed)
    sink.freed()
    #expect(recorder.retainedNodes == [running.nodes[1].id])
    step.freed()
    #expect(recorder.retainedNodes.isEmpty)
    let over = recorder.snapshot()
    #expect(over.nodes.map(\.state) == [.disposed, .failed])
    #expect(over.nodes.map(\.failure) == [nil, "Failure()"])
  }

  @Test("hangs a further input, a source and work on a node")
  func inputs() throws {
    let recorder = GraphRecorder()
    let main = try #require(
      ChainRecord.begin(
        inheriting: recorder, owner: nil,
        capacity: ChainCapacity(ChainRecord.singleCapacity, of: Self.site("step", line: 1))))
    let step = RecordedGroup(Self.site("step", line: 1), in: main)
    let node = try #require(main.top)
    let input = try #require(
      ChainRecord.begin(below: node, as: .trigger, capacity: ChainCapacity(0, of: Self.site("queue", line: 3))))
    let sent = Counter()
    let source = SourceReference()
    let isConnectedToNothing = source.connect(input)
    _ = source.makeNode(Self.site("queue", line: 3), recorder, for: input, sent.counters)
    let isConnected = source.connect(input)
    #expect((isConnectedToNothing, isConnected) == (false, true))
    input.connected()
    main.connected()
    sent.sent.store(5, ordering: .relaxed)

    let snapshot = recorder.snapshot()
    #expect(Self.nodes(snapshot).map(\.kind) == ["step", "queue"])
    #expect(Self.nodes(snapshot).map(\.valueCount) == [0, 5])
    #expect(snapshot.edges.map(\.kind) == [.trigger])

    recorder.record {
      WorkAuthor.by(node) {
        let token = PendingWorkToken(.waiting, schedulerRecorder: nil)
        #expect(recorder.pendingWork.map(\.node) == [node.identifier])
        token?.end()
      }
    }
    #expect(recorder.pendingWork.isEmpty)

    source.node?.disposed()
    input.subscriptionEnded(.disposed)
    main.subscriptionEnded(.disposed)
    step.freed()
    #expect(recorder.snapshot().nodes.map(\.state) == [.disposed, .disposed])
  }

  @Test("traces a source through its lock alone, as soon as that is free")
  func tracing() throws {
    let recorder = GraphRecorder()
    let chain = try #require(
      ChainRecord.begin(inheriting: recorder, owner: nil, capacity: ChainCapacity(0, of: Self.site("queue", line: 3))))
    let counter = Counter(refusals: 3)
    let source = SourceReference()
    _ = source.makeNode(Self.site("queue", line: 3), recorder, for: chain, counter.counters)
    chain.connected()
    recorder.traceHandlers(true) { false }
    #expect(counter.attempts.load(ordering: .relaxed) == 4)
    // The bit was for the closure to set.
    #expect(counter.gate.load(ordering: .relaxed) == 0)
    recorder.traceHandlers(false) { false }
    source.node?.disposed()
    chain.subscriptionEnded(.disposed)
  }

  /// Where a source counts.
  private final class Counter: Sendable {
    let sent = Atomic<UInt64>(0)
    private let lastWaiting = Atomic<UInt64>(0)
    private let lastBegun = Atomic<UInt64>(0)
    let gate = Atomic<UInt32>(0)
    /// How often the source's lock is not free.
    private let refusals: Int
    let attempts = Atomic<Int>(0)

    init(refusals: Int = 0) { self.refusals = refusals }

    var counters: SourceNode.Counters {
      // An atomic in an object does not move, and the test keeps the object until the source is disposed.
      SourceNode.Counters(
        sent: withUnsafePointer(to: sent) { $0 }, lastWaiting: withUnsafePointer(to: lastWaiting) { $0 },
        lastBegun: withUnsafePointer(to: lastBegun) { $0 }, gate: withUnsafePointer(to: gate) { $0 },
        trace: (
          UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()),
          { source, _ in
            Unmanaged<Counter>.fromOpaque(source)._withUnsafeGuaranteedRef { counter in
              counter.attempts.add(1, ordering: .relaxed).newValue > counter.refusals
            }
          }
        ))
    }
  }
}
