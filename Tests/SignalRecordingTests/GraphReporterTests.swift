import SignalGraph
import Synchronization
import Testing

@testable import SignalRecording

@Suite("A reporter of a step of any pipeline")
struct GraphReporterTests {
  private final class Importer: Sendable {}
  private struct Broken: Error {}

  private let recorder = GraphRecorder()

  @Test("writes down what passes while somebody records")
  func recorded() throws {
    let step = recorder.record { GraphReporter("parse") }
    let id = try #require(step.nodeID)
    step.notePassing()
    recorder.events.begin()
    #expect(step.passing { 5 } == 5)
    step.notePassing()
    recorder.events.end()
    recorder.events.begin()
    let start = recorder.events.read(from: nil, limit: 9).next
    #expect(start == 2)
    step.passing { step.notePassing() }
    let events = recorder.events.read(from: start, limit: 9).events
    // What is over first comes first, and is inside of the other.
    try #require(events.count == 2)
    #expect(events.allSatisfy { $0.kind == .passed && $0.node == id && $0.first == id && $0.cause == 0 })
    #expect(
      events[1].time <= events[0].time && events[0].time + events[0].duration <= events[1].time + events[1].duration)
    #expect(events[0].thread == CauseTracing.thread.words)
    recorder.events.end()
    #expect(recorder.snapshot().nodes.first?.valueCount == 5)
  }

  @Test("shows the step with its kind, name, place, owner and counts")
  func shown() throws {
    let importer = Importer()
    let step = recorder.record { GraphReporter("parse", named: "orders", owner: importer) }
    let line = #line - 1
    for _ in 0..<3 { step.countValue() }
    step.countValues(4)
    step.beginWaiting(5)
    step.endWaiting()
    step.countDropped(2)
    let snapshot = recorder.snapshot()
    let node = try #require(snapshot.nodes.first)
    #expect(snapshot.nodes.count == 1)
    #expect((node.name, node.state, node.owner) == ("orders", .live, "Importer"))
    #expect((node.valueCount, node.waiting, node.dropped) == (7, 4, 2))
    #expect(node.since != nil)
    #expect(node.id == step.nodeID)
    #expect(step.isRecorded)
    let definition = try #require(snapshot.definitions.first)
    #expect((definition.kind, definition.line, definition.function) == ("parse", line, "shown()"))
    #expect(definition.fileID == "SignalRecordingTests/GraphReporterTests.swift")
    #expect(definition.isReported == true)
    #expect(recorder.node(node.id)?.valueCount == 7)
    #expect(recorder.retainedNodes == [node.id])
  }

  /// Other tests of this process may have turned the graph on, so it is not asked here.
  @Test("does nothing where nothing records")
  func off() {
    func name() -> String? {
      Issue.record("The name was evaluated.")
      return nil
    }
    let step = GraphReporter("parse", name(), nil, #fileID, #line, #function, if: false)
    step.countValue()
    step.beginAsked()
    step.deliver(to: recorder.record { GraphReporter("write") })
    step.finish()
    #expect(!step.isRecorded)
    #expect(step.nodeID == nil)
    #expect(recorder.snapshot().edges.isEmpty)
  }

  @Test("connects steps, each pair once, whichever of them is older")
  func connected() {
    let steps = recorder.record { (GraphReporter("write"), GraphReporter("read"), GraphReporter("tick")) }
    for _ in 0..<2 { steps.1.deliver(to: steps.0) }
    steps.2.deliver(to: steps.0, as: .trigger)
    steps.0.deliver(to: steps.0)
    steps.0.deliver(to: steps.2, as: .feedback)
    let edges = recorder.snapshot().edges
    let ids = (steps.0.nodeID ?? 0, steps.1.nodeID ?? 0, steps.2.nodeID ?? 0)
    #expect(edges.count == 3)
    #expect(edges.contains(Edge(source: ids.1, target: ids.0)))
    #expect(edges.contains(Edge(source: ids.2, target: ids.0, kind: .trigger)))
    #expect(edges.contains(Edge(source: ids.0, target: ids.2, kind: .feedback)))
  }

  @Test("tells the first end, and counts it at its place")
  func ends() {
    func step() -> GraphReporter { recorder.record { GraphReporter("step") } }
    let (finished, failed, cancelled) = (step(), step(), step())
    finished.finish()
    finished.fail(Broken())
    failed.fail(Broken())
    failed.cancel()
    cancelled.cancel()
    cancelled.countValue()
    let snapshot = recorder.snapshot()
    #expect(snapshot.nodes.map(\.state) == [.finished, .failed, .disposed])
    #expect(snapshot.nodes.map(\.failure) == [nil, "Broken()", nil])
    #expect(snapshot.definitions.map(\.ends) == [EndCounts(finished: 1, failed: 1, disposed: 1)])
    #expect(recorder.retainedNodes.isEmpty)
  }

  @Test("that nobody has any more has ended")
  func dropped() {
    var step: GraphReporter? = recorder.record { GraphReporter("step") }
    let copy = step
    step = nil
    #expect(recorder.snapshot().nodes.map(\.state) == [.live])
    withExtendedLifetime(copy) {}
    recorder.record { _ = GraphReporter("other") }
    #expect(recorder.snapshot().nodes.last?.state == .disposed)
  }

  @Test("keeps no more ended steps than the recorder is to keep, and counts those that went")
  func limit() {
    let recorder = GraphRecorder(endedLimit: 3)
    for index in 0..<10 {
      let step = recorder.record { GraphReporter("request", named: "\(index)") }
      step.countValue()
      step.finish()
    }
    let snapshot = recorder.snapshot()
    #expect(snapshot.nodes.map(\.name) == ["7", "8", "9"])
    #expect(snapshot.definitions.first?.ends?.finished == 10)
    #expect(snapshot.definitions.first?.gone?.nodes == 7)
    #expect(snapshot.definitions.first?.gone?.values == 7)
  }

  @Test("belongs to the scope around it, which it should not outlive")
  func scope() {
    let screen = GraphScope("screen")
    let step = recorder.record { screen.run { GraphReporter("poll") } }
    #expect(recorder.snapshot().nodes.map(\.owner) == ["screen"])
    #expect(recorder.snapshot().nodes.map(\.findings) == [[]])
    screen.end()
    #expect(recorder.snapshot().nodes.map(\.findings) == [[.leaked]])
    step.finish()
    #expect(recorder.snapshot().nodes.map(\.findings) == [[]])
  }

  @Test("says who waits, while it lives")
  func demand() throws {
    let step = recorder.record { GraphReporter("stage") }
    #expect(recorder.snapshot().nodes.first?.demand == nil)
    step.beginAsked()
    let asked = try #require(recorder.snapshot().nodes.first?.demand)
    #expect(asked.isAsked)
    // The clock of the marks is coarse.
    #expect(abs(asked.since - recorder.snapshot().takenAt) < 60)
    step.endAsked()
    #expect(recorder.snapshot().nodes.first?.demand?.isAsked == false)
    step.finish()
    #expect(recorder.snapshot().nodes.first?.demand == nil)
  }

  @Test("of a step that lives long keeps nothing of those that come and go beside it")
  func hub() throws {
    let recorder = GraphRecorder(endedLimit: 0)
    let hub = recorder.record { GraphReporter("hub") }
    for _ in 0..<1_000 {
      let client = recorder.record { GraphReporter("client") }
      client.deliver(to: hub)
      client.cancel()
    }
    #expect(try #require(hub.life).node.edges.isEmpty)
    let clients = (0..<200).map { _ in recorder.record { GraphReporter("client") } }
    let late = recorder.record { GraphReporter("late") }
    for client in clients { client.deliver(to: late) }
    #expect(recorder.snapshot().edges.count == 200)
    for client in clients { client.cancel() }
    #expect(recorder.snapshot().edges.isEmpty)
  }

  @Test("counts what many threads count, and ends once for all of them")
  func threads() async {
    let step = recorder.record { GraphReporter("hot") }
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { [recorder] in
          for _ in 0..<1_000 { step.countValue() }
          for _ in 0..<20 { _ = recorder.snapshot() }
          step.finish()
        }
      }
    }
    #expect(recorder.snapshot().nodes.map(\.valueCount) == [8_000])
    #expect(recorder.snapshot().definitions.first?.ends?.total == 1)
  }

  @Test("whose recorder is gone, or has been closed, goes on without it")
  func withoutRecorder() {
    var recorder: GraphRecorder? = GraphRecorder()
    let step = recorder?.record { GraphReporter("step") }
    recorder?.close()
    step?.countValue()
    #expect(recorder?.snapshot().nodes.isEmpty == true)
    recorder = nil
    step?.countValue()
    step?.finish()
  }

  @Test("in a circle is still seen by a check for leaks")
  func circle() {
    let steps = recorder.record { (GraphReporter("a"), GraphReporter("b"), GraphReporter("c")) }
    steps.0.deliver(to: steps.1)
    steps.1.deliver(to: steps.2)
    steps.2.deliver(to: steps.0)
    let nodes = recorder.chainNodes()
    #expect(nodes.count == 3)
    #expect(nodes.compactMap(\.downstream).count == 2)
    #expect(nodes.flatMap(\.inputs).count == 1)
  }

  @Test("that is told nonsense does not trap")
  func nonsense() {
    let step = recorder.record { GraphReporter("step") }
    step.countValues(-1)
    step.countDropped(.min)
    step.endWaiting(.max)
    step.endWaiting(.max)
    step.beginWaiting(-5)
    step.countValues(.max)
    step.countValues(.max)
    step.countValues(.max)
    #expect(recorder.snapshot().nodes.first?.waiting == nil)
  }
}
