import Probes
import SignalGraph
import Signals
import Testing

@Suite("The recorded graph")
struct RecordedGraphTests {
  private struct Failure: Error, CustomStringConvertible {
    var description: String { "out of paper" }
  }

  private let recorder = GraphRecorder()

  @Test("a chain is a line from its source to its subscriber, and counts what passes")
  func chain() {
    recorder.record {
      let numbers = Emitter<Int>()
      let subscription = numbers.signal.map { $0 + 1 }.filter { $0 > 2 }.subscribe { _ in }
      for number in 1...3 { numbers.send(number) }
      let snapshot = recorder.snapshot()
      #expect(snapshot.states == ["subscribe live 2", "filter live 2", "map live 3", "emitter live 3"])
      #expect(snapshot.connections == ["filter > subscribe", "map > filter", "emitter > map"])
      #expect(recorder.snapshot().nodes.map(\.id) == snapshot.nodes.map(\.id))
      #expect(recorder.snapshot().definitions == snapshot.definitions)
      withExtendedLifetime((numbers, subscription)) {}
    }
  }

  @Test("inputs of an operator are told apart")
  func inputs() {
    recorder.record {
      let left = Emitter<Int>()
      let right = Emitter<Int>()
      let scheduler = VirtualTimeScheduler()
      let subscription = left.signal.map { $0 }.merge(with: right.signal)
        .prefix(untilOutputFrom: right.signal).flatMap { _ in right.signal.map { $0 } }.delay(for: .zero, on: scheduler)
        .subscribe { _ in }
      left.send(1)
      #expect(
        Set(recorder.snapshot().connections) == [
          "delay > subscribe", "flatMap hop> delay", "prefix(untilOutputFrom:) > flatMap", "map inner> flatMap",
          "emitter trigger> prefix(untilOutputFrom:)", "merge > prefix(untilOutputFrom:)", "map > merge",
          "emitter > merge", "emitter > map",
        ])
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("a shared signal has one node above which its own chain stands")
  func shared() {
    recorder.record {
      let numbers = Emitter<Int>()
      let shared = numbers.signal.map { $0 }.share()
      let subscriptions = (0..<2).map { _ in shared.subscribe { _ in } }
      numbers.send(1)
      let snapshot = recorder.snapshot()
      #expect(
        snapshot.states == [
          "subscribe live 1", "share live 1", "map live 1", "emitter live 1", "subscribe live 1",
        ])
      #expect(snapshot.connections == ["share > subscribe", "map > share", "emitter > map", "share > subscribe"])
      withExtendedLifetime(subscriptions) {}
    }
  }

