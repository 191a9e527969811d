import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the latest values of all signals by their keys; otherwise it is `combineLatest` of an array.
@Suite("latestValues of a dictionary", .healthy)
struct LatestValuesTests {
  @Test("a dictionary for each value, once each input has delivered one; it finishes when all have")
  func values() {
    marbles { m in
      let first = m.hot("                -1---2---------|", of: Int.self)
      let second = m.hot("               ---3---4-|", of: Int.self)
      let rows = ["x": ["a": 1, "b": 3], "y": ["a": 2, "b": 3], "z": ["a": 2, "b": 4]]
      m.expect(
        latestValues(of: ["a": first.signal, "b": second.signal]),
        "                                ---x-y-z-------|", values: rows)
      m.expectSubscriptions(of: first, " ^--------------!")
      m.expectSubscriptions(of: second, "^--------!")
    }
  }

  @Test("Law 16: no signals are over at once; one is enough, inside subscribe too")
  func few() {
    marbles { m in
      m.expect(latestValues(of: [String: Signal<Int>]()), "{|}", values: [:])

      let one = m.hot("                            -1-2-|", of: Int.self)
      m.expect(latestValues(of: [7: one.signal]), "-x-y-|", values: ["x": [7: 1], "y": [7: 2]])

      let atOnce = m.cold("                           {12|}", of: Int.self)
      m.expect(latestValues(of: [7: atOnce.signal]), "{xy|}", values: ["x": [7: 1], "y": [7: 2]])
    }
  }

  @Test("the inputs are subscribed to in the order of their keys' texts, in every run")
  func order() {
    let names = Journal<String>()
    let inputs = Dictionary(
      uniqueKeysWithValues: "gdbhacfe".map { letter in
        (String(letter), Signal<Int>.never().handle(onSubscribe: { names.append(String(letter)) }))
      })
    latestValues(of: inputs).subscribe { _ in }.dispose()
    #expect(names.entries.joined() == "abcdefgh")
  }

  @Test("values may be nil")
  func optionals() {
    let inputs = ["a": Property<Int?>(nil), "b": Property<Int?>(2)]
    let log = EventLog<[String: Int?]>()
    let subscription = latestValues(of: inputs.mapValues(\.signal)).log(to: log)
    inputs["b"]?.value = nil
    #expect(log.values == [["a": nil, "b": 2], ["a": nil, "b": nil]])
    subscription.dispose()
  }

  @Test("Law 16: an input that finishes without a value is the end, as no dictionary can come; the others are left")
  func finishesWithoutValue() {
    marbles { m in
      let digits = m.hot("                                             -1-2-3-|", of: Int.self)
      let empty = m.hot("                                              ----|", of: Int.self)
      m.expect(latestValues(of: [1: digits.signal, 2: empty.signal]), "----|", values: [:])
      m.expectSubscriptions(of: digits, "                              ^---!")
    }
  }

  @Test("Law 9: the first failure of any input is that of all; the others are left")
  func failure() {
    marbles { m in
      let first = m.hot("               -1-2-3-|", of: Int.self)
      let second = m.hot("              --5-#", of: Int.self, error: Failure(number: 1))
      m.expect(
        latestValues(of: [1: first.signal, 2: second.signal]),
        "                               --xy#", values: ["x": [1: 1, 2: 5], "y": [1: 2, 2: 5]],
        error: Failure(number: 1))
      m.expectSubscriptions(of: first, "^---!")
    }
  }

  @Test("one input that sends nothing: no dictionary, and no end")
  func nothing() {
    marbles { m in
      let digits = m.hot("                                             -1-2-|", of: Int.self)
      let never = m.hot("                                              ------", of: Int.self)
      m.expect(latestValues(of: [1: digits.signal, 2: never.signal]), "------", values: [:])
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and every input is left at that moment")
  func disposal() {
    marbles { m in
      let first = m.hot("                -1---2-|", of: Int.self)
      let second = m.hot("               ---5---|", of: Int.self)
      let result = latestValues(of: [1: first.signal, 2: second.signal])
      m.expect(result, "                 ---x----", values: ["x": [1: 1, 2: 5]], subscription: "^---!")
      m.expectSubscriptions(of: first, " ^---!")
      m.expectSubscriptions(of: second, "^---!")
    }
  }

  @Test("Laws 2, 7, 9 and 11: sending, throwing and disposing inside; everything is released")
  func inside() {
    let life = LifeCount()
    let inputs = (0..<2).map { _ in Emitter<LifeCount.Token>() }
    let log = EventLog<Int>()
    let throwing = latestValues(of: [1: inputs[0].signal, 2: inputs[1].signal]).map { row -> Int in
      if log.values.count == 2 { throw Failure() }
      return row.count
    }.log(to: log)
    for input in inputs + inputs { input.send(life.token()) }
    #expect(log.values == [2, 2] && log.ends.count == 1)
    #expect(life.alive == 0 && throwing.isDisposed)
    #expect(inputs.allSatisfy { $0.subscriberCount == 0 })

    let numbers = ["a": Property(0), "b": Property(1)]
    let seen = EventLog<[String: Int]>()
    let sending = latestValues(of: numbers.mapValues(\.signal))
      .handle { if $0["a", default: 0] < 2 { numbers["a"]?.value += 1 } }.log(to: seen)
    #expect(seen.values == [["a": 0, "b": 1], ["a": 1, "b": 1], ["a": 2, "b": 1]])
    sending.dispose()
    numbers["b"]?.value = 9
    #expect(seen.values.count == 3 && numbers.values.allSatisfy { $0.subscriberCount == 0 })
  }

  @Test("A dictionary that somebody keeps does not change with the next value")
  func kept() {
    let inputs = [1: Property(1), 2: Property(2)]
    let log = EventLog<[Int: Int]>()
    let subscription = latestValues(of: inputs.mapValues(\.signal)).log(to: log)
    inputs[1]?.value = 5
    inputs[2]?.value = 6
    #expect(log.values == [[1: 1, 2: 2], [1: 5, 2: 2], [1: 5, 2: 6]])
    subscription.dispose()
  }

  @Test("it does what combineLatest of an array does, whatever the inputs do", arguments: 0..<50)
  func sameAsCombineLatest(_ seed: UInt64) {
    var state = seed
    func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let inputs = (0..<3).map { _ in Emitter<Int>() }
    let (expected, actual) = (EventLog<[Int: Int]>(), EventLog<[Int: Int]>())
    let first = combineLatest(inputs.map(\.signal))
      .map { row in Dictionary(uniqueKeysWithValues: row.enumerated().map { ($0, $1) }) }.log(to: expected)
    let keyed = Dictionary(uniqueKeysWithValues: inputs.enumerated().map { ($0, $1.signal) })
    let second = latestValues(of: keyed).log(to: actual)
    for step in 0..<30 {
      let input = inputs[below(3)]
      switch below(20) {
      case 0: input.finish()
      case 1: input.fail(Failure(number: step))
      default: input.send(step)
      }
    }
    #expect(actual.events == expected.events)
    #expect(first.isDisposed == second.isDisposed)
  }
}
