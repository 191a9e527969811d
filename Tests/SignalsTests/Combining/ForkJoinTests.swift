import Probes
import SignalTesting
import Signals
import Testing

/// Waits for several signals to finish, and delivers the last value of each together.
@Suite("forkJoin", .healthy)
struct ForkJoinTests {
  @Test("the last values, once all have finished; nothing before")
  func values() {
    marbles { m in
      let digits = m.hot("                -1-2-|")
      let letters = m.hot("               --a---b--|")
      m.expect(
        forkJoin(digits.signal, letters.signal).map { $0 + $1 },
        "                                 ---------(x|)", values: ["x": "2b"])
      m.expectSubscriptions(of: digits, " ^----!")
      m.expectSubscriptions(of: letters, "^--------!")
    }
  }

  @Test("an input that finishes without a value is the end, as no row can come; the others are left")
  func finishesWithoutValue() {
    marbles { m in
      let digits = m.hot("               -1-2-3-|", of: Int.self)
      let empty = m.hot("                ----|", of: Int.self)
      m.expect(
        forkJoin(digits.signal, empty.signal).map { $0 + $1 },
        "                                ----|")
      m.expect(
        forkJoin([digits.signal, empty.signal]),
        "                                ----|", values: [:])
      m.expectSubscriptions(of: digits, "^---!", "^---!")
    }
  }

  @Test("any number of inputs of any types")
  func manyInputs() {
    marbles { m in
      let digits = m.hot(" -12---|", of: Int.self)
      let letters = m.hot("-a----|")
      let flags = m.hot("  -t--|", values: ["t": true])
      let numbers = m.hot("--98---|", of: Double.self)
      m.expect(
        forkJoin(digits.signal, letters.signal, flags.signal).map { "\($0)\($1) \($2)" },
        "                  ------(x|)", values: ["x": "2a true"])
      m.expect(
        forkJoin(digits.signal, letters.signal, flags.signal, numbers.signal).map { a, b, c, d in "\(a)\(b) \(c) \(d)"
        },
        "                  -------(x|)", values: ["x": "2a true 8.0"])
    }
  }

  @Test("no signals are over at once; one is enough; all at once is possible")
  func few() {
    marbles { m in
      m.expect(forkJoin([Signal<Int>]()), "{|}", values: [:])

      let one = m.hot("                   -1-2-|", of: Int.self)
      m.expect(forkJoin([one.signal]), "  -----(x|)", values: ["x": [2]])

      let atOnce = m.cold("{12|}", of: Int.self)
      m.expect(forkJoin(atOnce.signal, .just(3)).map { $0 + $1 }, "{5|}")
      m.expect(forkJoin([atOnce.signal, .just(3)]), "{x|}", values: ["x": [2, 3]])
    }
  }

  @Test("Law 9: the first failure of any input is that of all, also after another has finished; the others are left")
  func failure() {
    marbles { m in
      let done = m.hot("                 -1|")
      let digits = m.hot("               -1-2---|")
      let letters = m.hot("              --a-#", error: Failure(number: 1))
      m.expect(
        forkJoin(done.signal, digits.signal, letters.signal).map { $0 + $1 + $2 },
        "                                ----#", error: Failure(number: 1))
      m.expect(
        forkJoin([done.signal, digits.signal, letters.signal]),
        "                                ----#", values: [:], error: Failure(number: 1))
      m.expectSubscriptions(of: digits, "^---!", "^---!")
    }
  }

  @Test("one that never finishes: no row, and no end")
  func nothing() {
    marbles { m in
      let digits = m.hot("-1-2-|", of: Int.self)
      let open = m.hot("  -1-----", of: Int.self)
      m.expect(forkJoin(digits.signal, open.signal).map { $0 + $1 }, "--------")
      m.expect(forkJoin([digits.signal, open.signal]), "             --------", values: [:])
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and every input is left at that moment")
  func disposal() {
    marbles { m in
      let digits = m.hot("                -1---2-|", of: Int.self)
      let letters = m.hot("               ---a---|")
      m.expect(
        forkJoin(digits.signal, letters.signal).map { "\($0)\($1)" },
        "                                 --------", subscription: "^---!")
      m.expectSubscriptions(of: digits, " ^---!")
      m.expectSubscriptions(of: letters, "^---!")
    }
  }

  @Test("Law 7: a handler that disposes at the row gets no end", arguments: [false, true])
  func disposedAtTheRow(isArray: Bool) {
    let inputs = (0..<2).map { _ in Emitter<Int>() }
    let log = EventLog<Int>()
    let kept = Box<Subscription?>(nil)
    let joined =
      isArray
      ? forkJoin(inputs.map(\.signal)).map { $0[0] + $0[1] }
      : forkJoin(inputs[0].signal, inputs[1].signal).map { $0 + $1 }
    kept.value = joined.subscribeToEvents { event in
      log.append(event)
      kept.value?.dispose()
    }
    for input in inputs { input.send(1) }
    for input in inputs { input.finish() }
    #expect(log.events == [.value(2)])
  }

  @Test("Laws 9 and 11: what a closure below throws is the failure", arguments: [false, true])
  func throwingBelow(isArray: Bool) {
    let log = EventLog<Int>()
    let (first, second) = (Signal.just(1), Signal.just(2))
    let joined = isArray ? forkJoin([first, second]).map { $0[0] } : forkJoin(first, second).map { $0 + $1 }
    joined.map { _ -> Int in throw Failure(number: 3) }.log(to: log).dispose()
    #expect(log.events == [.failed(Failure(number: 3))])
  }

  @Test("values that newer ones replace are released at once", arguments: [false, true])
  func released(isArray: Bool) {
    let life = LifeCount()
    let inputs = (0..<2).map { _ in Emitter<LifeCount.Token>() }
    let subscription =
      isArray
      ? forkJoin(inputs.map(\.signal)).subscribe { _ in }
      : forkJoin(inputs[0].signal, inputs[1].signal).subscribe { _ in }
    for _ in 0..<5 { for input in inputs { input.send(life.token()) } }
    #expect(life.alive == 2)
    subscription.dispose()
    #expect(life.alive == 0)
  }

  @Test("in a chain")
  func method() {
    marbles { m in
      let digits = m.hot(" -1-2-|")
      let letters = m.hot("--a---b--|")
      let flag = m.hot("   ---t|")
      m.expect(digits.signal.forkJoin(letters.signal).map { $0 + $1 }, "---------(x|)", values: ["x": "2b"])
      m.expect(
        digits.signal.forkJoin(letters.signal, flag.signal).map { $0 + $1 + $2 },
        "                  ---------(x|)", values: ["x": "2bt"])
      m.expect(
        digits.signal.forkJoin(letters.signal, flag.signal, digits.signal).map { a, b, c, d in a + b + c + d },
        "                  ---------(x|)", values: ["x": "2bt2"])
    }
  }
}