  @Test("the regular end, a failure and disposal are told apart")
  func ends() {
    recorder.record {
      let finishing = Emitter<Int>()
      let failing = Emitter<Int>()
      let living = Emitter<Int>()
      let subscriptions = [finishing, failing, living].map { $0.signal.map { $0 }.subscribe(onFailure: { _ in }) }
      finishing.finish()
      failing.fail(Failure())
      subscriptions[2].dispose()
      let snapshot = recorder.snapshot()
      #expect(
        snapshot.states == [
          "subscribe finished 0", "map finished 0", "emitter finished 0", "subscribe failed 0", "map failed 0",
          "emitter failed 0", "subscribe disposed 0", "map disposed 0", "emitter live 0",
        ])
      #expect(
        snapshot.nodes.map(\.failure) == [nil, nil, nil] + .init(repeating: "out of paper", count: 3) + [nil, nil, nil])
      #expect(recorder.retainedNodes == [])
      withExtendedLifetime(living) {}
    }
  }

  @Test("values that wait are shown at their source, and counted by it")
  func waiting() {
    recorder.record {
      let numbers = Emitter<Int>()
      let latest = Property(0)
      let counts = Box<[Int]>([])
      let seen = Box<[UInt64?]>([])
      let subscriptions = [numbers.signal.map { $0 }, latest.changes.map { $0 }].map { signal in
        signal.subscribe { [recorder] value in
          guard value == 1 else { return }
          for value in 2...4 { numbers.send(value) }
          for value in 2...6 { latest.value = value }
          counts.withLock { $0 = [numbers.waitingCount, latest.waitingCount] }
          let snapshot = recorder.snapshot()
          seen.withLock { $0 = [snapshot.node("emitter")?.waiting, snapshot.node("property")?.waiting] }
        }
      }
      numbers.send(1)
      #expect(counts.value == [3, 0] && seen.value == [3, nil])
      latest.value = 1
      #expect(counts.value == [0, 5] && seen.value == [nil, 5])
      #expect(numbers.waitingCount == 0 && latest.waitingCount == 0)
      #expect(recorder.snapshot().nodes.allSatisfy { $0.waiting == nil })
      withExtendedLifetime(subscriptions) {}
    }
  }

  @Test("an error that a closure throws ends what is below it; what is above is cut off")
  func thrown() {
    recorder.record {
      let numbers = Emitter<Int>()
      let signal = numbers.signal.map { $0 }.handle(onValue: { _ in throw Failure() }, onFinish: {}).filter { _ in true
      }
      let subscription = signal.subscribe(onFailure: { _ in })
      numbers.send(1)
      #expect(
        recorder.snapshot().states == [
          "subscribe failed 0", "filter failed 0", "handle failed 0", "map disposed 1", "emitter live 1",
        ])
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("names go to the operator that they are called on")
  func names() {
    recorder.record {
      let numbers = Emitter<Int>()
      let signal = numbers.signal.named("numbers").map { $0 }.named("inner").named("outer").filter { _ in true }
      let subscription = signal.subscribe { _ in }
      let snapshot = recorder.snapshot()
      #expect(snapshot.nodes.map(\.name) == [nil, nil, "outer", "numbers"])
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("a source gets the first name that one of its subscriptions gives it")
  func sourceNames() {
    recorder.record {
      let numbers = Emitter<Int>()
      let unnamed = numbers.signal.subscribe { _ in }
      #expect(recorder.snapshot().nodes.map(\.name) == [nil, nil])
      let named = [numbers.signal.named("first").subscribe { _ in }, numbers.signal.named("later").subscribe { _ in }]
      #expect(recorder.snapshot().nodes.compactMap(\.name) == ["first"])
      withExtendedLifetime((unnamed, named)) {}
    }
  }

  @Test("what outlives its scope is a leak, and what outlives its owner is ended")
  func leaked() {
    final class Screen: Sendable {}
    recorder.record {
      let numbers = Emitter<Int>()
      var screen: Screen? = Screen()
      if let screen { numbers.signal.map { $0 }.subscribe(with: screen) { _, _ in } }
      let scope = GraphScope("search")
      let subscription = scope.run { numbers.signal.filter { _ in true }.subscribe { _ in } }
      #expect(recorder.snapshot().nodes.map(\.owner) == ["Screen", "Screen", nil, "search", "search"])
      #expect(recorder.snapshot().nodes.flatMap { $0.findings } == [])
      screen = nil
      scope.end()
      #expect(recorder.snapshot().nodes.map { $0.findings == [.leaked] } == [false, false, false, true, true])
      #expect(recorder.snapshot().nodes.map(\.state) == [.disposed, .disposed, .live, .live, .live])
      numbers.send(1)
      subscription.dispose()
      #expect(recorder.snapshot().nodes.flatMap { $0.findings } == [])
    }
  }

  @Test("what withLatest takes values from is sampled; what only ends a signal is a trigger")
  func triggers() {
    recorder.record {
      let (numbers, supply, end) = (Emitter<Int>(), Property(0), Emitter<Void>())
      let subscription = numbers.signal.withLatest(from: supply.signal).prefix(untilOutputFrom: end.signal).subscribe {
        _ in
      }
      let connections = Set(recorder.snapshot().connections)
      #expect(connections.contains("emitter > withLatest(from:)"), "\(connections)")
      #expect(connections.contains("property sampled> withLatest(from:)"), "\(connections)")
      #expect(connections.contains("emitter trigger> prefix(untilOutputFrom:)"), "\(connections)")
      subscription.dispose()
    }
  }

  @Test("a source of another recorder is shown where it delivers to")
  func otherRecorder() {
    let other = GraphRecorder()
    let numbers = other.record { Emitter<Int>() }
    recorder.record {
      let subscription = numbers.signal.subscribe { _ in }
      #expect(recorder.snapshot().connections == ["emitter > subscribe"])
      #expect(other.snapshot().states == ["emitter live 0"])
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("one node can be asked for, while it lives and for a while after")
  func oneNode() throws {
    try recorder.record {
      let numbers = Emitter<Int>()
      let subscription = numbers.signal.map { $0 }.subscribe { _ in }
      let map = try #require(recorder.snapshot().node("map"))
      numbers.send(1)
      #expect(recorder.node(map.id)?.valueCount == 1)
      #expect(recorder.node(map.id)?.state == .live)
      subscription.dispose()
      #expect(recorder.node(map.id)?.state == .disposed)
      #expect(recorder.node(.max) == nil)
    }
  }
}
