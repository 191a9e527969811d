import Foundation
import Probes
import SignalGraph
import SignalRecording
import Signals
import Synchronization
import Testing

/// Chains come and go on two threads while a third opens and closes what records them, and looks. The sanitizers watch these.
@Suite("Races over the recorded graph", .serialized)
struct RecorderRaceTests {
  /// Lets two threads subscribe, send and dispose, and a third do something else, until the two are done.
  private func churn(_ rounds: Int, meanwhile body: @escaping @Sendable () -> Void) {
    let life = LifeCount()
    let numbers = Emitter<Int>()
    let latest = Property(0)
    let scope = GraphScope("screen")
    // Threads do not know it by themselves.
    let recorder = GraphRecorder.current
    let busy = Atomic<Int>(2)
    let work: @Sendable () -> Void = {
      for round in 0..<rounds {
        let token = life.token()
        let inner = latest.signal.filter { _ in true }
        let signal = numbers.signal.map { $0 + 1 }.named("round").flatMapLatest { _ in inner }.share()
        let subscriptions = scope.run {
          (0..<2).map { _ in signal.merge(with: latest.changes).scan(0, +).subscribe { _ in token.touch() } }
        }
        let own = recorder.map { $0.record { Emitter<Int>() } } ?? Emitter<Int>()
        let ending = own.signal.filter { $0 > 0 }.combineLatest(numbers.signal).subscribe { _ in token.touch() }
        numbers.send(round)
        latest.value = round
        own.send(1)
        if round % 3 == 0 { own.fail(Failure(number: round)) } else { own.finish() }
        subscriptions[0].dispose()
        ending.dispose()
      }
      busy.subtract(1, ordering: .acquiringAndReleasing)
    }
    onThreads(
      work, work,
      {
        while busy.load(ordering: .acquiring) > 0 { body() }
      })
    #expect(faults.entries.isEmpty)
    #expect(life.alive == 0)
    #expect(numbers.subscriberCount == 0)
  }

  /// What was wrong with snapshots; the threads of a test do not tell which test they belong to.
  private let faults = Journal<String>()

  /// Checks that a snapshot hangs together: that all is there, once, that something refers to.
  private func check(_ snapshot: GraphSnapshot) {
    do { try snapshot.validate() } catch { faults.append("\(error)") }
    for node in snapshot.nodes where (node.state == .failed) != (node.failure != nil) {
      faults.append("a failed node without a reason, or the other way round: \(node)")
    }
  }

  @Test("a recorder that is closed and opened again", arguments: [0, 1, 40])
  func toggled(limit: Int) {
    let recorder = GraphRecorder(endedLimit: limit)
    recorder.record {
      let recorded = recorder
      churn(400) {
        check(recorded.snapshot())
        recorded.close()
        _ = recorded.chainNodes()
        recorded.reopen()
        check(recorded.snapshot())
        _ = recorded.retainedNodes
      }
    }
    #expect(recorder.retainedNodes == [])
    // The two sources that all threads use are freed with the threads, which may be a little later.
    let shared = ["emitter", "property"]
    #expect(recorder.snapshot().states.filter { $0.contains(" live ") && !shared.contains(where: $0.hasPrefix) } == [])
  }

  @Test("a snapshot that is taken while the recorder is closed and opened again")
  func looked() {
    let recorder = GraphRecorder()
    let numbers = recorder.record { Emitter<Int>() }
    for round in 0..<100 {
      let subscriptions = recorder.record {
        (0..<200).map { _ in numbers.signal.map { $0 }.filter { _ in true }.scan(0, +).subscribe { _ in } }
      }
      let isTaken = Box(false)
      onThreads {
        check(recorder.snapshot())
        isTaken.value = true
      } _: {
        for _ in 0..<round * 50 { _ = numbers.subscriberCount }
        while !isTaken.value {
          recorder.close()
          recorder.reopen()
          recorder.record { numbers.signal.removeDuplicates().subscribe { _ in }.dispose() }
        }
        check(recorder.snapshot())
      }
      withExtendedLifetime(subscriptions) {}
    }
    #expect(faults.entries.isEmpty)
  }

