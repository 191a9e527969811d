import SignalTesting
import Signals
import Synchronization
import Testing

private struct Problem: Error {}

@Suite struct SignalProbeTests {
  @Test func movesVirtualTimeToTheNextEventOnly() throws {
    let scheduler = VirtualTimeScheduler()
    let probe = Signal.interval(every: .milliseconds(5), on: scheduler).prefix(3).probe(on: scheduler)
    #expect(try probe.next() == 0)
    #expect(scheduler.now.sinceOrigin == .milliseconds(5))
    try probe.expectNoEvents(for: .milliseconds(4))
    #expect(scheduler.now.sinceOrigin == .milliseconds(9))
    #expect(try probe.next() == 1)
    #expect(try probe.next() == 2)
    try probe.finish()
    #expect(scheduler.now.sinceOrigin == .milliseconds(15))
  }

  @Test func takesWhatHasComeAlready() throws {
    let emitter = Emitter<Int>()
    let probe = emitter.signal.probe()
    emitter.send(1)
    emitter.send(2)
    #expect(try probe.next() == 1)
    #expect(try probe.next() == 2)
    try probe.expectNoEvents()
    emitter.fail(Problem())
    #expect(try probe.failure() is Problem)
  }

  @Test func waitsForOtherThreads() async throws {
    let probe = Signal<Int>.async {
      await Task.yield()
      return 7
    }.probe()
    // As long as it takes: how long the threads of a busy machine let it wait is no matter of this test.
    #expect(try await probe.next(timeout: .seconds(3600)) == 7)
    try await probe.finish(timeout: .seconds(3600))
  }

  @Test func waitsInTheVirtualTimeOfATest() {
    let seen = Mutex<[Int]>([])
    marbles { m in
      let numbers = m.hot("-----1----2|", of: Int.self)
      m.expect(numbers.signal, "-----1----2|")
      let scheduler = m.scheduler
      m.task {
        let probe = numbers.signal.probe(on: scheduler)
        let one = try await probe.next()
        try await probe.expectNoEvents(for: .milliseconds(3))
        let two = try await probe.next()
        try await probe.finish()
        seen.withLock { $0 = [one, two] }
      }
    }
    #expect(seen.withLock { $0 } == [1, 2])
  }

  @Test func movesVirtualTimeInAnAsynchronousTestToo() async throws {
    let scheduler = VirtualTimeScheduler()
    let probe = Signal.timer(after: .seconds(60), on: scheduler).probe(on: scheduler)
    try await probe.expectNoEvents(for: .seconds(59))
    _ = try await probe.next()
    #expect(scheduler.now.sinceOrigin == .seconds(60))
    try await probe.finish()
  }

  @Test func anotherEventThanExpected() {
    do {
      let message = failure(offset: 2) {
        let probe = Signal<Int>.sequence([]).probe()
        _ = try? probe.next()
      }
      #expect(message == "expected a value, got the end")
    }
    do {
      let message = failure(offset: 2) {
        let probe = Signal.just(1).prefix(1).probe()
        try? probe.finish()
        probe.ignoreRest()
      }
      #expect(message == "expected the end, got the value 1")
    }
    do {
      let message = failure(offset: 2) {
        let probe = Signal<Int>.fail(Problem()).probe()
        try? probe.finish()
      }
      #expect(message == "expected the end, got the failure Problem()")
    }
    do {
      let message = failure(offset: 2) {
        let probe = Signal.sequence([1]).probe()
        _ = try? probe.failure()
        probe.ignoreRest()
      }
      #expect(message == "expected the failure, got the value 1")
    }
  }

