import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the first values of all signals as an array, then the second ones; otherwise it is `zip` of single signals.
@Suite("zip of an array", .healthy)
struct ZipOfArrayTests {
  @Test("a row as soon as each input has delivered its value, in the order of the inputs; values wait until then")
  func values() {
    marbles { m in
      let first = m.hot("                -12----3---|", of: Int.self)
      let second = m.hot("               ---4-5---6-|", of: Int.self)
      let third = m.hot("                -7---8---9-|", of: Int.self)
      let rows = ["x": [1, 4, 7], "y": [2, 5, 8], "z": [3, 6, 9]]
      m.expect(
        zip([first.signal, second.signal, third.signal]),
        "                                 ---x-y---z-|", values: rows)
      m.expectSubscriptions(of: first, " ^----------!")
      m.expectSubscriptions(of: third, " ^----------!")
    }
  }

  @Test("Law 16: no signals are over at once; one is enough; a finished input without a waiting value is the end")
  func ends() {
    marbles { m in
      m.expect(zip([Signal<Int>]()), "{|}", values: [:])

      let one = m.cold("                        {12|}", of: Int.self)
      m.expect(zip([one.signal]), "             {xy|}", values: ["x": [1], "y": [2]])

      let first = m.hot("                       -1-2|", of: Int.self)
      let second = m.hot("                      --3----4-5-|", of: Int.self)
      m.expect(zip([first.signal, second.signal]), "--x----(y|)", values: ["x": [1, 3], "y": [2, 4]])
      m.expectSubscriptions(of: second, "       ^------!")

      let empty = m.hot("                       --|", of: Int.self)
      let others = m.hot("                      -1-2-|", of: Int.self)
      m.expect(zip([others.signal, empty.signal]), "--|", values: [:])
      m.expectSubscriptions(of: others, "       ^-!")
    }
  }

  @Test("Law 9: the first failure of any input is that of all, also while values wait; the others are left")
  func failure() {
    marbles { m in
      let first = m.hot("                -12----|", of: Int.self)
      let second = m.hot("               --3-#", of: Int.self, error: Failure(number: 1))
      m.expect(
        zip([first.signal, second.signal]),
        "                                --x-#", values: ["x": [1, 3]], error: Failure(number: 1))
      m.expectSubscriptions(of: first, " ^---!")
    }
  }

  @Test("one input that sends nothing: no row, and no end")
  func nothing() {
    marbles { m in
      let digits = m.hot("-1-2-|", of: Int.self)
      let never = m.hot(" ------", of: Int.self)
      m.expect(
        zip([digits.signal, never.signal]),
        "                 ------", values: [:])
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and every input is left at that moment")
  func disposal() {
    marbles { m in
      let first = m.hot("                -1---2-|", of: Int.self)
      let second = m.hot("               ---56--|", of: Int.self)
      m.expect(
        zip([first.signal, second.signal]),
        "                                ---x----", values: ["x": [1, 5]], subscription: "^---!")
      m.expectSubscriptions(of: first, " ^---!")
      m.expectSubscriptions(of: second, "^---!")
    }
  }

  @Test("It does what zip of single signals does, whatever the inputs do", arguments: 0..<100)
  func sameAsSingleSignals(_ seed: UInt64) {
    var random = FixedNumbers(state: seed)
    let inputs = (0..<3).map { _ in Emitter<Int>() }
    let signals = inputs.map(\.signal)
    let (single, array) = (EventLog<[Int]>(), EventLog<[Int]>())
    let first = zip(signals[0], signals[1], signals[2]).map { [$0, $1, $2] }.log(to: single)
    let second = zip(signals).log(to: array)
    for step in 0..<40 {
      let input = inputs[random.below(3)]
      switch random.below(30) {
      case 0: input.finish()
      case 1: input.fail(Failure(number: step))
      default: input.send(step)
      }
    }
    #expect(array.values == single.values)
    #expect(array.ends == single.ends)
    #expect(first.isDisposed == second.isDisposed)
  }

  @Test("a row that somebody keeps stays as it is; what nobody keeps is released")
  func kept() {
    let life = LifeCount()
    let inputs = (0..<2).map { _ in Emitter<LifeCount.Token>() }
    let kept = Box<[[LifeCount.Token]]>([])
    let keeping = Box(true)
    let subscription = zip(inputs.map(\.signal)).subscribe { row in
      if keeping.value { kept.withLock { $0.append(row) } }
    }
    for _ in 0..<3 { for input in inputs { input.send(life.token()) } }
    #expect(kept.value.map(\.count) == [2, 2, 2])
    #expect(Set(kept.value.joined().map(ObjectIdentifier.init)).count == 6)
    keeping.value = false
    for input in inputs { input.send(life.token()) }
    #expect(life.alive == 6)
    kept.value = []
    #expect(life.alive == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 2: what a handler sends comes after the row that is being delivered")
  func sendingInside() {
    let inputs = (0..<2).map { _ in Emitter<Int>() }
    let log = EventLog<[Int]>()
    let subscription = zip(inputs.map(\.signal)).handle { row in
      if row[0] < 3 { for input in inputs { input.send(row[0] + 1) } }
    }.log(to: log)
    for input in inputs { input.send(0) }
    #expect(log.values == [[0, 0], [1, 1], [2, 2], [3, 3]])
    subscription.dispose()
    #expect(inputs.allSatisfy { $0.subscriberCount == 0 })
  }

  /// Numbers that are the same on every run.
  private struct FixedNumbers {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
  }
}
