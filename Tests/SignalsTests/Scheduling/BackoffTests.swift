import Signals
import Testing

@Suite("Backoff")
struct BackoffTests {
  private func delays(_ backoff: Backoff, _ count: Int = 5) -> [Duration] {
    var generator = SystemRandomNumberGenerator()
    return (1...count).map { backoff.delay(before: $0, using: &generator) }
  }

  @Test("constant, linear and exponential delays")
  func growth() {
    #expect(delays(.constant(.seconds(2)), 3) == [.seconds(2), .seconds(2), .seconds(2)])
    #expect(delays(.linear(first: .seconds(1), step: .seconds(2)), 3) == [.seconds(1), .seconds(3), .seconds(5)])
    #expect(
      delays(.exponential(first: .milliseconds(100)), 4)
        == [.milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800)])
    #expect(
      delays(.exponential(first: .milliseconds(100), factor: 1.5), 3)
        == [.milliseconds(100), .milliseconds(150), .milliseconds(225)])
  }

  @Test("no delay is longer than the limit")
  func limit() {
    #expect(
      delays(.exponential(first: .seconds(1), limit: .seconds(5))).map(\.components.seconds) == [1, 2, 4, 5, 5])
    #expect(
      delays(.linear(first: .seconds(1), step: .seconds(1), limit: .seconds(2)), 3)
        == [.seconds(1), .seconds(2), .seconds(2)])
    #expect(delays(.exponential(first: .seconds(1), limit: .seconds(-5)), 1) == [.zero])
  }

  @Test("whatever is asked for, nothing traps, and no delay is negative")
  func extremes() {
    let longest = Duration(attoseconds: .max)
    var generator = SystemRandomNumberGenerator()
    for factor in [0, 0.5, 1, 2, 1e300, .infinity, -1, .nan] {
      for first in [Duration.zero, .nanoseconds(1), .seconds(1), longest, .seconds(-1)] {
        for jitter in [0, 0.5, 1, 7, -1, .nan, .infinity] {
          for attempt in [Int.min, 0, 1, 2, 100, .max] {
            let delay = Backoff.exponential(first: first, factor: factor, jitter: jitter)
              .delay(before: attempt, using: &generator)
            #expect(delay >= .zero)
            let line = Backoff.linear(
              first: first, step: .seconds(factor.isFinite ? min(factor, 9) : 9), jitter: jitter)
            #expect(line.delay(before: attempt, using: &generator) >= .zero)
          }
        }
      }
    }
    #expect(Backoff.exponential(first: .seconds(1)).delay(before: .max, using: &generator) == longest)
    #expect(Backoff.linear(first: .seconds(5), step: .seconds(-1)).delay(before: 9, using: &generator) == .zero)
  }

  @Test("jitter leaves out a part that the generator decides, and no more than it says; without it, nobody asks")
  func jitter() {
    var low = Fixed(0)
    var high = Fixed(.max)
    let backoff = Backoff.constant(.seconds(8), jitter: 0.25)
    #expect(backoff.delay(before: 1, using: &low) == .seconds(8))
    #expect(backoff.delay(before: 1, using: &high) >= .seconds(6))
    #expect(backoff.delay(before: 1, using: &high) < .milliseconds(6001))
    #expect(low.count > 0)
    var unused = Fixed(0)
    #expect(Backoff.constant(.seconds(8)).delay(before: 1, using: &unused) == .seconds(8))
    #expect(unused.count == 0)
  }

  @Test func jitterIsAPartOfTheLimitedDelay() {
    var high = Fixed(.max)
    let backoff = Backoff.exponential(first: .seconds(1), limit: .seconds(4), jitter: 0.5)
    #expect(backoff.delay(before: 10, using: &high) < .milliseconds(2_001))
  }

  private struct Fixed: RandomNumberGenerator {
    let number: UInt64
    var count = 0

    init(_ number: UInt64) { self.number = number }

    mutating func next() -> UInt64 {
      count += 1
      return number
    }
  }
}