  @Test func nothingComes() {
    let now = failure(offset: 2) {
      let probe = Signal<Int>.never().probe()
      _ = try? probe.next()
    }
    #expect(
      now == "expected a value, but nothing has arrived. If it arrives later, use await, or a scheduler: probe(on:).")
    let virtual = failure(offset: 3) {
      let scheduler = VirtualTimeScheduler()
      let probe = Signal<Int>.never().probe(on: scheduler)
      try? probe.finish()
    }
    #expect(virtual == "expected the end, but nothing arrives: no work is left")
    let late = failure(offset: 3) {
      let scheduler = VirtualTimeScheduler()
      let probe = Signal.timer(after: .seconds(9), on: scheduler).probe(on: scheduler)
      _ = try? probe.next(timeout: .seconds(2))
      #expect(scheduler.now.sinceOrigin == .seconds(2))
    }
    #expect(late == "expected a value, but nothing arrives: no remaining work is due before 2 s")
  }

  @Test func somethingComesThatShouldNot() {
    let message = failure(offset: 3) {
      let scheduler = VirtualTimeScheduler()
      let probe = Signal.interval(every: .milliseconds(2), on: scheduler).probe(on: scheduler)
      try? probe.expectNoEvents(for: .milliseconds(5))
    }
    #expect(message.contains("expected nothing for 5 ms, but 2 events arrived"), "\(message)")
    #expect(message.contains("received: \"--0-1\""), "\(message)")
  }

  @Test func whatNobodyLooksAt() {
    let message = failure(offset: 2) {
      let emitter = Emitter<Int>()
      let probe = emitter.signal.probe()
      emitter.send(1)
      emitter.finish()
      withExtendedLifetime(probe) {}
    }
    #expect(message.contains("2 events of this probe were not read"), "\(message)")
    #expect(message.contains("received: \"(1|)\""), "\(message)")
    let scoped = failure(offset: 1) {
      Signal<Int>.sequence([1, 2]).withProbe { probe in #expect((try? probe.next()) == 1) }
    }
    #expect(scoped.contains("received: \"(2|)\""), "\(scoped)")
  }

  @Test func whatMayBeLeft() {
    let emitter = Emitter<Int>()
    let probe = emitter.signal.probe()
    emitter.send(1)
    probe.ignoreRest()
    Signal.sequence([1, 2]).withProbe { $0.ignoreRest() }
  }

  @Test func unsubscribes() {
    let source = SourceProbe<Int>()
    do {
      let probe = source.signal.probe()
      #expect(source.activeCount == 1)
      probe.dispose()
      #expect(source.activeCount == 0)
    }
    source.signal.withProbe { _ in #expect(source.activeCount == 1) }
    source.expectDisposed()
    source.expectSubscribed(times: 2)
  }

  @Test func isCancelledWithItsTask() async {
    let task = Task {
      let probe = Signal<Int>.never().probe()
      _ = try await probe.next(timeout: .seconds(3600))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

@Suite struct SignalRecorderTests {
  @Test func notesEverything() throws {
    let emitter = Emitter<Int>()
    let recorder = emitter.signal.prepend(0).record()
    emitter.send(1)
    #expect(recorder.values == [0, 1])
    #expect(!recorder.hasEnded)
    emitter.fail(Problem())
    #expect(recorder.failure is Problem)
    #expect(recorder.hasEnded && !recorder.isFinished)
    #expect(recorder.times == [.zero, .zero, .zero])
    #expect(recorder.events.count == 3)
    #expect(recorder.diagram == "{0}(1#)")
  }

  @Test func notesTimes() throws {
    let scheduler = VirtualTimeScheduler()
    try scheduler.advance(by: .seconds(1))
    let recorder = Signal.interval(every: .microseconds(2500), on: scheduler).prefix(2).record(timedBy: scheduler)
    try scheduler.run()
    #expect(recorder.times == [.microseconds(2500), .microseconds(5000), .microseconds(5000)])
    #expect(recorder.isFinished)
    #expect(recorder.diagram == "--0--(1|)")
    #expect(recorder.diagram(frame: .microseconds(500)) == "-----0----(1|)")
    #expect(recorder.diagram(frame: .zero) == recorder.diagram)
  }

  @Test func unsubscribes() {
    let source = SourceProbe<Int>()
    let recorder = source.signal.record()
    recorder.dispose()
    #expect(source.disposalCount == 1)
    do {
      let other = source.signal.record()
      withExtendedLifetime(other) {}
    }
    #expect(source.disposalCount == 2)
  }
}

@Suite struct DoubleTests {
  @Test func aSchedulerThatMustNotBeUsed() {
    let issues = issuesOf {
      let scheduler = ForbiddenScheduler("Nothing here takes time.")
      let recorder = Signal.just(1).delay(for: .seconds(1), on: scheduler).record()
      #expect(recorder.values == [])
      scheduler.schedule { Issue.record("it ran") }
      scheduler.schedule { Issue.record("it ran") }
    }
    let messages = issues.compactMap { $0.comments.first?.rawValue }
    #expect(messages.contains("The scheduler that must not be used received work. Nothing here takes time."))
    #expect(messages.count == Set(messages).count)
    #expect(messages.allSatisfy { $0.hasPrefix("The scheduler that must not be used ") })
    let unused = ForbiddenScheduler()
    #expect(Signal.just(1).record().values == [1])
    withExtendedLifetime(unused) {}
  }

  @Test func howASourceWasSubscribedTo() {
    let emitter = Emitter<Int>()
    let probe = SourceProbe(emitter.signal)
    probe.expectNotSubscribed()
    let first = probe.signal.prefix(1).record()
    let second = probe.signal.record()
    emitter.send(1)
    #expect(first.isFinished)
    #expect(probe.subscriptionCount == 2)
    #expect(probe.disposalCount == 1)
    #expect(probe.activeCount == 1)
    emitter.finish()
    #expect(probe.endCount == 1)
    #expect(probe.activeCount == 0)
    #expect(second.isFinished)
    probe.expectSubscribed()
    probe.expectSubscribed(times: 2)
  }

  @Test func howASourceWasNotSubscribedTo() {
    let probe = SourceProbe(Signal.just(1))
    let never = failure(offset: 0) { probe.expectSubscribed() }
    #expect(never == "The source was subscribed to never, expected at least once.")
    let dispose = failure(offset: 0) { probe.expectDisposed() }
    #expect(dispose.hasPrefix("Expected every subscription of the source to be disposed: 0 started"))
    let notDisposed = failure(offset: 0) { probe.expectNotDisposed() }
    #expect(notDisposed.hasPrefix("Expected no subscription of the source to be disposed: 0 started"))
    _ = probe.signal.record()
    let message1 = failure(offset: 0) { probe.expectNotSubscribed() }
    #expect(message1 == "The source was subscribed to once, expected never.")
    let message2 = failure(offset: 0) { probe.expectDisposed() }
    #expect(message2.contains("1 started, 1 terminated by the source, 0 disposed, 0 active"))
    probe.expectNotDisposed()
    let other = SourceProbe<Int>()
    other.signal.record().dispose()
    other.expectDisposed()
    let message3 = failure(offset: 0) { other.expectNotDisposed() }
    #expect(message3.contains("0 terminated by the source, 1 disposed"))
  }

  @Test func aSourceThatBreaksTheContract() {
    let source = UnlawfulSource<Int>()
    let recorder = source.signal.record()
    source.send(1)
    source.finish()
    source.send(2)
    source.fail(Problem())
    recorder.dispose()
    source.send(3)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.events.count == 5)
    #expect(source.subscriptionCount == 1)
  }

  @Test func probeWithoutASchedulerWaitsInVirtualTime() throws {
    try withVirtualTime { time in
      let emitter = Emitter<Int>()
      let probe = emitter.signal.probe()
      Task {
        try await time.sleep(for: .seconds(5))
        emitter.send(1)
      }
      #expect(try await probe.next() == 1)
      try await probe.expectNoEvents(for: .seconds(3))
    }
  }
}
