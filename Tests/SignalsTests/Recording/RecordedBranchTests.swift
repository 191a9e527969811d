import Probes
import SignalGraph
import SignalRecording
import Signals
import Testing

/// Windows and groups in the graph.
@Suite("Branches in the graph")
struct RecordedBranchTests {
  private let recorder = GraphRecorder()

  @Test("a window that somebody has subscribed to is a node below its operator, and what is above that is there once")
  func windows() {
    recorder.record {
      let numbers = Emitter<Int>()
      let bag = DisposeBag()
      numbers.signal.map { $0 }.window(2).flatMap { $0 }.subscribe { _ in }.store(in: bag)
      for number in 1...3 { numbers.send(number) }
      let snapshot = recorder.snapshot()
      #expect(
        snapshot.states == [
          "subscribe live 3", "flatMap live 3", "window live 2", "map live 3", "window finished 2", "emitter live 3",
          "window live 1",
        ])
      #expect(
        snapshot.connections == [
          "flatMap > subscribe", "window > flatMap", "map > window", "emitter > map", "window inner> flatMap",
          "window inner> flatMap", "window > window", "window > window",
        ])
      bag.disposeAll()
      #expect(recorder.retainedNodes == [])
    }
  }

  @Test("groups have the names of their keys; a name that the program gives goes before")
  func groups() {
    recorder.record {
      let numbers = Emitter<Int>()
      let bag = DisposeBag()
      numbers.signal.grouped { $0 % 2 }.subscribe { group in
        let signal = group.key == 0 ? group.signal.named("even") : group.signal
        signal.subscribe { _ in }.store(in: bag)
      }.store(in: bag)
      for number in 1...3 { numbers.send(number) }
      let snapshot = recorder.snapshot()
      let groups = snapshot.nodes.filter { $0.name != nil }
      #expect(groups.map(\.name) == ["1", "even"])
      #expect(groups.map(\.valueCount) == [2, 1])
    }
  }

  @Test("a window is recorded where its operator's source is, on whatever thread it is opened")
  func otherThread() {
    recorder.record {
      let numbers = Emitter<Int>()
      onThreads({
        let bag = DisposeBag()
        numbers.signal.window(1).flatMap { $0 }.subscribe { _ in }.store(in: bag)
        numbers.send(1)
        bag.disposeAll()
      })
      let windows = recorder.snapshot().states.filter { $0.hasPrefix("window") }
      #expect(windows == ["window disposed 2", "window finished 1", "window disposed 0"])
    }
  }
}
