import Probes
import Signals
import Testing

/// Windows and groups whose takers come and leave on several threads.
@Suite("Branches under fire")
struct BranchRaceTests {
  @Test("Law 9: whoever leaves last, on whatever thread: the source is left, and nothing is kept")
  func leaving() {
    let life = LifeCount()
    for round in 0..<300 {
      let numbers = Emitter<Int>()
      let (outer, inner) = (DisposeBag(), DisposeBag())
      numbers.signal.window(3, skip: 2).subscribe { window in
        let token = life.token()
        window.subscribe { _ in token.touch() }.store(in: inner)
      }.store(in: outer)
      onThreads(
        { for number in 0..<20 { numbers.send(number) } },
        { for _ in 0..<(round % 40) { inner.disposeAll() } },
        { outer.disposeAll() })
      inner.disposeAll()
      #expect(numbers.subscriberCount == 0, "round \(round)")
      #expect(life.alive == 0, "round \(round)")
    }
  }

  @Test("Laws 9 and 10: who comes while the last one leaves either keeps the source, or gets the end at once")
  func coming() throws {
    for round in 0..<2_000 {
      let numbers = Emitter<Int>()
      let groups = Journal<SignalGroup<Int, Int>>()
      let values = Journal<Int>()
      let outer = numbers.signal.grouped { $0 % 2 }.subscribe { groups.append($0) }
      numbers.send(1)
      let group = try #require(groups.entries.first)
      let late = Box<Subscription?>(nil)
      onThreads(
        { outer.dispose() },
        { late.value = group.signal.subscribe(onValue: { values.append($0) }, onFinish: { values.append(-1) }) })
      let isKept = numbers.subscriberCount == 1
      numbers.send(3)
      #expect(values.entries == [isKept ? 3 : -1], "round \(round)")
      #expect(late.value?.isDisposed == !isKept, "round \(round)")
      late.value?.dispose()
      #expect(numbers.subscriberCount == 0, "round \(round)")
    }
  }

  @Test("Laws 3 and 7: the end of a group by time, by a limit and with the source meet values and disposals")
  func ends() throws {
    let life = LifeCount()
    for round in 0..<200 {
      let scheduler = VirtualTimeScheduler()
      let numbers = Emitter<Int>()
      let (outer, inner) = (DisposeBag(), DisposeBag())
      let ends = Box(0)
      let opened = Box(0)
      numbers.signal.grouped(timeout: .milliseconds(1), on: scheduler, limit: 2) { $0 % 3 }.subscribe { group in
        let token = life.token()
        opened.withLock { $0 += 1 }
        group.signal.subscribe(onValue: { _ in token.touch() }, onFinish: { ends.withLock { $0 += 1 } })
          .store(in: inner)
      }.store(in: outer)
      onThreads(
        { for number in 0..<50 { numbers.send(number) } },
        { for _ in 0..<20 { try? scheduler.advance(by: .milliseconds(1)) } },
        { if round.isMultiple(of: 2) { numbers.finish() } else { outer.disposeAll() } })
      if round.isMultiple(of: 2) { #expect(ends.value == opened.value, "round \(round)") }
      outer.disposeAll()
      inner.disposeAll()
      #expect(numbers.subscriberCount == 0, "round \(round)")
      #expect(scheduler.pendingCount == 0, "round \(round)")
      #expect(life.alive == 0, "round \(round)")
    }
  }
}
