import Probes
import Signals
import Testing

@Suite("Virtual time")
struct VirtualTimeSchedulerTests {
  @Test("work runs in order of time, phase and scheduling")
  func order() throws {
    let scheduler = VirtualTimeScheduler()
    let log = Journal<String>()
    let instant = SchedulerInstant(sinceOrigin: .milliseconds(10))
    _ = scheduler.schedule(after: .milliseconds(20)) { log.append("20") }
    _ = scheduler.schedule(after: .milliseconds(10)) { log.append("first work") }
    scheduler.schedule(at: instant, phase: .hotSource) { log.append("hot") }
    scheduler.schedule(at: instant, phase: .test) { log.append("test") }
    _ = scheduler.schedule(after: .milliseconds(10)) { log.append("second work") }
    _ = scheduler.schedule(after: .milliseconds(-5)) { log.append("past") }
    scheduler.schedule { log.append("now") }
    try scheduler.advance(by: .milliseconds(10))
    #expect(log.entries == ["past", "now", "test", "hot", "first work", "second work"])
    #expect(scheduler.now == instant)
    #expect(scheduler.pendingCount == 1)
    try scheduler.run()
    #expect(log.entries.last == "20")
    #expect(scheduler.now.sinceOrigin == .milliseconds(20))
    #expect(scheduler.ranCount == 7)
  }

  @Test("to the next deadline: the work of one instant, and what it schedules there")
  func nextDeadline() throws {
    let scheduler = VirtualTimeScheduler()
    let log = Journal<String>()
    let isNothingThere = try scheduler.runToNextDeadline()
    #expect(!isNothingThere)
    let cancelled = scheduler.schedule(after: .seconds(1), tolerance: nil) { log.append("cancelled") }
    for name in ["a", "b"] {
      _ = scheduler.schedule(after: .seconds(2)) {
        log.append(name)
        scheduler.schedule { log.append("after \(name)") }
      }
    }
    _ = scheduler.schedule(after: .seconds(3)) { log.append("c") }
    cancelled.dispose()
    var seconds: [Duration] = []
    while try scheduler.runToNextDeadline() {
      seconds.append(scheduler.now.sinceOrigin)
      log.append("|")
    }
    #expect(log.entries == ["a", "b", "after a", "after b", "|", "c", "|"])
    #expect(seconds == [.seconds(2), .seconds(3)])
  }

  @Test("cancelled work does not run, and does not pile up")
  func cancel() throws {
    let scheduler = VirtualTimeScheduler()
    let life = LifeCount()
    for _ in 0..<10_000 {
      let token = life.token()
      let work = scheduler.schedule(after: .seconds(1)) { token.touch() }
      work.dispose()
      work.dispose()
      #expect(work.isDisposed)
    }
    #expect(life.alive == 0)
    #expect(scheduler.pendingCount == 0)
    try scheduler.run()
    #expect(scheduler.ranCount == 0)
  }

