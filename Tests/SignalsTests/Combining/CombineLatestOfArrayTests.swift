import Signals
import Testing

@Suite("combineLatest of an array")
struct CombineLatestOfArrayTests {
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
    #expect(array.ends.map { "\($0)" } == single.ends.map { "\($0)" })
    #expect(inputs.allSatisfy { $0.subscriberCount == 0 || !second.isDisposed })
    #expect(first.isDisposed == second.isDisposed)
  }

  @Test("Law 16: no signals are over at once; one is enough")
  func few() {
    let none = EventLog<[Int]>()
    combineLatest([Signal<Int>]()).log(to: none).dispose()
    #expect(none.events.count == 1 && none.ends.count == 1)
    let one = EventLog<[Int]>()
    combineLatest([Signal.sequence([1, 2])]).log(to: one).dispose()
    #expect(one.values == [[1], [2]] && one.ends.count == 1)
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
