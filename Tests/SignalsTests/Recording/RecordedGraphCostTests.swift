import Foundation
import Probes
import SignalGraph
import Synchronization
import Testing

@testable import SignalRecording
@testable import Signals

@Suite("What the recorded graph costs")
struct RecordedGraphCostTests {
  @Test("only the latest ended nodes are kept, also when their subscriptions are")
  func ring() {
    let recorder = GraphRecorder(endedLimit: 10)
    recorder.record {
      let numbers = Emitter<Int>()
      let kept = (0..<1_000).map { _ in numbers.signal.map { $0 }.subscribe { _ in } }
      for subscription in kept { subscription.dispose() }
      #expect(recorder.snapshot().nodes.count == 11)
      numbers.finish()
      #expect(recorder.snapshot().nodes.count <= 11)
    }
  }

  @Test("of the latest chain everything is kept, and with a limit of 0 nothing", arguments: [(1, 3), (0, 1)])
  func smallRing(limit: Int, count: Int) {
    let recorder = GraphRecorder(endedLimit: limit)
    recorder.record {
      let numbers = Emitter<Int>()
      for _ in 0..<3 { numbers.signal.map { $0 }.subscribe { _ in }.dispose() }
      #expect(recorder.snapshot().nodes.count == count)
      withExtendedLifetime(numbers) {}
    }
  }

  @Test("a recorder that was closed keeps nothing and does not mind what is still alive")
  func closed() {
    let recorder = GraphRecorder()
    recorder.record {
      let numbers = Emitter<Int>()
      let before = numbers.signal.map { $0 }.subscribe { _ in }
      recorder.close()
      let after = numbers.signal.map { $0 }.subscribe { _ in }
      numbers.send(1)
      before.dispose()
      after.dispose()
      numbers.finish()
      #expect(recorder.snapshot().nodes.isEmpty)
    }
  }

  @Test("a recorder that was closed and is opened again records what comes, and not what was there before")
  func reopened() {
    let recorder = GraphRecorder()
    recorder.record {
      let numbers = Emitter<Int>()
      let before = numbers.signal.map { $0 }.subscribe { _ in }
      recorder.close()
      recorder.reopen()
      let after = numbers.signal.map { $0 }.subscribe { _ in }
      before.dispose()
      #expect(recorder.snapshot().nodes.map(\.state) == [.live, .live, .live])
      after.dispose()
      numbers.finish()
      #expect(recorder.snapshot().nodes.map(\.state) == [.finished, .disposed, .disposed])
    }
  }