  @Test("the process's recorder that is turned on and off")
  func switched() {
    defer { Introspection.disable() }
    churn(400) {
      check(Introspection.enable().snapshot())
      Introspection.disable()
      if let recorder = Introspection.recorder { check(recorder.snapshot()) }
    }
  }

  @Test("what causes values is traced, and not any more, while chains come and go")
  func traced() {
    let recorder = GraphRecorder(endedLimit: 40)
    recorder.record {
      let recorded = recorder
      churn(400) {
        recorded.traceHandlers(true)
        check(recorded.snapshot())
        recorded.traceHandlers(false)
      }
    }
    #expect(recorder.snapshot().nodes.allSatisfy { $0.causes == nil })
  }

  @Test("the process's recorder that is turned off while it traces")
  func tracedAndSwitched() {
    defer { Introspection.disable() }
    churn(400) {
      let recorder = Introspection.enable()
      recorder.traceHandlers(true)
      check(recorder.snapshot())
      Introspection.disable()
    }
  }

  @Test("each of two values that meet at a join keeps its cause")
  func causesOfValuesThatMeet() {
    let recorder = GraphRecorder()
    // The emitters too: elsewhere the process's recorder would record them, if another test has enabled it.
    let (first, second, subscription) = recorder.record {
      let (first, second) = (Emitter<Int>(), Emitter<Int>())
      let both = first.signal.map { $0 }.merge(with: second.signal).receive(on: .immediate).named("end")
      return (first, second, both.subscribe { _ in })
    }
    recorder.traceHandlers(true)
    for value in 0..<500 {
      onThreads {
        first.send(value)
      } _: {
        second.send(value)
      }
      let nodes = recorder.snapshot().nodes
      let sent = nodes.filter { node in recorder.snapshot().edges.allSatisfy { $0.target != node.id } }
      let came = nodes.first { $0.name == "end" }?.causes?.suffix(2).map(\.number) ?? []
      #expect(Set(came) == Set(sent.compactMap { $0.causes?.last?.number }))
    }
    subscription.dispose()
  }

  @Test("tracing that begins while a property is written")
  func tracingOfABusyProperty() {
    let recorder = GraphRecorder()
    // Made here, or it would belong to the process's recorder if another test has switched that on.
    let (property, subscription) = recorder.record {
      let property = Property(0)
      return (property, property.signal.subscribe { _ in })
    }
    let isOver = Atomic<Bool>(false)
    let lost = Box<Int>(0)
    let written = Atomic<Int>(0)
    onThreads {
      while !isOver.load(ordering: .acquiring) {
        property.value &+= 1
        written.add(1, ordering: .releasing)
      }
    } _: {
      for _ in 0..<1_000 {
        recorder.traceHandlers(true)
        // Of two values that are counted from here on, the second was written while tracing was on.
        let enough = written.load(ordering: .acquiring) + 2
        while written.load(ordering: .acquiring) < enough { sched_yield() }
        let snapshot = recorder.snapshot()
        let source = snapshot.nodes.first { node in snapshot.edges.allSatisfy { $0.target != node.id } }
        if source?.causes?.isEmpty != false { lost.withLock { $0 += 1 } }
        recorder.traceHandlers(false)
      }
      isOver.store(true, ordering: .releasing)
    }
    #expect(lost.value == 0)
    subscription.dispose()
  }

