import Dispatch
import Signals
import Testing

private func print(_ items: Any...) { Printed.append(items) }

/// Runs the samples of ComingFromSwiftySignals.md; `scripts/check-old-names` compares them.
@Suite("Coming from SwiftySignals")
struct SwiftySignalsTests {
  @Test("a newcomer gets the last message")
  func lastMessage() {
    let printed = Printed.by {
      // Sample
      let bag = DisposeBag()
      let lap = Emitter<Int>(replay: 1)
      lap.send(15)
      lap.signal.subscribe { print("lap", $0) }.store(in: bag)  // lap 15
      lap.send(20)  // lap 20
      // End of sample
    }
    #expect(printed == ["lap 15", "lap 20"])
  }

  @Test("a chain that nobody keeps ends, and the compiler says so")
  func keeping() {
    let printed = Printed.by {
      // Sample
      final class Stopwatch: DisposeBagOwner {
        let disposeBag = DisposeBag()

        init(_ laps: Signal<Int>) {
          laps.subscribe(with: self) { stopwatch, lap in stopwatch.show(lap) }
        }

        func show(_ lap: Int) { print("lap", lap) }
      }

      let laps = Emitter<Int>()
      var stopwatch: Stopwatch? = Stopwatch(laps.signal)
      laps.send(1)  // lap 1
      print(stopwatch == nil, laps.subscriberCount)  // false 1
      stopwatch = nil
      laps.send(2)
      print(laps.subscriberCount)  // 0
      // End of sample
    }
    #expect(printed == ["lap 1", "false 1", "0"])
  }

  @Test("a change that depends on the value before is one step")
  func update() {
    let printed = Printed.by {
      // Sample
      let total = Property(0)
      let bag = DisposeBag()
      total.changes.subscribe { print("total", $0) }.store(in: bag)
      for points in 1...3 { total.update { $0 += points } }  // total 1, total 3, total 6
      // End of sample
    }
    #expect(printed == ["total 1", "total 3", "total 6"])
  }

  @Test("timers need no run loop")
  func timers() throws {
    let printed = try Printed.by {
      // Sample
      let time = VirtualTimeScheduler()
      let bag = DisposeBag()
      Signal.timer(after: .seconds(10), on: time, tolerance: .seconds(1)).subscribe { print("time is up") }.store(
        in: bag)
      let ticks = Signal.interval(every: .seconds(4), on: time).subscribe { print("tick", $0) }
      try time.advance(by: .seconds(10))  // tick 0, tick 1, time is up
      ticks.dispose()
      try time.advance(by: .seconds(100))  // Nothing: the timer is disabled.
      // End of sample
    }
    #expect(printed == ["tick 0", "tick 1", "time is up"])
  }

  @Test("to look at values on their way, and to call a method of an object")
  func handlers() {
    let printed = Printed.by {
      // Sample
      final class Scoreboard: Sendable {
        func show(_ score: Int) { print("board", score) }
      }

      let score = Property(56)
      let board = Scoreboard()
      score.signal
        .handle { print("passes", $0) }
        .filter { $0 >= 60 }
        .map { 2 * $0 }
        .subscribe(with: board) { board, score in board.show(score) }  // passes 56
      score.value = 67  // passes 67, board 134
      // End of sample
    }
    #expect(printed == ["passes 56", "passes 67", "board 134"])
  }

  @Test("messages that are discarded, the same, or too fast")
  func tooFast() throws {
    let printed = try Printed.by {
      // Sample
      let time = VirtualTimeScheduler()
      let bag = DisposeBag()
      let speed = Emitter<Int>()
      speed.signal.dropFirst(1).removeDuplicates().subscribe { print("new", $0) }.store(in: bag)
      speed.signal.throttle(for: .seconds(1), on: time, latest: false).subscribe { print("throttled", $0) }.store(
        in: bag)
      speed.signal.debounce(for: .seconds(1), on: time).subscribe { print("settled", $0) }.store(in: bag)
      for value in [30, 40, 40, 50] { speed.send(value) }  // new 40, new 50
      try time.advance(by: .seconds(5))  // throttled 30, settled 50
      // End of sample
    }
    #expect(printed == ["new 40", "new 50", "throttled 30", "settled 50"])
  }

  @Test("handlers on queues")
  func queues() throws {
    // Sample
    let queue = DispatchQueue(label: "scores")
    let score = Property(50)
    let results = Emitter<Int>(replay: 1)
    let subscription = score.signal
      .receive(on: .qos(.userInitiated))
      .map { 2 * $0 }  // On a global queue.
      .receive(on: .queue(queue))
      .subscribe { score in
        dispatchPrecondition(condition: .onQueue(queue))
        results.send(score)
      }
    let result = try results.signal.waitForFirstValue(timeout: .seconds(60))
    print(result)  // 100
    subscription.dispose()
    // End of sample
    #expect(result == 100)
  }

  @Test("sources and operators of one's own")
  func custom() {
    let printed = Printed.by {
      // Sample
      func countdown(from start: Int) -> Signal<Int> {
        Signal { producer in
          var next = start
          while next > 0, producer.send(next) { next -= 1 }
          producer.finish()
        }
      }

      func even(
        _ numbers: Signal<Int>,
        fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
      ) -> Signal<Int> {
        let site = Site("even", fileID: fileID, line: line, function: function)
        return numbers.lift(site, stateless: { $0.isMultiple(of: 2) ? $0 : nil })
      }

      let bag = DisposeBag()
      even(countdown(from: 5)).subscribe {
        print($0)
      } onFinish: {
        print("lift-off")
      }.store(in: bag)  // 4, 2, lift-off
      // End of sample
    }
    #expect(printed == ["4", "2", "lift-off"])
  }
}
