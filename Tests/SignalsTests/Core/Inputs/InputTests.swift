import Signals
import Testing

/// Operators with several inputs keep values of any types in memory of their own.
@Suite("inputs of several types")
struct InputTests {
  private struct Odd: Sendable, Equatable {
    var first: UInt8
    var second: UInt16
    var third: UInt8
  }

  @Test("combineLatest, zip and withLatest give every element its value, however the tuple is laid out")
  func layouts() {
    let bytes = Emitter<UInt8>()
    let texts = Emitter<String>()
    let flags = Emitter<Bool>()
    let odd = Emitter<Odd>()
    let numbers = Emitter<Double?>()
    let vectors = Emitter<SIMD8<Double>>()
    let nothing = Emitter<Void>()
    let log = EventLog<String>()
    let bag = DisposeBag()
    bag += combineLatest(
      bytes.signal, texts.signal, flags.signal, odd.signal, numbers.signal, vectors.signal, nothing.signal
    ).map { "latest \($0.0) \($0.1) \($0.2) \($0.3.second) \($0.4 ?? -1) \($0.5[7])" }.log(to: log)
    bag += zip(
      bytes.signal, texts.signal, flags.signal, odd.signal, numbers.signal, vectors.signal, nothing.signal
    ).map { "zip \($0.0) \($0.1) \($0.2) \($0.3.second) \($0.4 ?? -1) \($0.5[7])" }.log(to: log)
    bag += texts.signal.withLatest(from: bytes.signal, flags.signal, odd.signal)
      .map { "with \($0) \($1) \($2) \($3.third)" }.log(to: log)
    bytes.send(1)
    flags.send(true)
    odd.send(Odd(first: 7, second: 300, third: 9))
    texts.send("a longer text that is not kept in place")
    numbers.send(nil)
    nothing.send()
    vectors.send(SIMD8(repeating: 2.5))
    #expect(
      log.values == [
        "with a longer text that is not kept in place 1 true 9",
        "latest 1 a longer text that is not kept in place true 300 -1.0 2.5",
        "zip 1 a longer text that is not kept in place true 300 -1.0 2.5",
      ])
    texts.send("b")
    numbers.send(4)
    bytes.send(2)
    flags.send(false)
    odd.send(Odd(first: 0, second: 65_535, third: 0))
    vectors.send(.zero)
    nothing.send()
    #expect(log.values.last == "zip 2 b false 65535 4.0 0.0")
    #expect(log.values.contains("latest 2 b false 65535 4.0 0.0"))
  }

  @Test("values are released once they are replaced, delivered, or the subscription ends")
  func releases() {
    let first = Emitter<LifeCount.Token>()
    let second = Emitter<LifeCount.Token>()
    let count = LifeCount()
    let latest = combineLatest(first.signal, second.signal).subscribe { _ in }
    first.send(count.token())
    first.send(count.token())
    second.send(count.token())
    #expect(count.alive == 2)
    latest.dispose()
    #expect(count.alive == 0)
    let rows = Box(0)
    let zipped = zip(first.signal, second.signal).subscribe { _ in rows.value += 1 }
    for _ in 0..<100 { first.send(count.token()) }
    #expect(count.alive == 100)
    for _ in 0..<40 { second.send(count.token()) }
    #expect(count.alive == 60 && rows.value == 40)
    zipped.dispose()
    #expect(count.alive == 0)
    let supplied = first.signal.withLatest(from: second.signal).subscribe { _ in throwAway() }
    second.send(count.token())
    first.send(count.token())
    supplied.dispose()
    #expect(count.alive == 0)
  }

  private func throwAway() {}

  @Test("zip keeps any number of values in order, through every growth of its queue")
  func queues() {
    let first = Emitter<String>()
    let second = Emitter<Int>()
    let log = EventLog<String>()
    let subscription = zip(first.signal, second.signal).map { "\($0) \($1)" }.log(to: log)
    var sent = 0
    var paired = 0
    for step in 1...50 {
      for _ in 0..<step {
        first.send("value \(sent)")
        sent += 1
      }
      for _ in 0..<step / 2 {
        second.send(paired)
        paired += 1
      }
    }
    #expect(log.values == (0..<paired).map { "value \($0) \($0)" })
    withExtendedLifetime(subscription) {}
  }

  @Test("inputs that send from several threads at once lose nothing")
  func racing() {
    let first = Emitter<String>()
    let second = Emitter<String>()
    let zips = EventLog<Int>()
    let latest = Box(0)
    let bag = DisposeBag()
    bag += zip(first.signal, second.signal).map { Int($0)! + Int($1)! }.log(to: zips)
    bag += combineLatest(first.signal, second.signal).subscribe { _, _ in latest.value += 1 }
    onThreads(2) { index in
      for number in 1...2_000 { (index == 0 ? first : second).send("\(number)") }
    }
    #expect(zips.values == (1...2_000).map { 2 * $0 })
    #expect((2_000...3_999).contains(latest.value))
  }
}
