import Foundation
import SignalAttach
import SignalGraph
import SignalRecording
import Signals
import Synchronization
import Testing

@testable import SignalInspector

@Suite("what happens while a client wants to know") struct EventTraceTests {
  private let recorder = GraphRecorder()

  private final class Waiting: Sendable {
    let works = Mutex<[@Sendable () -> Void]>([])
  }

  @Test func sendsOperatorsAndHandlersWithOneCause() throws {
    let waiting = Waiting()
    let handlers = HandlerTrace(recorder: { [recorder] in recorder }) { _, work in
      waiting.works.withLock { $0.append(work) }
    }
    let trace = EventTrace(recorder: { [recorder] in recorder }, handlers: handlers) { _, work in
      waiting.works.withLock { $0.append(work) }
    }
    let bag = DisposeBag()
    let (keys, words) = recorder.record { (Emitter<Int>(), Emitter<String>()) }
    recorder.record {
      words.signal.subscribe { _ in }.store(in: bag)
      keys.signal.scan(0, +).removeDuplicates().subscribe { words.send("\($0)") }.store(in: bag)
    }
    keys.send(1)
    let start = trace.events(from: nil, recordingFor: .seconds(60))
    #expect(start.events.isEmpty && start.lost == 0)
    keys.send(2)
    keys.send(0)
    let answer = trace.events(from: start.next, recordingFor: .seconds(60))
    let graph = recorder.snapshot()
    let kinds = Dictionary(graph.definitions.map { ($0.id, $0.kind) }) { first, _ in first }
    let nodes = Dictionary(graph.nodes.map { ($0.id, kinds[$0.definition] ?? "") }) { first, _ in first }
    let events = answer.events.sorted { ($0.time, $1.duration) < ($1.time, $0.duration) }
    let handled = events.filter { $0.kind == .handled }
    // The second value does not get through: it is the same sum again.
    #expect(handled.map { nodes[$0.node] } == ["subscribe", "subscribe"], "\(events)")
    #expect(events.count { $0.kind == .sent } == 3)
    let first = try #require(events.first)
    #expect(first.kind == .sent && first.origin == .program && nodes[first.node] == "emitter")
    #expect(events.filter { $0.cause == first.cause }.count > 1)
    let word = try #require(events.first { $0.parent == first.cause })
    #expect(word.kind == .sent && word.origin == .handler && word.by == handled.first?.node)
    // What is done in the course of something is inside of it.
    #expect(events.allSatisfy { $0.thread == first.thread })
    #expect(first.time <= word.time && word.time + word.duration <= first.time + first.duration)

    // It ends when nobody wants it any more, and what comes then is not kept.
    let over = EventTrace(recorder: { [recorder] in recorder }, handlers: handlers) { _, work in
      waiting.works.withLock { $0.append(work) }
    }
    _ = over.events(from: answer.next, recordingFor: .zero)
    for work in waiting.works.withLock({ $0 }) { work() }
    #expect(!recorder.events.isOn)
    keys.send(5)
    #expect(recorder.events.read(from: 0, limit: 10).events.isEmpty)
    bag.close()
  }

  @Test func responseIsWrittenInPieces() throws {
    let events = (0..<UInt64(5_000)).map { number in
      var event = GraphEvent(
        .handled, node: number, first: number + 2, cause: 7, time: number * 1_000, duration: 5, thread: "a \"thread\"\n"
      )
      if number % 3 == 0 { (event.origin, event.by, event.parent) = (.timer, 3, 9) }
      return event
    }
    let answer = RecordedEvents(startedAt: 1_700_000_000.25, next: 9, lost: 3, events: events)
    var pieces: [[UInt8]] = []
    try answer.write { pieces.append($0) }
    #expect(pieces.allSatisfy { $0.count < 100_000 } && pieces.count > 5)
    #expect(try JSONDecoder().decode(RecordedEvents.self, from: Data(pieces.joined())) == answer)
  }

  @Test func whoAsksIsAnswered() async throws {
    var graph = GraphProvider.fixed(3)
    graph.events = { number, time in
      RecordedEvents(
        startedAt: time / .seconds(1), next: 9, lost: number ?? 0,
        events: [GraphEvent(.sent, node: 1, cause: 2, time: 3, thread: "main")])
    }
    try await withInspector(graph) { path, _ in
      let body = try RawClient.get(path, "/events?from=4&seconds=5").body
      let answer = try JSONDecoder().decode(RecordedEvents.self, from: Data(body.utf8))
      #expect(answer == graph.events(4, .seconds(5)))
      for wrong in [
        "", "?seconds=0", "?seconds=61", "?from=-1&seconds=1", "?from=1&from=2&seconds=1", "?seconds=1&depth=2",
      ] {
        // On a busy machine those who asked before may not have left yet.
        var refusal = ""
        try eventually("an answer") {
          refusal = try RawClient.get(path, "/events\(wrong)")
          return refusal.statusCode != "503"
        }
        #expect(refusal.statusCode == "400" && refusal.body.contains("query item"), "\(refusal)")
      }
    }
  }

  /// On several threads at once, while somebody reads: each event is read or counted as lost, and none twice.
  @Test func eachEventIsReadOrLost() {
    let bag = DisposeBag()
    let waiting = Waiting()
    let handlers = HandlerTrace(recorder: { [recorder] in recorder }) { _, work in
      waiting.works.withLock { $0.append(work) }
    }
    let trace = EventTrace(recorder: { [recorder] in recorder }, handlers: handlers) { _, work in
      waiting.works.withLock { $0.append(work) }
    }
    let sources = recorder.record { (0..<4).map { _ in Emitter<Int>() } }
    recorder.record { for source in sources { source.signal.subscribe { _ in }.store(in: bag) } }
    var next = trace.events(from: nil, recordingFor: .seconds(60)).next
    let first = next
    let isDone = Atomic<Int>(0)
    for source in sources {
      Thread.detachNewThread {
        for number in 0..<5_000 { source.send(number) }
        isDone.add(1, ordering: .releasing)
      }
    }
    var (read, lost): (UInt64, UInt64) = (0, 0)
    var causes: [UInt64: Int] = [:]
    while true {
      let isLast = isDone.load(ordering: .acquiring) == 4
      let answer = trace.events(from: next, recordingFor: .seconds(60))
      next = answer.next
      read += UInt64(answer.events.count)
      lost += answer.lost
      for event in answer.events { causes[event.cause, default: 0] += 1 }
      if isLast, answer.events.isEmpty { break }
    }
    // A send and a handler for each value.
    #expect(read + lost == next - first && next - first == 40_000)
    #expect(lost > 0 || causes.count == 20_000 && causes.values.allSatisfy { $0 == 2 })
    for work in waiting.works.withLock({ $0 }) { work() }
    bag.close()
  }
}
