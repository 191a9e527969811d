import Probes
import SignalGraph
import SignalTesting
import Signals
import Testing

/// Lets values wait while another signal says so.
@Suite("buffer")
struct BufferTests {
  @Test("values wait while they are held, and come in order; the source is left at its end")
  func values() {
    marbles { m in
      let letters = m.hot("-a-b-c-d-e-|")
      let busy = m.hot("   --t---f-t-----f")
      m.expect(
        letters.signal.buffer(while: busy.signal.map { $0 == "t" }),
        "                  -a----(bc)d------(e|)")
      m.expectSubscriptions(of: letters, "^----------!")
      m.expectSubscriptions(of: busy, "   ^-------------!")
    }
  }

  @Test("a limit")
  func limits() {
    marbles { m in
      let letters = m.hot("-(abc)-----(de)--f|")
      let busy = m.hot("   ------f--t---f")
      let isBusy = busy.signal.map { $0 == "t" }.prepend(true)
      m.expect(
        letters.signal.buffer(while: isBusy, overflow: .newest(2)),
        "                  ------(bc)(de)-----(f|)")
      m.expect(
        letters.signal.buffer(while: isBusy, overflow: .oldest(2)),
        "                  ------(ab)(de)-----(f|)")
      m.expect(
        letters.signal.buffer(while: isBusy, overflow: .fail(2)),
        "                  ------(ab#)", error: OverflowError(limit: 2))
      m.expect(
        letters.signal.buffer(while: isBusy, overflow: .newest(0)),
        "                  -------(de)---|")
    }
  }

  @Test("Law 9: when too many wait the source is left at once")
  func overflow() {
    marbles { m in
      let letters = m.hot("-a-b-c-d-|")
      m.expect(
        letters.signal.buffer(while: .just(true).merge(with: .never()), overflow: .fail(2)),
        "                  --------------")
      m.expect(
        letters.signal.buffer(while: .just(true).merge(with: .never()), overflow: .fail(0)),
        "                  -#", error: OverflowError(limit: 0))
      m.expectSubscriptions(of: letters, "^----!", "^!")
    }
  }

  @Test("failures: of the source behind what waits, of the other signal at once")
  func failures() {
    marbles { m in
      let failing = m.hot("-a-b-#", error: Failure(number: 1))
      let busy = m.hot("   -------f--")
      m.expect(
        failing.signal.buffer(while: busy.signal.map { $0 == "t" }.prepend(true)),
        "                  -------(ab#)", error: Failure(number: 1))
      let letters = m.hot("-a-b-c---|")
      let broken = m.hot(" ----#", error: Failure(number: 2))
      m.expect(
        letters.signal.buffer(while: broken.signal.map { $0 == "t" }.prepend(true)),
        "                  ----#", error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "^---!")
    }
  }

  @Test("the end of the other signal releases what waits")
  func endOfOther() {
    marbles { m in
      let letters = m.hot("-a-b-c-d-|")
      let busy = m.hot("   ----|")
      m.expect(
        letters.signal.buffer(while: busy.signal.map { $0 == "t" }.prepend(true)),
        "                  ----(ab)c-d-|")
    }
  }

  @Test("nothing, and only the end, held or not")
  func nothing() {
    marbles { m in
      let never = m.hot("----")
      m.expect(never.signal.buffer(while: .never()), "----")
      let empty = m.hot("--|")
      m.expect(empty.signal.buffer(while: .just(true).merge(with: .never())), "--|")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and both are left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("-a-b-c-|")
      let busy = m.hot("   --t----f")
      m.expect(
        letters.signal.buffer(while: busy.signal.map { $0 == "t" }),
        "                  -a-------", subscription: "^----!")
      m.expectSubscriptions(of: letters, "^----!")
      m.expectSubscriptions(of: busy, "   ^----!")
    }
  }

  @Test("Law 2: a handler that lets values wait gets those before that have waited already")
  func holdingInHandler() {
    let isBusy = Property(true)
    let numbers = Emitter<Int>()
    let log = Journal<Int>()
    let subscription = numbers.signal.buffer(while: isBusy.signal).subscribe { [isBusy] value in
      log.append(value)
      isBusy.value = true
    }
    for number in 1...3 { numbers.send(number) }
    #expect(log.entries == [])
    isBusy.value = false
    #expect(log.entries == [1, 2, 3])
    numbers.send(4)
    #expect(log.entries == [1, 2, 3])
    isBusy.value = false
    #expect(log.entries == [1, 2, 3, 4])
    #expect(isBusy.value)
    let free = Property(false)
    let direct = Journal<Int>()
    let other = numbers.signal.buffer(while: free.signal).subscribe { [free] value in
      direct.append(value)
      free.value = true
    }
    numbers.send(5)
    numbers.send(6)
    #expect(direct.entries == [5])
    free.value = false
    #expect(direct.entries == [5, 6])
    withExtendedLifetime(other) {}
    withExtendedLifetime(subscription) {}
  }

  @Test("a consumer that is ready again within its handler")
  func readyInHandler() {
    let isBusy = Property(true)
    let numbers = Emitter<Int>()
    let log = Journal<Int>()
    let subscription = numbers.signal.buffer(while: isBusy.signal).subscribe { [isBusy] value in
      isBusy.value = true
      log.append(value)
      isBusy.value = false
    }
    for number in 0..<50_000 { numbers.send(number) }
    isBusy.value = false
    #expect(log.entries == Array(0..<50_000))
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 7: a handler that disposes in the middle of what waited gets nothing more, and the rest is released")
  func disposingInRow() {
    let isHeld = Property(true)
    let life = LifeCount()
    let emitter = Emitter<LifeCount.Token>()
    let count = Box(0)
    let kept = Box<Subscription?>(nil)
    kept.value = emitter.signal.buffer(while: isHeld.signal).subscribe { _ in
      count.value += 1
      if count.value == 3 { kept.value?.dispose() }
    }
    for _ in 0..<10 { emitter.send(life.token()) }
    isHeld.value = false
    #expect(count.value == 3)
    #expect(life.alive == 0)
    #expect(emitter.subscriberCount == 0)
  }

  @Test("Law 11: what a closure below throws is the failure, and both are left")
  func throwing() {
    let isHeld = Property(true)
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.buffer(while: isHeld.signal).map { value in
      if value == 2 { throw Failure() }
      return value
    }.log(to: log)
    for value in 1...3 { emitter.send(value) }
    isHeld.value = false
    #expect(log.events == [.value(1), .failed(Failure())])
    #expect(emitter.subscriberCount == 0)
    #expect(isHeld.subscriberCount == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test("the graph shows how many values wait, and how many were dropped")
  func recorded() {
    let recorder = GraphRecorder()
    let isHeld = Property(true)
    let emitter = Emitter<Int>()
    let subscription = recorder.record {
      emitter.signal.buffer(while: isHeld.signal, overflow: .newest(2)).subscribe { _ in }
    }
    for value in 1...5 { emitter.send(value) }
    var node = recorder.snapshot().node("buffer")
    #expect(node?.waiting == 2 && node?.dropped == 3 && node?.valueCount == 0)
    isHeld.value = false
    node = recorder.snapshot().node("buffer")
    #expect(node?.waiting == nil && node?.dropped == 3 && node?.valueCount == 2)
    withExtendedLifetime(subscription) {}
  }
}
