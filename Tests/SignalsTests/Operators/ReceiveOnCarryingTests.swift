import Dispatch
import Probes
import SignalTesting
import Signals
import Testing

private enum Trace {
  @TaskLocal static var current = "none"
  @TaskLocal static var user = "nobody"
  @TaskLocal static var depth = 0
}

/// Takes a task-local across a hop.
@Suite("receive(on:carrying:)")
struct ReceiveOnCarryingTests {
  @Test("each value comes with what the task-local was when it was sent, also in a burst; the end comes with nothing")
  func values() throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let log = Journal<String>()
    let subscription = numbers.signal.receive(on: scheduler, carrying: Trace.$current).map { "\($0) \(Trace.current)" }
      .subscribe(onValue: { log.append($0) }, onFinish: { log.append("end \(Trace.current)") })
    Trace.$current.withValue("a") {
      numbers.send(1)
      numbers.send(2)
    }
    numbers.send(3)
    Trace.$current.withValue("b") {
      numbers.send(4)
      numbers.finish()
    }
    try Trace.$current.withValue("elsewhere") { try scheduler.advance() }
    #expect(log.entries == ["1 a", "2 a", "3 none", "4 b", "end elsewhere"])
    #expect(subscription.isDisposed)
  }

  @Test("without it, what runs on the scheduler knows nothing of the sender")
  func without() throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let log = Journal<String>()
    let subscription = numbers.signal.receive(on: scheduler).subscribe { _ in log.append(Trace.current) }
    Trace.$current.withValue("a") { numbers.send(1) }
    try scheduler.advance()
    #expect(log.entries == ["none"])
    subscription.dispose()
  }

  @Test("on a queue, from a task")
  func queue() async {
    let numbers = Emitter<Int>()
    let (log, bag) = (Journal<String>(), DisposeBag())
    await withCheckedContinuation { continuation in
      numbers.signal.receive(on: .qos(.utility), carrying: Trace.$current).subscribe(
        onValue: { _ in log.append(Trace.current) }, onFinish: { continuation.resume() }
      ).store(in: bag)
      Trace.$current.withValue("task") {
        numbers.send(1)
        numbers.finish()
      }
    }
    #expect(log.entries == ["task"])
  }

  @Test("the end and a failure keep their places; law 11: what a closure below throws is the failure")
  func ends() {
    marbles { m in
      let letters = m.hot("-ab#", error: Failure(number: 1))
      m.expect(
        letters.signal.receive(on: m.scheduler, carrying: Trace.$current), "-ab#", error: Failure(number: 1))
      let result = letters.signal.receive(on: m.scheduler, carrying: Trace.$current).map { letter in
        if letter == "b" { throw Failure(number: 2) }
        return letter
      }
      m.expect(result, "-a#", error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "^--!", "^-!")
      let (never, empty) = (m.hot("---"), m.hot("--|"))
      m.expect(never.signal.receive(on: m.scheduler, carrying: Trace.$current), "---")
      m.expect(empty.signal.receive(on: m.scheduler, carrying: Trace.$current), "--|")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, nor does what is on its way")
  func disposal() throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = numbers.signal.receive(on: scheduler, carrying: Trace.$current).log(to: log)
    numbers.send(1)
    subscription.dispose()
    try scheduler.advance()
    #expect(log.events == [])
    #expect(scheduler.pendingCount == 0)
  }

  @Test("two and three task-locals: each value comes with what all of them were when it was sent")
  func several() throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let log = Journal<String>()
    let two = numbers.signal.receive(on: scheduler, carrying: Trace.$current, Trace.$user)
      .subscribe { log.append("\($0) \(Trace.current) \(Trace.user) \(Trace.depth)") }
    let three = numbers.signal.receive(on: scheduler, carrying: Trace.$current, Trace.$user, Trace.$depth)
      .subscribe { log.append("\($0) \(Trace.current) \(Trace.user) \(Trace.depth)") }
    Trace.$current.withValue("a") {
      Trace.$user.withValue("Ada") {
        Trace.$depth.withValue(1) { numbers.send(1) }
        numbers.send(2)
      }
    }
    numbers.send(3)
    try scheduler.advance()
    #expect(log.entries == ["1 a Ada 0", "2 a Ada 0", "3 none nobody 0", "1 a Ada 1", "2 a Ada 0", "3 none nobody 0"])
    withExtendedLifetime((two, three)) {}
  }

  @Test("Law 11: what a closure below throws is the failure, with several task-locals too")
  func throwing() {
    let log = EventLog<Int>()
    Signal.just(1).receive(on: .immediate, carrying: Trace.$current, Trace.$user)
      .map { _ -> Int in throw Failure(number: 1) }.log(to: log).dispose()
    #expect(log.events == [.failed(Failure(number: 1))])
  }
}
