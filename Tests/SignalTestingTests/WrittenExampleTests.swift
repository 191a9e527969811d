import SignalTesting
import Signals
import Testing

// The operators of the article "Operators of your own".
extension Signal where Value == Double {
  fileprivate func steps(of step: Double) -> Signal<Double> {
    lift(Site("steps", fileID: #fileID, line: #line, function: #function), state: Double?.none) {
      last, value, downstream in
      if let last, abs(value - last) < step { return }
      last = value
      try downstream.send(value)
    }
  }
}

extension Signal where Value == Int {
  fileprivate func budget(_ limit: Int) -> Signal<Int> {
    lift(Site("budget", fileID: #fileID, line: #line, function: #function), state: 0) { spent, value, downstream in
      spent += value
      if spent > limit { return downstream.finish() }
      try downstream.send(value)
    }
  }
}

extension Signal {
  fileprivate func couples() -> Signal<[Value]> {
    lift(Site("couples", fileID: #fileID, line: #line, function: #function), state: [Value]()) {
      couple, value, downstream in
      couple.append(value)
      guard couple.count == 2 else { return }
      let full = couple
      couple = []
      try downstream.send(full)
    } end: { couple, completion, downstream in
      if case .finished = completion, !couple.isEmpty { try downstream.send(couple) }
    }
  }
}

/// What articles say of their examples.
@Suite struct WrittenExampleTests {
  @Test func operatorsOfYourOwn() {
    marbles { m in
      let temperatures = m.hot("abcde|", values: ["a": 20.0, "b": 20.1, "c": 20.6, "d": 20.7, "e": 19.9])
      m.expect(temperatures.signal.steps(of: 0.5), "a-c-e|", values: ["a": 20.0, "c": 20.6, "e": 19.9])
      let prices = m.hot("-4-5-3-1-|", of: Int.self)
      m.expect(prices.signal.budget(10), "-4-5-|")
      m.expect(prices.signal.couples(), "---a---b-|", values: ["a": [4, 5], "b": [3, 1]])
    }
  }

  @Test func operatorsOfYourOwnKeepTheLaws() {
    expectLaws(of: "budget") { $0.budget(10) }
    expectLaws(of: "couples") { $0.couples() }
    expectLaws(of: "steps") { $0.map { Double($0) }.steps(of: 1.5) }
  }

  @Test func retryWithBackOff() {
    marbles { m in
      let server = m.cold("#")
      m.expect(server.signal.retry(3, after: .exponential(first: .seconds(1)), on: m.scheduler), " 7s #")
      m.expectSubscriptions(of: server, "(^!)", " 1s (^!)", " 3s (^!)", " 7s (^!)")
    }
  }
}
