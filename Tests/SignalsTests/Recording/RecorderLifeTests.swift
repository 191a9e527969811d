import Probes
import SignalGraph
import Synchronization
import Testing

@testable import SignalRecording
@testable import Signals

/// What a recorder lists, and how long it lives.
@Suite("How long the recorded graph lives")
struct RecorderLifeTests {
  private struct Complaint: Error, CustomStringConvertible {
    let describe: @Sendable () -> Void

    var description: String {
      describe()
      return "out of paper"
    }
  }

  @Test("a source that is freed while it is read is freed by whoever let go of it, and not under a lock")
  func freedWhileRead() {
    let faults = Journal<String>()
    let recorder = GraphRecorder(endedLimit: 1)
    recorder.record {
      let node = Box<SourceNode?>(nil)
      let isOver = Atomic<Bool>(false)
      onThreads {
        recorder.record {
          for value in 0..<20_000 {
            let numbers = Emitter<Int>()
            numbers.signal.subscribe { _ in }.dispose()
            numbers.send(value)
            node.value = numbers.core.recording.graphNode
          }
        }
        isOver.store(true, ordering: .releasing)
      } _: {
        while !isOver.load(ordering: .acquiring) {
          guard let node = node.value else { continue }
          for _ in 0..<20 { if node.reading.valueCount > 1 { faults.append("a count of something else") } }
        }
      }
      #expect(node.value?.reading.valueCount == 1)
      #expect(node.value?.reading.state == .finished)
    }
    #expect(faults.entries.isEmpty)
  }

  @Test("a source that had ended before somebody subscribed is shown as ended, and is not listed for ever")
  func endedBefore() {
    let recorder = GraphRecorder(endedLimit: 2)
    recorder.record {
      let sources = (0..<10).map { _ in Emitter<Int>() }
      for source in sources {
        source.finish()
        source.signal.subscribe { _ in }.dispose()
      }
      #expect(recorder.snapshot().states == ["subscribe finished 0", "emitter finished 0"])
      withExtendedLifetime(sources) {}
    }
  }

  @Test("a source that ends while the first one subscribes is shown as ended, and is not listed for ever")
  func endRacesTheFirst() {
    let recorder = GraphRecorder(endedLimit: 2)
    recorder.record {
      let sources = (0..<3_000).map { _ in Emitter<Int>() }
      meeting(sources.count) { round in
        sources[round].finish()
      } _: { round in
        sources[round].signal.subscribe { _ in }.dispose()
      }
      #expect(recorder.snapshot().nodes.count { $0.state == .live } == 0)
      #expect(recorder.snapshot().nodes.count <= 2)
      withExtendedLifetime(sources) {}
    }
  }

  @Test("a source that ended before it was listed goes to the ended ones, once")
  func endedBeforeListed() throws {
    let recorder = GraphRecorder()
    try recorder.record {
      let numbers = Emitter<Int>()
      numbers.signal.subscribe { _ in }.dispose()
      let shown = numbers.core.recording.graphNode
      let node = try #require(shown)
      // Takes it out of the list, so that its end does not find it there.
      recorder.close()
      recorder.reopen()
      numbers.finish()
      recorder.begin(node)
      let listed = recorder.state.withLock(\.sources.count)
      // By whoever ended it, if that comes a little later.
      recorder.retire(node)
      #expect(listed == 0)
      #expect(recorder.state.withLock { ($0.sources.count, $0.ended.count, $0.endedNodeCount) } == (0, 1, 1))
      #expect(recorder.snapshot().states == ["emitter finished 0"])
    }
  }

  @Test("a recorder that nobody holds any more is freed with all that it kept", arguments: [1, 256])
  func freed(limit: Int) {
    weak var weakRecorder: GraphRecorder?
    weak var weakScope: GraphScope?
    do {
      let recorder = GraphRecorder(endedLimit: limit)
      let scope = GraphScope("screen")
      weakRecorder = recorder
      weakScope = scope
      recorder.record {
        let numbers = Emitter<Int>()
        let signal = numbers.signal.map { $0 }.scan(0, +).named("sum").flatMap { .just($0).merge(with: numbers.signal) }
        scope.run {
          for _ in 0..<3 {
            signal.share().subscribe { _ in }.dispose()
            signal.subscribe { _ in }.retained()
          }
        }
        numbers.send(1)
        numbers.fail(Failure())
      }
      #expect(!recorder.snapshot().nodes.isEmpty)
    }
    #expect(weakRecorder == nil)
    #expect(weakScope == nil)
  }

  @Test("chains and sources may live longer than their recorder")
  func outlived() {
    weak var weakRecorder: GraphRecorder?
    let life = LifeCount()
    let numbers = Emitter<Int>()
    let log = EventLog<Int>()
    var subscription: Subscription?
    do {
      let recorder = GraphRecorder()
      weakRecorder = recorder
      recorder.record {
        let token = life.token()
        let signal = numbers.signal.map { $0 }.flatMap { value in
          token.touch()
          return numbers.signal.map { $0 * value }.prefix(1)
        }
        subscription = signal.log(to: log)
        numbers.send(1)
      }
    }
    #expect(weakRecorder == nil)
    for value in 2...4 { numbers.send(value) }
    #expect(log.values == [2, 6, 12])
    subscription?.dispose()
    subscription = nil
    #expect(life.alive == 0)
    numbers.finish()
  }

  @Test("a place in the code keeps its number when a recorder is closed and opened again")
  func definitions() {
    let recorder = GraphRecorder()
    func numbers(of kinds: (Signal<Int>) -> Signal<Int>) -> [String: Int] {
      recorder.record {
        let numbers = Emitter<Int>(line: 1)
        let subscription = kinds(numbers.signal).subscribe(line: 2) { _ in }
        defer { withExtendedLifetime((numbers, subscription)) {} }
        let definitions = recorder.snapshot().definitions.map { ($0.kind, $0.id) }
        return Dictionary(definitions) { first, _ in first }
      }
    }
    let before = numbers { $0.map(line: 3) { $0 }.filter(line: 4) { _ in true } }
    recorder.close()
    recorder.reopen()
    let after = numbers { $0.filter(line: 4) { _ in true } }
    #expect(after.count >= 3)
    for (kind, number) in after { #expect(before[kind] == number, "\(kind)") }
  }

  @Test("a node that failed says why, whenever one looks")
  func failure() {
    let recorder = GraphRecorder()
    recorder.record {
      let numbers = Emitter<Int>()
      let subscription = numbers.signal.map { $0 }.subscribe { _ in }
      let seen = Box<[Node]>([])
      numbers.fail(Complaint { seen.withLock { $0 += recorder.snapshot().nodes } })
      #expect(seen.value.count >= 3)
      for node in seen.value { #expect((node.state == .failed) == (node.failure != nil)) }
      withExtendedLifetime(subscription) {}
    }
  }
}
