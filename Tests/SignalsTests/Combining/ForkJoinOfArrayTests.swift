import Probes
import SignalTesting
import Signals
import Testing

/// The last values of an array of signals, once all have finished. What all forms have in common is in `ForkJoinTests`.
@Suite("forkJoin([…])", .healthy)
struct ForkJoinOfArrayTests {
  @Test("the last values in the order of the array, which may have a signal several times")
  func values() {
    marbles { m in
      let digits = m.hot("-12---|", of: Int.self)
      m.expect(
        forkJoin([digits.signal, digits.signal.map { $0 * 10 }, digits.signal.prefix(1)]),
        "                 ------(x|)", values: ["x": [2, 20, 1]])
    }
  }

  @Test("no signals are over at once; one that finishes without a value is the end of all")
  func few() {
    marbles { m in
      m.expect(forkJoin([Signal<Int>]()), "{|}", values: [:])

      let digits = m.hot("                -12-----", of: Int.self)
      let empty = m.hot("                 ---|", of: Int.self)
      m.expect(forkJoin([digits.signal, empty.signal]), "---|", values: [:])
      m.expectSubscriptions(of: digits, " ^--!")
    }
  }

  @Test("the first failure is that of all")
  func failure() {
    marbles { m in
      let digits = m.hot("                -12|", of: Int.self)
      let broken = m.hot("                 ---3#", of: Int.self, error: Failure(number: 1))
      m.expect(forkJoin([digits.signal, broken.signal]), "----#", values: [:], error: Failure(number: 1))
    }
  }
}
