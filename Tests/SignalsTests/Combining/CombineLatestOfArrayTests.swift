import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the latest values of all signals as an array; otherwise it is `combineLatest` of single signals.
@Suite("combineLatest of an array", .healthy)
struct CombineLatestOfArrayTests {
  @Test("a row for each value, in the order of the inputs, once each has delivered one; it finishes when all have")
  func values() {
    marbles { m in
      let first = m.hot("                -1---2---------|", of: Int.self)
      let second = m.hot("               ---3---4-|", of: Int.self)
      let third = m.hot("                ---5-----6-|", of: Int.self)
      let rows = ["v": [1, 3, 5], "w": [2, 3, 5], "x": [2, 4, 5], "y": [2, 4, 6]]
      m.expect(
        combineLatest([first.signal, second.signal, third.signal]),
        "                                ---v-w-x-y-----|", values: rows)
      m.expectSubscriptions(of: first, " ^--------------!")
      m.expectSubscriptions(of: second, "^--------!")
      m.expectSubscriptions(of: third, " ^----------!")
    }
  }

  @Test("Law 16: no signals are over at once; one is enough")
  func few() {
    marbles { m in
      m.expect(
        combineLatest([Signal<Int>]()),
        "{|}", values: [:])

      let one = m.hot("                      -1-2-|", of: Int.self)
      m.expect(combineLatest([one.signal]), "-x-y-|", values: ["x": [1], "y": [2]])

      let atOnce = m.cold("{12|}", of: Int.self)
      m.expect(
        combineLatest([atOnce.signal]),
        "                  {xy|}", values: ["x": [1], "y": [2]])
    }
  }

  @Test("Law 16: an input that finishes without a value is the end, as no row can come; the others are left")
  func finishesWithoutValue() {
    marbles { m in
      let digits = m.hot("               -1-2-3-|", of: Int.self)
      let empty = m.hot("                ----|", of: Int.self)
      m.expect(
        combineLatest([digits.signal, empty.signal]),
        "                                ----|", values: [:])
      m.expectSubscriptions(of: digits, "^---!")
    }
  }

  @Test("Law 9: the first failure of any input is that of all; the others are left")
  func failure() {
    marbles { m in
      let first = m.hot("               -1-2-3-|", of: Int.self)
      let second = m.hot("              --5-#", of: Int.self, error: Failure(number: 1))
      let rows = ["x": [1, 5], "y": [2, 5]]
      m.expect(
        combineLatest([first.signal, second.signal]),
        "                               --xy#", values: rows, error: Failure(number: 1))
      m.expectSubscriptions(of: first, "^---!")
    }
  }

  @Test("one input that sends nothing: no row, and no end")
  func nothing() {
    marbles { m in
      let digits = m.hot("-1-2-|", of: Int.self)
      let never = m.hot(" ------", of: Int.self)
      m.expect(
        combineLatest([digits.signal, never.signal]),
        "                 ------", values: [:])
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and every input is left at that moment")
  func disposal() {
    marbles { m in
      let first = m.hot("                -1---2-|", of: Int.self)
      let second = m.hot("               ---5---|", of: Int.self)
      let rows = combineLatest([first.signal, second.signal])
      m.expect(rows, "                   ---x----", values: ["x": [1, 5]], subscription: "^---!")
      m.expectSubscriptions(of: first, " ^---!")
      m.expectSubscriptions(of: second, "^---!")
    }
  }

  @Test("It does what combineLatest of single signals does, whatever the inputs do", arguments: 0..<100)
  func sameAsSingleSignals(_ seed: UInt64) {
    var random = FixedNumbers(state: seed)
    let inputs = (0..<3).map { _ in Emitter<Int>() }
    let signals = inputs.map(\.signal)
    let (single, array) = (EventLog<[Int]>(), EventLog<[Int]>())
    let first = combineLatest(signals[0], signals[1], signals[2]).map { [$0, $1, $2] }.log(to: single)
    let second = combineLatest(signals).log(to: array)
    for step in 0..<20 {
      let input = inputs[random.below(3)]
      switch random.below(20) {
      case 0: input.finish()
      case 1: input.fail(Failure(number: step))
      default: input.send(step)
      }
    }
    #expect(array.values == single.values)
    #expect(array.ends == single.ends)
    #expect(inputs.allSatisfy { $0.subscriberCount == 0 || !second.isDisposed })
    #expect(first.isDisposed == second.isDisposed)
  }

  @Test("Laws 2, 7, 9 and 11: sending, throwing and disposing inside; everything is released")
  func inside() {
    let life = LifeCount()
    let inputs = (0..<2).map { _ in Emitter<LifeCount.Token>() }
    let log = EventLog<Int>()
    let throwing = combineLatest(inputs.map(\.signal)).map { row -> Int in
      if log.values.count == 2 { throw Failure() }
      return row.count
    }.log(to: log)
    for input in inputs + inputs { input.send(life.token()) }
    #expect(log.values == [2, 2] && log.ends.count == 1)
    #expect(life.alive == 0 && throwing.isDisposed)
    #expect(inputs.allSatisfy { $0.subscriberCount == 0 })

    let numbers = (0..<2).map { Property($0) }
    let seen = EventLog<[Int]>()
    let sending = combineLatest(numbers.map(\.signal)).handle { if $0[0] < 3 { numbers[0].value += 1 } }.log(to: seen)
    #expect(seen.values == [[0, 1], [1, 1], [2, 1], [3, 1]])
    sending.dispose()
    numbers[1].value = 9
    #expect(seen.values.count == 4 && numbers.allSatisfy { $0.subscriberCount == 0 })
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
