import Probes
import SignalTesting
import Signals
import Testing

/// Combines all values into one result, which comes at the end.
@Suite("reduce")
struct ReduceTests {
  @Test("the result comes at the end, both ways to make it")
  func values() {
    marbles { m in
      let digits = m.hot("                                          -1-2-3-|", of: Int.self)
      m.expect(digits.signal.reduce(1, sum), "                      -------(7|)")
      m.expect(digits.signal.reduce(into: 1) { try add(&$0, $1) }, "-------(7|)")
      m.expectSubscriptions(of: digits, "      ^------!", "      ^------!")
    }
  }

  @Test("the result may be of another type; a collection grows in place")
  func otherType() {
    marbles { m in
      let letters = m.hot("-a-b-c-|")
      m.expect(
        letters.signal.reduce("0") { $0 + $1 },
        "                  -------(x|)", values: ["x": "0abc"])
      m.expect(
        letters.signal.reduce(into: [String]()) { $0.append($1) },
        "                  -------(x|)", values: ["x": ["a", "b", "c"]])
    }
  }

  @Test("without a value the initial result is the result; without an end there is none")
  func nothing() {
    marbles { m in
      let never = m.hot("                    ----", of: Int.self)
      m.expect(never.signal.reduce(1, sum), "----")

      let empty = m.hot("                    --|", of: Int.self)
      m.expect(empty.signal.reduce(1, sum), "--(1|)")

      let atOnce = m.cold("                   {123|}", of: Int.self)
      m.expect(atOnce.signal.reduce(1, sum), "{7|}")
    }
  }

  @Test("each subscription begins anew, with the initial result as it was")
  func subscriptions() {
    marbles { m in
      let digits = m.hot("-1-2-3-|", of: Int.self)
      let result = digits.signal.reduce(into: [0]) { $0.append($1) }
      m.expect(result, "  -------(x|)", values: ["x": [0, 1, 2, 3]])
      m.expect(result, "   -------(x|)", values: ["x": [0, 2, 3]], subscription: "--^")
    }
  }

  @Test("a failure passes; the result until then does not come")
  func failure() {
    marbles { m in
      let digits = m.hot("                                          -1-2-#", of: Int.self, error: Failure(number: 1))
      m.expect(digits.signal.reduce(0, sum), "                      -----#", error: Failure(number: 1))
      m.expect(digits.signal.reduce(into: 0) { try add(&$0, $1) }, "-----#", error: Failure(number: 1))
    }
  }

  @Test("Laws 9 and 11: what the closure throws is the failure, and the source is left at that moment")
  func throwing() {
    marbles { m in
      let digits = m.hot("                                          -1-0-3-|", of: Int.self)
      m.expect(digits.signal.reduce(0, sum), "                      ---#", error: Failure())
      m.expect(digits.signal.reduce(into: 0) { try add(&$0, $1) }, "---#", error: Failure())
      m.expectSubscriptions(of: digits, "       ^--!", "       ^--!")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let digits = m.hot("               -1-2-3-|", of: Int.self)
      m.expect(digits.signal.reduce(0, sum), "--------", subscription: "^---!")
      m.expectSubscriptions(of: digits, "^---!")
    }
  }

  @Test("Law 7: who disposes when the result comes is not told of the end")
  func disposalAtResult() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let kept = Box<Subscription?>(nil)
    kept.value = emitter.signal.reduce(0) { $0 + $1 }.subscribeToEvents { event in
      log.append(event)
      kept.value?.dispose()
    }
    for value in 1...3 { emitter.send(value) }
    emitter.finish()
    #expect(log.events == [.value(6)])
  }

  @Test("Law 2: a value that is sent inside the closure counts after the one that the closure has")
  func reentrant() {
    let emitter = Emitter<Int>()
    let log = EventLog<[Int]>()
    let subscription = emitter.signal.reduce(into: [Int]()) { all, value in
      if value == 1 { emitter.send(2) }
      all.append(value)
    }.log(to: log)
    emitter.send(1)
    emitter.send(3)
    emitter.finish()
    #expect(log.events == [.value([1, 2, 3]), .finished])
    #expect(subscription.isDisposed)
  }

  @Test("a collection that only the operator has is not copied for each value")
  func inPlace() {
    let emitter = Emitter<Int>()
    let addresses = Journal<Int>()
    var initial: [Int] = []
    initial.reserveCapacity(100)
    let subscription = emitter.signal.reduce(into: initial) { all, value in
      all.append(value)
      if all.capacity < 100 { all.reserveCapacity(100) }
      addresses.append(all.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) })
    }.subscribe { _ in }
    for value in 0..<50 { emitter.send(value) }
    #expect(Set(addresses.entries.dropFirst()).count == 1)
    subscription.dispose()
  }
}

/// Throws where the second number is 0.
private func sum(_ first: Int, _ second: Int) throws -> Int {
  if second == 0 { throw Failure() }
  return first + second
}

private func add(_ result: inout Int, _ value: Int) throws { result = try sum(result, value) }