  @Test("ten thousand operators in one chain")
  func long() {
    let recorder = GraphRecorder()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      recorder.record {
        let numbers = Emitter<Int>()
        var signal = numbers.signal
        // One that the library does not fuse with its neighbours.
        for _ in 0..<10_000 { signal = signal.scan(0) { _, value in value } }
        let subscription = signal.subscribe { _ in }
        numbers.send(1)
        let snapshot = recorder.snapshot()
        #expect(snapshot.nodes.count == 10_002)
        #expect(snapshot.nodes.allSatisfy { $0.valueCount == 1 })
        #expect(Set(snapshot.nodes.map(\.id)).count == 10_002)
        // Each node is connected to the one below it, and the emitter to the uppermost.
        #expect(snapshot.edges.map(\.target) == snapshot.nodes.dropLast().map(\.id))
        #expect(snapshot.edges.map(\.source) == snapshot.nodes.dropFirst().map(\.id))
        subscription.dispose()
      }
      done.signal()
    }
    // A chain of closures that call each other needs a deep stack in a debug build.
    thread.stackSize = 512 << 20
    thread.start()
    done.wait()
  }

  @Test("operators that one closure stands for are nodes of their own")
  func fused() {
    let recorder = GraphRecorder()
    recorder.record {
      let numbers = Emitter<Int>()
      let signal = numbers.signal.map { $0 }.filter { $0 > 0 }.compactMap { $0 < 2 ? nil : $0 }
      let subscription = signal.named("last").removeDuplicates().subscribe { _ in }
      for value in 0..<3 { numbers.send(value) }
      let snapshot = recorder.snapshot()
      #expect(
        snapshot.states == [
          "subscribe live 1", "removeDuplicates live 1", "compactMap live 1", "filter live 2", "map live 3",
          "emitter live 3",
        ])
      #expect(
        snapshot.connections == [
          "removeDuplicates > subscribe", "compactMap > removeDuplicates", "filter > compactMap", "map > filter",
          "emitter > map",
        ])
      #expect(snapshot.node("compactMap")?.name == "last")
      #expect(recorder.retainedNodes.count == 5)
      numbers.finish()
      #expect(recorder.snapshot().nodes.allSatisfy { $0.state == .finished })
      #expect(recorder.retainedNodes == [])
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("a snapshot takes time in proportion to the number of nodes")
  func linear() {
    func leastTime(_ count: Int) -> Double {
      let recorder = GraphRecorder()
      return recorder.record {
        let numbers = Emitter<Int>()
        let kept = (0..<count).map { _ in numbers.signal.map { $0 }.subscribe { _ in } }
        defer { withExtendedLifetime(kept) {} }
        return (0..<3).map { _ in
          let start = processorTime()
          #expect(recorder.snapshot().nodes.count == count * 2 + 1)
          return processorTime() - start
        }.min() ?? 0
      }
    }
    // Twenty times as much work; quadratic cost would show as four hundred times.
    #expect(leastTime(20_000) < leastTime(1_000) * 100)
  }

  @Test("a source that is connected while a snapshot is taken gives no edge from a node that is not in it")
  func connectedMeanwhile() {
    let recorder = GraphRecorder()
    recorder.record {
      let numbers = Emitter<Int>()
      let snapshots = Synchronization.Mutex<[GraphSnapshot]>([])
      let late = Signal<Int>(Site("late", fileID: #fileID, line: #line, function: #function)) {
        observer, subscription in
        let members = recorder.keepMembers()
        defer { members.letGo() }
        let graph = MemberGraph(members.chains, members.sources, reachingDown: false)
        numbers.signal.connect(observer, subscription)
        let snapshot = recorder.snapshot(graph)
        snapshots.withLock { $0 = [snapshot, recorder.snapshot()] }
      }
      let subscription = late.subscribe { _ in }
      let taken = snapshots.withLock { $0 }
      #expect(taken.map(\.nodes.count) == [2, 3])
      #expect(taken.map(\.edges.count) == [1, 2])
      for snapshot in taken {
        let identifiers = Set(snapshot.nodes.map(\.id))
        #expect(snapshot.edges.allSatisfy { identifiers.contains($0.source) && identifiers.contains($0.target) })
      }
      withExtendedLifetime((numbers, subscription)) {}
    }
  }

  @Test("what a subscriber of joined operators got is what the last of them gave, wherever it subscribes")
  func joinedSubscribers() {
    let recorder = GraphRecorder()
    recorder.record {
      let numbers = Emitter<Int>()
      let signal = numbers.signal.map { $0 }.filter { $0 > 1 }
      let subscriptions = [
        signal.subscribe(line: 1) { _ in }, signal.subscribe(line: 2) { _ in }, signal.subscribe(line: 1) { _ in },
        signal.merge(with: signal).subscribe(line: 3) { _ in },
      ]
      for number in 1...3 { numbers.send(number) }
      let snapshot = recorder.snapshot()
      let kinds = Dictionary(uniqueKeysWithValues: snapshot.definitions.map { ($0.id, $0) })
      let subscribers = snapshot.nodes.filter { kinds[$0.definition]?.kind == "subscribe" }
      #expect(subscribers.map { kinds[$0.definition]?.line } == [1, 2, 1, 3])
      #expect(subscribers.map(\.valueCount) == [2, 2, 2, 4])
      #expect(snapshot.nodes.filter { kinds[$0.definition]?.kind == "filter" }.map(\.valueCount) == [2, 2, 2, 2, 2])
      #expect(snapshot.nodes.filter { kinds[$0.definition]?.kind == "map" }.map(\.valueCount) == [3, 3, 3, 3, 3])
      withExtendedLifetime((numbers, subscriptions)) {}
    }
  }

  @Test("snapshots are whole while other threads subscribe, send and dispose")
  func threads() {
    let recorder = GraphRecorder(endedLimit: 50)
    recorder.record {
      let numbers = Emitter<Int>()
      let isOver = Atomic<Bool>(false)
      let workers = 3
      let done = DispatchSemaphore(value: 0)
      for worker in 0..<workers {
        Thread.detachNewThread {
          for round in 0..<500 {
            let inner = numbers.signal.filter { _ in true }
            let signal = numbers.signal.map { $0 }.named("worker \(worker)").flatMapLatest { _ in inner }
            let subscription = signal.merge(with: .just(1)).subscribe { _ in }
            numbers.send(round)
            if round % 2 == 0 { subscription.dispose() }
          }
          done.signal()
        }
      }
      Thread.detachNewThread {
        for _ in 0..<workers { done.wait() }
        isOver.store(true, ordering: .releasing)
      }
      while !isOver.load(ordering: .acquiring) {
        let snapshot = recorder.snapshot()
        let identifiers = Set(snapshot.nodes.map(\.id))
        #expect(identifiers.count == snapshot.nodes.count)
        #expect(snapshot.edges.allSatisfy { identifiers.contains($0.source) && identifiers.contains($0.target) })
      }
      #expect(recorder.retainedNodes == [])
      #expect(recorder.snapshot().nodes.count <= 51)
    }
  }
}
