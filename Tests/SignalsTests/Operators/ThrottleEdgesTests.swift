import Probes
import SignalTesting
import Signals
import Testing

/// Delivers, of the values of a while, the first, the last, both or none.
@Suite("throttle, with edges")
struct ThrottleEdgesTests {
  private let rest = Duration.milliseconds(3)

  @Test("the trailing edge alone: the newest value comes at the end, and begins a rest of its own")
  func trailing() {
    marbles { m in
      let letters = m.hot("               -abc-d-----e---|")
      m.expect(
        letters.signal.throttle(for: rest, on: m.scheduler, edges: .trailing),
        "                                 ----c--d------e|")
      m.expectSubscriptions(of: letters, "^--------------!")
    }
  }

  @Test("both edges are what latest is, the leading edge alone is what it is without")
  func sameAsLatest() {
    marbles { m in
      let letters = m.hot("-abc-d-------ef---|")
      m.expect(
        letters.signal.throttle(for: rest, on: m.scheduler, edges: [.leading, .trailing]),
        "                  -a--c--d-----e--f-|")
      m.expect(
        letters.signal.throttle(for: rest, on: m.scheduler, edges: .leading),
        "                  -a---d-------e----|")
    }
  }

  @Test("a single value: at the beginning, at the end, or not at all")
  func single() {
    marbles { m in
      let letter = m.hot("-a------")
      m.expect(letter.signal.throttle(for: rest, on: m.scheduler, edges: .leading), "-a------")
      m.expect(letter.signal.throttle(for: rest, on: m.scheduler, edges: .trailing), "----a---")
      m.expect(letter.signal.throttle(for: rest, on: m.scheduler, edges: [.leading, .trailing]), "-a------")
      m.expect(letter.signal.throttle(for: rest, on: m.scheduler, edges: []), "--------")
    }
  }

  @Test("Law 16: the end waits for the value that waits")
  func finishing() {
    marbles { m in
      let letters = m.hot("-ab|")
      m.expect(letters.signal.throttle(for: rest, on: m.scheduler, edges: .trailing), "----(b|)")
      m.expect(letters.signal.throttle(for: rest, on: m.scheduler, edges: []), "---|")
    }
  }

  @Test("a failure comes at once, and the value that waits does not")
  func failure() {
    marbles { m in
      let letters = m.hot("-ab#", error: Failure(number: 1))
      m.expect(
        letters.signal.throttle(for: rest, on: m.scheduler, edges: .trailing), "---#", error: Failure(number: 1))
    }
  }

  @Test("Law 7: after an early disposal nothing comes")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -ab-----|")
      m.expect(
        letters.signal.throttle(for: rest, on: m.scheduler, edges: .trailing), "--------", subscription: "^--!")
      m.expectSubscriptions(of: letters, "^--!")
    }
  }
}