  @Test("many work items run in order, also those that come or are cancelled meanwhile", arguments: 0..<8)
  func many(seed: Int) throws {
    struct Piece {
      let time: Int
      let phase: VirtualTimeScheduler.Phase
      let number: Int
    }
    let scheduler = VirtualTimeScheduler()
    let log = Journal<Int>()
    let phases: [VirtualTimeScheduler.Phase] = [.work, .test, .hotSource]
    var expected: [Piece] = []
    for number in 0..<2_000 {
      let time = (number * 7_919 + seed * number * number) % 500
      let phase = phases[number / 3 % 3]
      let work = scheduler.schedule(at: SchedulerInstant(sinceOrigin: .milliseconds(time)), phase: phase) {
        log.append(number)
        guard number.isMultiple(of: 4) else { return }
        _ = scheduler.schedule(after: .milliseconds(number % 50)) { log.append(number + 10_000) }
      }
      if (number + seed).isMultiple(of: 5) {
        work.dispose()
      } else {
        expected.append(Piece(time: time, phase: phase, number: number))
      }
    }
    func areInOrder(_ left: Piece, _ right: Piece) -> Bool {
      (left.time, left.phase.rawValue, left.number) < (right.time, right.phase.rawValue, right.number)
    }
    expected.sort(by: areInOrder)
    // What is scheduled meanwhile comes last among what is due at its moment; it is numbered in that order here.
    let nested = expected.filter { $0.number.isMultiple(of: 4) }.enumerated().map { index, parent in
      Piece(time: parent.time + parent.number % 50, phase: .work, number: 10_000 * (index + 1) + parent.number)
    }
    let all = (expected + nested).sorted(by: areInOrder)
    try scheduler.advance(by: .milliseconds(200))
    #expect(
      scheduler.pendingCount == all.count { $0.time > 200 } - nested.count { $0.time - $0.number % 10_000 % 50 > 200 })
    try scheduler.run()
    #expect(log.entries == all.map { $0.number < 10_000 ? $0.number : $0.number % 10_000 + 10_000 })
  }

  @Test("a timer that is set and cancelled again and again leaves little behind, also beside many others")
  func sweep() throws {
    final class Weak {
      weak var object: (any Disposable)?
    }
    let scheduler = VirtualTimeScheduler()
    let others = (0..<1_000).map { index in scheduler.schedule(after: .milliseconds(index)) {} }
    try scheduler.advance(by: .milliseconds(10))
    var made: [Weak] = []
    for _ in 0..<20_000 {
      let work = scheduler.schedule(after: .seconds(9)) {}
      work.dispose()
      let reference = Weak()
      reference.object = work
      made.append(reference)
    }
    #expect(made.count { $0.object != nil } <= 2_000)
    for work in others { work.dispose() }
    try scheduler.run()
    #expect(made.allSatisfy { $0.object == nil })
    #expect(scheduler.ranCount == 11)
    #expect(scheduler.now.sinceOrigin == .milliseconds(10))
  }

  @Test("a scheduler that is released frees what still waits")
  func release() throws {
    let life = LifeCount()
    var scheduler: VirtualTimeScheduler? = VirtualTimeScheduler()
    for index in 0..<200 {
      let token = life.token()
      _ = scheduler?.schedule(after: .milliseconds(index)) { token.touch() }
    }
    try scheduler?.advance(by: .milliseconds(99))
    #expect(life.alive == 100)
    let kept = scheduler?.schedule(after: .seconds(1)) {}
    scheduler = nil
    #expect(life.alive == 0)
    kept?.dispose()
  }

  @Test("moments that are too late to be told are the last ones")
  func farAway() throws {
    let scheduler = VirtualTimeScheduler()
    let log = Journal<Int>()
    try scheduler.advance(to: SchedulerInstant(sinceOrigin: Duration(attoseconds: .max - 2)))
    _ = scheduler.schedule(after: .seconds(1)) { log.append(1) }
    try scheduler.advance()
    #expect(log.entries == [])
    try scheduler.advance(by: .nanoseconds(1))
    #expect(log.entries == [1])
    #expect(scheduler.now.sinceOrigin.attoseconds == .max)
  }

  @Test("the chooser picks among ready work of one phase, may use the scheduler, and may pick badly")
  func chooser() throws {
    let scheduler = VirtualTimeScheduler()
    let log = Journal<Int>()
    let counts = Journal<Int>()
    scheduler.setChooser { [weak scheduler] ready in
      counts.append(ready + (scheduler?.pendingCount ?? 0) * 0)
      return ready - 1
    }
    for index in 0..<3 { scheduler.schedule { log.append(index) } }
    try scheduler.advance()
    #expect(log.entries == [2, 1, 0])
    #expect(counts.entries == [3, 2])
    scheduler.setChooser { _ in 99 }
    for index in 5..<7 { scheduler.schedule { log.append(index) } }
    try scheduler.advance()
    #expect(log.entries == [2, 1, 0, 5, 6])
  }

  @Test("the chooser is told how many are ready then: what joins counts, what was cancelled or put off does not")
  func chooserCounts() throws {
    let scheduler = VirtualTimeScheduler()
    let log = Journal<String>()
    let counts = Journal<Int>()
    let works = Box<[any Disposable]>([])
    scheduler.setChooser { ready in
      counts.append(ready)
      return 1
    }
    func add(_ names: String..., work: @escaping @Sendable (String) -> Void = { _ in }) {
      for name in names {
        let scheduled = scheduler.schedule(after: .milliseconds(1)) {
          log.append(name)
          work(name)
        }
        works.withLock { $0.append(scheduled) }
      }
    }
    add("a", "b", "c", "d") { name in
      // The first that runs cancels one, lets two join, and lets one of an earlier phase go first.
      guard name == "b" else { return }
      works.value[2].dispose()
      for name in ["e", "f"] { scheduler.schedule { log.append(name) } }
      scheduler.schedule(at: nil, phase: .test) { log.append("test") }
    }
    // Put off again and again, at the moment when it is due.
    let ticks = Emitter<String>()
    let late = ticks.signal.debounce(for: .milliseconds(1), on: scheduler).subscribe { log.append($0) }
    ticks.send("late")
    scheduler.schedule(at: SchedulerInstant(sinceOrigin: .milliseconds(1)), phase: .hotSource) { ticks.send("later") }
    try scheduler.run()
    // Of a b c d, b runs; then "test"; then a d e f.
    #expect(log.entries == ["b", "test", "d", "e", "f", "a", "later"])
    #expect(counts.entries == [4, 4, 3, 2])
    withExtendedLifetime(late) {}
  }

  @Test("the chooser is not told of a hop's job that went with its subscription")
  func chooserAndHops() throws {
    let scheduler = VirtualTimeScheduler()
    let emitter = Emitter<Int>()
    let log = Journal<String>()
    let counts = Journal<Int>()
    scheduler.setChooser { ready in
      counts.append(ready)
      return ready == 2 ? 1 : 0
    }
    let subscription = emitter.signal.receive(on: scheduler).subscribe { log.append("\($0)") }
    scheduler.schedule { subscription.dispose() }
    emitter.send(1)
    for name in ["a", "b"] { scheduler.schedule { log.append(name) } }
    try scheduler.run()
    #expect(counts.entries == [4, 2])
    #expect(log.entries == ["b", "a"])
  }

  @Test("the chooser decides among what is ready as a plain list would", arguments: 0..<30)
  func chooserModel(seed: Int) throws {
    let scheduler = VirtualTimeScheduler()
    // Numbers stand for work items, in scheduling order; the list is searched from the front each time.
    let list = Box<[Int]>([])
    let ran = Journal<Int>()
    let expected = Journal<Int>()
    let works = Box<[Int: any Disposable]>([:])
    let last = Box(0)
    @Sendable func add() {
      let number = last.withLock { last in
        last += 1
        return last
      }
      list.withLock { $0.append(number) }
      let work = scheduler.schedule(after: .zero) {
        ran.append(number)
        // Work that is alone runs without a choice.
        list.withLock { $0.removeAll { $0 == number } }
        let mixed = (number &* 7_919 &+ seed &* 104_729) % 1_000
        if mixed % 3 == 0, last.value < 400 {
          add()
          add()
        }
        if mixed % 4 == 0 {
          let victim = 1 + mixed % max(1, last.value)
          works.value[victim]?.dispose()
          list.withLock { $0.removeAll { $0 == victim } }
        }
      }
      works.withLock { $0[number] = work }
    }
    scheduler.setChooser { ready in
      let choice = (ready &* 31 &+ seed) % ready
      list.withLock { list in
        #expect(list.count == ready)
        expected.append(list.remove(at: choice))
      }
      return choice
    }
    for _ in 0..<100 { add() }
    while scheduler.pendingCount > 0 {
      try scheduler.advance()
    }
    #expect(ran.entries.filter { expected.entries.contains($0) } == expected.entries)
    #expect(expected.entries.count > 50)
    #expect(scheduler.pendingCount == 0)
  }

  @Test("a chooser that is replaced midway, and one that schedules, leave nothing behind")
  func chooserReplaced() throws {
    let scheduler = VirtualTimeScheduler()
    let log = Journal<Int>()
    let life = LifeCount()
    func add(_ numbers: Range<Int>) -> [any Disposable] {
      numbers.map { number in
        let token = life.token()
        return scheduler.schedule(after: .milliseconds(10)) {
          token.touch()
          log.append(number)
          if number == 5 { scheduler.setChooser(nil) }
        }
      }
    }
    let works = add(0..<10)
    scheduler.setChooser { [weak scheduler] ready in
      if ready == 10 {
        _ = scheduler?.schedule(after: .milliseconds(3)) { log.append(100) }
        works[8].dispose()
      }
      return ready - 1
    }
    try scheduler.advance(by: .milliseconds(10))
    // Asked for the first of ten, it was told of the one that was cancelled meanwhile, too.
    #expect(log.entries == [9, 100, 7, 6, 5, 0, 1, 2, 3, 4])
    #expect(life.alive == 0)
    _ = add(20..<30)
    scheduler.setChooser { _ in 0 }
    scheduler.schedule(at: nil, phase: .work) { log.append(-1) }
    #expect(scheduler.pendingCount == 11)
    try scheduler.run()
    #expect(life.alive == 0)
    #expect(scheduler.pendingCount == 0)
    #expect(scheduler.now.sinceOrigin == .milliseconds(20))
  }

  @Test(
    "Law 15: with a chooser, work that is ready together costs little more for each piece, also when pieces are cancelled"
  )
  func chooserCost() throws {
    func run(_ count: Int) throws {
      let scheduler = VirtualTimeScheduler { ready in ready / 2 }
      let works = Box<[any Disposable]>([])
      let next = Box(0)
      works.value = (0..<count).map { _ in
        scheduler.schedule(after: .seconds(1)) {
          // Every piece cancels another, so that what is ready changes all the time.
          let victim = next.withLock { next in
            next += 1
            return next
          }
          works.withLock { $0[victim] }.dispose()
        }
      }
      try scheduler.run()
      #expect(scheduler.pendingCount == 0 && scheduler.ranCount >= count / 2)
    }
    let small = try leastProcessorTime(5) { try run(500) }
    let large = try leastProcessorTime(2) { try run(10_000) }
    // Twenty times as much work; quadratic cost would show as four hundred times.
    #expect(large < small * 100)
  }

  @Test("a run may take a day from now, however late now is")
  func runLate() throws {
    let scheduler = VirtualTimeScheduler()
    try scheduler.advance(by: .seconds(1_000_000))
    let log = Journal<Int>()
    _ = scheduler.schedule(after: .seconds(86_400)) { log.append(1) }
    try scheduler.run()
    #expect(log.entries == [1])
    _ = scheduler.schedule(after: .seconds(86_401)) { log.append(2) }
    #expect(throws: VirtualTimeError.timeLimit(.seconds(1_000_000 + 2 * 86_400), pending: 1)) { try scheduler.run() }
    try scheduler.run(until: SchedulerInstant(sinceOrigin: .seconds(2_000_000)))
    #expect(log.entries == [1, 2])
    try scheduler.advance(to: SchedulerInstant(sinceOrigin: Duration(attoseconds: .max)))
    try scheduler.run()
  }

  @Test("limits and wrong use are errors that say what")
  func errors() throws {
    let scheduler = VirtualTimeScheduler(workLimit: 3)
    let log = Journal<Int>()
    for index in 0..<5 { scheduler.schedule { log.append(index) } }
    #expect(throws: VirtualTimeError.workLimit(3, at: .zero)) { try scheduler.advance() }
    #expect(log.entries == [0, 1, 2])
    try scheduler.advance()
    #expect(log.entries == [0, 1, 2, 3, 4])
    try scheduler.advance(by: .seconds(1))
    #expect(throws: VirtualTimeError.intoThePast(from: .seconds(1), to: .zero)) {
      try scheduler.advance(by: .seconds(-1))
    }
    let inner = Box<VirtualTimeError?>(nil)
    scheduler.schedule {
      do throws(VirtualTimeError) { try scheduler.advance(by: .seconds(1)) } catch { inner.value = error }
    }
    try scheduler.advance()
    #expect(inner.value == .alreadyAdvancing)
    _ = scheduler.schedule(after: .seconds(100)) {}
    let limit = SchedulerInstant(sinceOrigin: .seconds(50))
    #expect(throws: VirtualTimeError.timeLimit(.seconds(50), pending: 1)) { try scheduler.run(until: limit) }
  }

  @Test("a clock: sleeping, cancellation, streams and child tasks, the same on every run")
  func clock() throws {
    enum Happening: Equatable {
      case sent(Int), received(Int, at: Duration), childrenEnded(at: Duration), cancelled(at: Duration)
    }
    for _ in 0..<50 {
      let scheduler = VirtualTimeScheduler()
      let log = Journal<Happening>()
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      scheduler.task {
        for value in 1...3 {
          try await scheduler.sleep(for: .milliseconds(10))
          log.append(.sent(value))
          continuation.yield(value)
        }
        continuation.finish()
      }
      scheduler.task {
        for await value in stream { log.append(.received(value, at: scheduler.now.sinceOrigin)) }
        async let left: Void = scheduler.sleep(for: .milliseconds(5))
        async let right: Void = scheduler.sleep(for: .milliseconds(7))
        _ = try await (left, right)
        log.append(.childrenEnded(at: scheduler.now.sinceOrigin))
      }
      let sleeper = scheduler.task {
        do { try await scheduler.sleep(for: .seconds(60)) } catch {
          log.append(.cancelled(at: scheduler.now.sinceOrigin))
        }
      }
      try scheduler.advance(by: .milliseconds(15))
      sleeper.cancel()
      try scheduler.advance(by: .milliseconds(5))
      try scheduler.run()
      #expect(
        log.entries == [
          .sent(1), .received(1, at: .milliseconds(10)), .cancelled(at: .milliseconds(15)),
          .sent(2), .received(2, at: .milliseconds(20)),
          .sent(3), .received(3, at: .milliseconds(30)), .childrenEnded(at: .milliseconds(37)),
        ])
      #expect(scheduler.pendingCount == 0)
    }
  }
}