  @Test("recorders that come and go while chains of theirs are connected and disposed on other threads")
  func dropped() {
    let numbers = Emitter<Int>()
    let shared = numbers.signal.map { $0 }.share()
    for _ in 0..<150 {
      let kept = Box<GraphRecorder?>(GraphRecorder(endedLimit: 8))
      let signal = kept.value?.record { Signal<Int>.just(1).merge(with: shared).flatMap { _ in shared } }
      let subscriptions = Box<[Subscription]>([])
      onThreads {
        for _ in 0..<20 {
          let recorder = kept.value
          let subscription = recorder?.record { shared.flatMap { _ in shared.map { $0 } }.subscribe { _ in } }
          if let subscription { subscriptions.withLock { $0.append(subscription) } }
        }
      } _: {
        for value in 0..<20 {
          if let signal { subscriptions.withLock { $0.append(signal.subscribe { _ in }) } }
          numbers.send(value)
          _ = kept.value?.snapshot()
        }
      } _: {
        for _ in 0..<10 {
          subscriptions.value = []
          kept.value = nil
        }
      }
      subscriptions.value = []
    }
    #expect(numbers.subscriberCount == 0)
  }

  @Test("values that wait are counted while they come, are delivered, and subscribers throw", arguments: [0, 1])
  func waiting(replay: Int) {
    let recorder = GraphRecorder(endedLimit: 4)
    recorder.record {
      for _ in 0..<20 {
        let numbers = Emitter<Int>(replay: replay)
        let received = Box(0)
        let subscription = numbers.signal.map { $0 }.subscribe { _ in received.withLock { $0 += 1 } }
        let busy = Atomic<Int>(2)
        let recorded = recorder
        let send: @Sendable () -> Void = {
          for value in 0..<200 {
            numbers.signal.handle(onValue: { _ in throw Failure() }).subscribe { _ in }.retained()
            numbers.send(value)
          }
          busy.subtract(1, ordering: .acquiringAndReleasing)
        }
        onThreads(
          send, send,
          {
            while busy.load(ordering: .acquiring) > 0 {
              check(recorded.snapshot())
              if numbers.waitingCount > 400 { faults.append("more values wait than were sent") }
            }
          })
        #expect(received.value == 400)
        #expect(numbers.waitingCount == 0)
        withExtendedLifetime(subscription) {}
      }
    }
    #expect(faults.entries.isEmpty)
  }

  private final class Screen: Sendable {}

  @Test("owners and their bags come and go while somebody looks")
  func owners() {
    let recorder = GraphRecorder()
    let numbers = recorder.record { Emitter<Int>() }
    let life = LifeCount()
    let busy = Atomic<Int>(2)
    let work: @Sendable () -> Void = {
      for round in 0..<1_500 {
        recorder.record {
          let token = life.token()
          let (screen, next) = (Screen(), Screen())
          let bags = [DisposeBag(owner: screen), DisposeBag(owner: screen), DisposeBag(owner: next)]
          numbers.signal.map { $0 + 1 }.subscribe(with: screen) { _, _ in token.touch() }
          for bag in bags { numbers.signal.subscribe { _ in token.touch() }.store(in: bag) }
          numbers.signal.subscribe(with: next, in: bags[0]) { _, _ in token.touch() }
          if round % 5 == 0 { numbers.send(round) }
          if round % 2 == 0 { bags[1].disposeAll() }
          withExtendedLifetime((screen, next)) {}
        }
      }
      busy.subtract(1, ordering: .acquiringAndReleasing)
    }
    onThreads(
      work, work,
      {
        while busy.load(ordering: .acquiring) > 0 {
          let snapshot = recorder.snapshot()
          self.check(snapshot)
          for node in snapshot.nodes where (node.owner == nil) != (node.ownerID == nil) {
            self.faults.append("an owner without a number, or the other way round: \(node)")
          }
        }
      })
    #expect(faults.entries.isEmpty)
    #expect(numbers.subscriberCount == 0)
    #expect(life.alive == 0)
  }

  /// Objects that follow each other in the same memory, whose identities outlive them and go on other threads.
  @Test("identities of owners go while others come in their place")
  func identities() {
    let kept = Box([OwnerIdentity?](repeating: nil, count: 8))
    onThreads(4) { thread in
      for round in 0..<20_000 {
        let screen = Screen()
        let identity = OwnerIdentity.of(screen)
        #expect(OwnerIdentity.of(screen) === identity)
        var other: OwnerIdentity? = identity
        kept.withLock { swap(&$0[(round + thread) % 8], &other) }
      }
    }
  }
}
